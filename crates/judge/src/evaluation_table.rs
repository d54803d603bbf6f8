//! Every subterm of some formulas with its value under a model, so that a person can check the evaluation
//! step by step.
//!
//! Rows are in the order of evaluation: children before parents, each distinct subterm once. Literals have
//! no row, since they are their own values; subterms with bound variables have none either. The formulas
//! themselves always have one.

use std::collections::{BTreeSet, HashMap, HashSet};

use luthier_semantics::{Evaluation, Evaluator, Limits, Model};
use luthier_terms::{PostOrder, Sort, Term, TermId, TermPool};

use crate::render::{describe_reason, short_term, short_value};

/// A subterm and its value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedTerm {
    /// The term.
    pub term: TermId,
    /// The term in SMT-LIB 2.7, cut in the middle if it is long.
    pub text: String,
    /// Its value, or why it has none.
    pub value: String,
    /// Whether it is one of the formulas.
    pub is_formula: bool,
}

/// A table of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationTable {
    /// The rows.
    pub rows: Vec<EvaluatedTerm>,
    /// How many subterms are left out because there are too many.
    pub cut: usize,
}

/// The values of all subterms of some formulas under a model, at most `most` of them, those of the formulas
/// themselves always included.
pub fn evaluation_table(
    pool: &mut TermPool,
    formulas: &[TermId],
    model: &Model,
    limits: Limits,
    most: usize,
) -> EvaluationTable {
    let roots: HashSet<TermId> = formulas.iter().copied().collect();
    let shown = shown_terms(pool, formulas, &roots);
    let inner = shown.iter().filter(|term| !roots.contains(term)).count();
    let room = most.saturating_sub(roots.len());
    let mut left = room;
    let mut evaluated: Vec<(TermId, Evaluation)> = Vec::new();
    {
        let mut evaluator = Evaluator::with_limits(pool, model, limits);
        for term in shown {
            let is_formula = roots.contains(&term);
            if !is_formula && left == 0 {
                continue;
            }
            left -= usize::from(!is_formula);
            evaluated.push((term, evaluator.evaluate(term)));
        }
    }
    let cut = inner.saturating_sub(room);
    let mut rows = Vec::with_capacity(evaluated.len());
    for (term, evaluation) in evaluated {
        let value = match &evaluation {
            Evaluation::Known(value) => short_value(pool, value),
            Evaluation::Undecided(reasons) => {
                let reasons: Vec<String> =
                    reasons.iter().map(|reason| describe_reason(pool, reason)).collect();
                format!("undecided ({})", reasons.join("; "))
            }
        };
        let text = short_term(pool, term);
        rows.push(EvaluatedTerm { term, text, value, is_formula: roots.contains(&term) });
    }
    EvaluationTable { rows, cut }
}

/// The subterms that have a row, children before parents. Free variables are collected on the way up, so
/// that the time is linear where nothing is bound.
fn shown_terms(pool: &TermPool, formulas: &[TermId], roots: &HashSet<TermId>) -> Vec<TermId> {
    /// Only terms that have some.
    type FreeVariables = HashMap<TermId, BTreeSet<TermId>>;
    let mut free = FreeVariables::new();
    let mut shown = Vec::new();
    for term in PostOrder::new(pool, formulas.iter().copied()) {
        let mut variables: BTreeSet<TermId> = BTreeSet::new();
        for child in pool.children(term) {
            variables.extend(free.get(child).into_iter().flatten());
        }
        match pool.term(term) {
            Term::Variable(_) => {
                variables.insert(term);
            }
            Term::Quantifier(view) => variables.retain(|one| !view.variables.contains(one)),
            _ => {}
        }
        if variables.is_empty() && (roots.contains(&term) || has_row(pool, term)) {
            shown.push(term);
        }
        if !variables.is_empty() {
            free.insert(term, variables);
        }
    }
    shown
}

/// Whether a subterm without free variables has a row: no literal, no name for another term, no ground
/// regular expression.
fn has_row(pool: &TermPool, term: TermId) -> bool {
    let is_language = pool.sort(term) == Sort::RegLan;
    match pool.term(term) {
        Term::String(_) | Term::Integer(_) | Term::Variable(_) | Term::Named(..) => false,
        Term::Op(_, []) => false,
        Term::Op(..) => !is_language,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use luthier_semantics::Value;
    use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};

    use super::*;

    /// The assertions of a script, and the model in which its first constant is `aa`.
    fn read(pool: &mut TermPool, text: &str) -> (Vec<TermId>, Model) {
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
        let script = read_script(pool, text.as_bytes(), &options).script;
        let formulas = script
            .queries()
            .flat_map(|query| query.assertions)
            .map(|active| active.assertion.term)
            .collect();
        let x = script.declared(pool)[0];
        let mut model = Model::new();
        let value = luthier_terms::SmtString::from_text("aa").unwrap();
        model.insert_value(x, Value::String(value));
        (formulas, model)
    }

    #[test]
    fn children_come_before_parents_and_literals_have_no_row() {
        let mut pool = TermPool::new();
        let text = "(declare-const x String)\
            (assert (= (str.len (str.++ x \"b\")) 3))(assert (str.in_re x (re.* re.allchar)))";
        let (formulas, model) = read(&mut pool, text);
        let limits = Limits::default();
        let table = evaluation_table(&mut pool, &formulas, &model, limits, 100);
        let rows: Vec<String> =
            table.rows.iter().map(|row| format!("{} is {}", row.text, row.value)).collect();
        assert_eq!(
            rows,
            [
                "x is \"aa\"",
                "(str.++ x \"b\") is \"aab\"",
                "(str.len (str.++ x \"b\")) is 3",
                "(= (str.len (str.++ x \"b\")) 3) is true",
                "(str.in_re x (re.* re.allchar)) is true"
            ]
        );
        assert_eq!(table.cut, 0);
        let few = evaluation_table(&mut pool, &formulas, &model, limits, 3);
        assert_eq!((few.rows.len(), few.cut), (3, 2));
    }

    #[test]
    fn a_literal_that_is_an_assertion_has_a_row_and_terms_with_bound_variables_have_none() {
        let mut pool = TermPool::new();
        let text = "(declare-const x String)(assert false)\
            (assert (exists ((n Int)) (and (= n (str.len x)) (> n 1))))";
        let (formulas, model) = read(&mut pool, text);
        let table = evaluation_table(&mut pool, &formulas, &model, Limits::default(), 100);
        let terms: Vec<&str> = table.rows.iter().map(|row| row.text.as_str()).collect();
        let quantified = "(exists ((n Int)) (and (= n (str.len x)) (> n 1)))";
        assert_eq!(terms, ["false", "x", "(str.len x)", quantified]);
        assert_eq!(table.rows[0].value, "false");
    }

    #[test]
    fn a_deep_term_takes_no_quadratic_time() {
        let mut pool = TermPool::new();
        let deep = format!("{}x{}", "(str.at ".repeat(50_000), " 0)".repeat(50_000));
        let text = format!("(declare-const x String)(assert (= {deep} \"\"))");
        let (formulas, model) = read(&mut pool, &text);
        let roots = formulas.iter().copied().collect();
        assert_eq!(shown_terms(&pool, &formulas, &roots).len(), 50_002);
        let table = evaluation_table(&mut pool, &formulas, &model, Limits::default(), 3);
        assert_eq!((table.rows.len(), table.cut), (3, 49_999));
    }
}
