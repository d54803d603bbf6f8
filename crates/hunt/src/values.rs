//! Values: what a solver says that terms are after `sat`, against the referee.
//!
//! After the query the solver is asked for the values of all constants and of some closed subterms,
//! `(get-value (x y (str.len x) …))`. The constants' values are a model that the solver itself has
//! completed, so that an incomplete `get-model` becomes a valid or an invalid one; each further pair
//! claims what the solver's own evaluator makes of a subterm under this model:
//!
//! ```text
//! ((x "ab") ((str.len x) 3))      (str.len x) is 2, not 3 as the solver says
//! ```
//!
//! The reply is matched with the request by position, and only the values are read from it: a solver
//! may print a term in another way than it was given. Sound: the referee decides both, and what it
//! cannot decide (division by zero, a value that cannot be read, a limit) claims nothing.
//! Limits: at most [`MOST_SUBTERMS`] subterms of sorts `Bool`, `Int` and `String`.

use std::collections::HashSet;

use luthier_ask::Solver;
use luthier_judge::used_functions;
use luthier_records::{Answer, Text};
use luthier_runner::answer;
use luthier_smtlib::{
    Command, CommandKind, Dialect, Note, PrintOptions, Query, Script, print_script,
};
use luthier_terms::{PostOrder, Sort, Term, TermId, TermPool};

/// More subterms are thinned out evenly.
pub(crate) const MOST_SUBTERMS: usize = 10;

/// A `get-value` command in the dialect of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRequest {
    /// The command on a line of its own.
    pub command: Vec<u8>,
    /// Its terms as it has them.
    terms: Vec<Vec<u8>>,
}

impl ValueRequest {
    /// The request for the terms of a query; `None` if there are none, or if the dialect cannot express
    /// them. `spelling` may rewrite the printed text.
    pub fn of_query(
        pool: &mut TermPool,
        query: &Query,
        solver: &Solver,
        spelling: &dyn Fn(&TermPool, Vec<u8>) -> Vec<u8>,
    ) -> Option<Self> {
        let terms = requested_terms(pool, query)?;
        Self::of_terms(pool, terms, solver.dialect, spelling)
    }

    /// The request for these terms.
    pub fn of_terms(
        pool: &TermPool,
        terms: Vec<TermId>,
        dialect: Dialect,
        spelling: &dyn Fn(&TermPool, Vec<u8>) -> Vec<u8>,
    ) -> Option<Self> {
        let count = terms.len();
        let command = Command { kind: CommandKind::GetValue(terms), span: Default::default() };
        let script = Script { commands: vec![command] };
        let printed = print_script(pool, &script, &PrintOptions::new(dialect)).ok()?;
        let differs = |note: &Note| matches!(note, Note::SmallAlphabet(_) | Note::EmptyString(_));
        if printed.notes.iter().any(differs) {
            return None;
        }
        let bytes = spelling(pool, printed.bytes);
        // A line with the version of SMT-LIB may stand before it.
        let command = *answer::lists(&bytes).last()?;
        let terms = match answer::list_parts(command).as_slice() {
            [_, terms] => answer::list_parts(terms).into_iter().map(<[u8]>::to_vec).collect(),
            _ => Vec::new(),
        };
        (terms.len() == count).then(|| Self { command: [command, b"\n"].concat(), terms })
    }

    /// The values of a reply as a text that [`luthier_judge::check_model`] reads: each requested term with
    /// the value that the solver printed for it. `None` if there is no reply to the request.
    pub fn claims(&self, answer: &Answer) -> Option<Text> {
        let values = answer.values.last()?;
        let pairs = answer::pairs(values.as_bytes())?;
        if pairs.len() != self.terms.len() {
            return None;
        }
        let mut text = b"(".to_vec();
        for (term, (_, value)) in self.terms.iter().zip(pairs) {
            for piece in [b"(", term.as_slice(), b" ", value, b")\n"] {
                text.extend_from_slice(piece);
            }
        }
        text.push(b')');
        Some(Text::from(text.as_slice()))
    }
}

/// The script with a `get-value` before its last command, a `get-info` at which some solvers end.
pub fn with_values(mut copy: Vec<u8>, values: &[u8]) -> Vec<u8> {
    const LAST: &[u8] = b"(get-info :reason-unknown)\n";
    let place = if copy.ends_with(LAST) { copy.len() - LAST.len() } else { copy.len() };
    copy.splice(place..place, values.iter().copied());
    copy
}

/// The constants of a query, and some of the closed subterms of its formulas. `None` if a value of a
/// constant cannot be requested, because of its sort or because it is a function.
fn requested_terms(pool: &mut TermPool, query: &Query) -> Option<Vec<TermId>> {
    let asserted = query.assertions.iter().map(|active| active.assertion.term);
    let roots: Vec<TermId> = asserted.chain(query.assumptions.iter().copied()).collect();
    let mut terms = Vec::new();
    for function in used_functions(pool, &roots) {
        let declared = pool.function(function);
        if !declared.parameters.is_empty() || !is_printed(declared.result) {
            return None;
        }
        terms.push(pool.apply(function, &[]).ok()?);
    }
    if terms.is_empty() {
        return None;
    }
    let mut unfit: HashSet<TermId> = HashSet::new();
    let mut subterms = Vec::new();
    for term in PostOrder::new(pool, roots.iter().copied()) {
        let is_open =
            matches!(pool.term(term), Term::Variable(_) | Term::Quantifier(_) | Term::Named(..));
        if is_open || pool.children(term).iter().any(|child| unfit.contains(child)) {
            unfit.insert(term);
            continue;
        }
        let is_composite = !pool.children(term).is_empty();
        if is_composite && is_printed(pool.sort(term)) && !roots.contains(&term) {
            subterms.push(term);
        }
    }
    let count = subterms.len();
    let kept = count.min(MOST_SUBTERMS);
    // Evenly over all of them, the outermost included.
    terms.extend((0..kept).map(|place| subterms[(place + 1) * count / kept - 1]));
    Some(terms)
}

fn is_printed(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::String)
}

#[cfg(test)]
mod tests {
    use luthier_records::Verdict;
    use luthier_smtlib::{Mode, ReadOptions, read_script};

    use super::*;

    fn request(text: &str, dialect: Dialect) -> Option<ValueRequest> {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Generous };
        let script = read_script(&mut pool, text.as_bytes(), &options).script;
        let query = script.queries().last().unwrap();
        let terms = requested_terms(&mut pool, &query)?;
        ValueRequest::of_terms(&pool, terms, dialect, &|_, bytes| bytes)
    }

    const TEXT: &str = "(declare-const x String)(declare-const unused Int)\
        (assert (< (str.to_int (str.++ x \"a)\")) 3))(check-sat)";

    #[test]
    fn constants_come_first_then_subterms_in_the_dialect_of_the_solver() {
        let request = request(TEXT, Dialect::Z3Legacy).unwrap();
        let command = String::from_utf8(request.command.clone()).unwrap();
        let expected = "(get-value (x (str.++ x \"a)\") (str.to.int (str.++ x \"a)\"))))\n";
        assert_eq!(command, expected);
        assert_eq!(request.terms.len(), 3);
    }

    #[test]
    fn values_are_taken_by_position_whatever_the_solver_calls_the_terms() {
        let request = request(TEXT, Dialect::Smt27).unwrap();
        let said = |values: &str| {
            let values = vec![Text::from(values)];
            request.claims(&Answer { values, ..Answer::bare(Verdict::Sat) })
        };
        let text = said("((x \"b\") ((seq.++ x y) \"ba)\")\n (other (- 1)))").unwrap().to_string();
        assert!(text.contains("((str.to_int (str.++ x \"a)\")) (- 1))"), "{text}");
        assert_eq!(said("((x \"b\"))"), None);
    }

    #[test]
    fn bound_variables_and_functions_are_not_requested() {
        let text = "(declare-const x String)(assert (exists ((y Int)) (= (str.len x) (+ y 1))))\
            (check-sat)";
        let terms = request(text, Dialect::Smt27).unwrap().terms;
        assert_eq!(terms, [b"x".to_vec(), b"(str.len x)".to_vec()]);
        let text = "(declare-fun f (Int) String)(assert (= (f 1) \"a\"))(check-sat)";
        assert_eq!(request(text, Dialect::Smt27), None);
        assert_eq!(request("(assert (= \"\" \"a\"))(check-sat)", Dialect::Smt27), None);
    }
}
