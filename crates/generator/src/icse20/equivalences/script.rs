//! The scripts of unsatisfiable formulas: an operation, its definition, and perhaps an added
//! equality.

use std::fmt::Write as _;

use luthier_smtlib::annotations::Annotation;

use super::{Equality, Equivalence, QUANTIFIER, Quantified, Variable};
use crate::formula::{Category, Expected, Formula};

/// The name of the assertion `(not A)`.
const OPERATION: &str = "operation";
/// The name of the assertion `B`.
const DEFINITION: &str = "definition";
/// The name of the clause that was added.
const EQUALITY: &str = "equality";

/// The parts of a formula.
pub(in crate::icse20) struct Parts<'a> {
    equivalence: &'a Equivalence,
    patterns: bool,
    /// Free variables: name and sort.
    pub(in crate::icse20) variables: Vec<(String, &'static str)>,
    /// The definition, without `(- 1)` yet.
    pub(in crate::icse20) definition: String,
    /// The added clause.
    pub(in crate::icse20) clause: Option<String>,
    /// Whether the contradiction needs the clause.
    pub(in crate::icse20) clause_in_core: bool,
}

impl<'a> Parts<'a> {
    /// The operation against its definition.
    pub(in crate::icse20) fn of(equivalence: &'a Equivalence, patterns: bool) -> Self {
        let definition = match &equivalence.quantified {
            None => equivalence.right.to_owned(),
            Some(quantified) => {
                let forall = Forall::of(quantified).text(patterns);
                substitute(equivalence.right, QUANTIFIER, &forall)
            }
        };
        Self {
            equivalence,
            patterns,
            variables: equivalence.shared.iter().chain(equivalence.existential).map(pair).collect(),
            definition,
            clause: None,
            clause_in_core: false,
        }
    }

    /// Adds free variables.
    pub(in crate::icse20) fn declare(
        &mut self,
        variables: impl IntoIterator<Item = (String, &'static str)>,
    ) {
        self.variables.extend(variables);
    }

    /// The operation and its definition, with an equality for a bound variable: all its occurrences become a
    /// new bound variable, which the equality relates to the old one.
    pub(in crate::icse20) fn with_bound(
        equivalence: &'a Equivalence,
        quantified: &Quantified,
        variable: &Variable,
        equality: &Equality,
        patterns: bool,
    ) -> Self {
        let clause = Clause::about(equality, variable.name);
        let mut forall = Forall::of(quantified);
        for text in [&mut forall.conclusion].into_iter().chain(&mut forall.premises) {
            *text = substitute(text, variable.name, &clause.fresh);
        }
        for pattern in &mut forall.patterns {
            *pattern = substitute(pattern, variable.name, &clause.fresh);
        }
        forall.premises.insert(0, clause.implication());
        forall.patterns.push(clause.term.clone());
        forall.bound.push((clause.fresh.clone(), variable.sort));
        forall.bound.extend(equality.others.iter().map(pair));
        let definition = substitute(equivalence.right, QUANTIFIER, &forall.text(patterns));
        Self { definition, ..Self::of(equivalence, patterns) }
    }

    /// The formula. Its name consists of the kind, the equivalence and the details.
    pub(in crate::icse20) fn formula(
        self,
        kind: &str,
        details: &str,
        category: Category,
        derivation: String,
    ) -> Formula {
        let Equivalence { id, operation, left, .. } = self.equivalence;
        let number = id.trim_start_matches('E');
        let patterns = if self.patterns { "-patterns" } else { "" };
        let mut core = vec![OPERATION.to_owned(), DEFINITION.to_owned()];
        if self.clause_in_core {
            core.push(EQUALITY.to_owned());
        }
        Formula {
            name: format!("{kind}-e{number:0>2}-{operation}{details}{patterns}"),
            category,
            operation,
            text: self.text(left, &core),
            expected: Expected::Unsat(core),
            derivation,
        }
    }

    fn text(&self, left: &str, core: &[String]) -> String {
        let mut asserted =
            vec![(OPERATION, format!("(not {left})")), (DEFINITION, self.definition.clone())];
        asserted.extend(self.clause.clone().map(|clause| (EQUALITY, clause)));
        // The logic without quantifiers has only linear arithmetic: no division by a variable.
        let is_linear = ["(div ", "(mod "].iter().all(|operator| {
            self.definition.split(operator).skip(1).all(|rest| {
                rest.split_once(')').is_some_and(|(operands, _)| operands.ends_with(" 10"))
            })
        });
        let is_quantified = self.definition.contains("(forall ");
        let logic = if is_linear && !is_quantified { "QF_SLIA" } else { "ALL" };
        let mut text = String::from("(set-info :smt-lib-version 2.6)\n");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "(set-logic {logic})");
        text.push_str(&Annotation::Expected.word_line("unsat"));
        text.push_str(&Annotation::Core.text_line(&core.join(" ")));
        for (name, sort) in &self.variables {
            let _ = writeln!(text, "(declare-fun {name} () {sort})");
        }
        for (name, term) in asserted {
            let term = substitute(&term, "-1", "(- 1)");
            let _ = writeln!(text, "(assert (! {term} :named {name}))");
        }
        text.push_str("(check-sat)\n");
        text
    }
}

/// An equality, instantiated for one variable or constant of a definition.
pub(in crate::icse20) struct Clause {
    /// The fresh variable for the variable or constant.
    pub(in crate::icse20) fresh: String,
    /// The term that is equal to the variable or constant.
    pub(in crate::icse20) term: String,
    condition: Option<String>,
}

impl Clause {
    /// An equality of NC1–NC8 about the variable, or of C1–C40 (then the name is that of nothing).
    pub(in crate::icse20) fn about(equality: &Equality, name: &str) -> Self {
        Self {
            fresh: format!("{name}_fresh"),
            term: substitute(equality.term, "x", name),
            condition: equality.condition.map(|condition| substitute(condition, "x", name)),
        }
    }

    /// An equality of NC1–NC8 about a term and the term itself; nothing is replaced by it.
    pub(in crate::icse20) fn about_term(equality: &Equality, term: &str) -> Self {
        Self { fresh: term.to_owned(), ..Self::about(equality, term) }
    }

    /// The equality and its condition.
    pub(in crate::icse20) fn conjunction(&self) -> String {
        let Self { fresh, term, condition } = self;
        match condition {
            None => format!("(= {term} {fresh})"),
            Some(condition) => format!("(and (= {term} {fresh}) {condition})"),
        }
    }

    /// The equality under its condition. As a premise under a quantifier this excludes nothing: every value
    /// of the fresh variable satisfies it with some values of the others.
    fn implication(&self) -> String {
        let Self { fresh, term, condition } = self;
        match condition {
            None => format!("(= {term} {fresh})"),
            Some(condition) => format!("(=> {condition} (= {term} {fresh}))"),
        }
    }
}

/// A quantified part of a definition, which can be modified.
struct Forall {
    bound: Vec<(String, &'static str)>,
    premises: Vec<String>,
    conclusion: String,
    patterns: Vec<String>,
}

impl Forall {
    fn of(quantified: &Quantified) -> Self {
        Self {
            bound: quantified.bound.iter().map(pair).collect(),
            premises: vec![quantified.premise.to_owned()],
            conclusion: quantified.conclusion.to_owned(),
            patterns: vec![quantified.pattern.to_owned()],
        }
    }

    fn text(&self, with_patterns: bool) -> String {
        let bound: Vec<String> =
            self.bound.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        let premise = match self.premises.as_slice() {
            [premise] => premise.clone(),
            premises => format!("(and {})", premises.join(" ")),
        };
        let mut body = format!("(=> {premise} {})", self.conclusion);
        if with_patterns {
            body = format!("(! {body} :pattern ({}))", self.patterns.join(" "));
        }
        format!("(forall ({}) {body})", bound.join(" "))
    }
}

fn pair(variable: &Variable) -> (String, &'static str) {
    (variable.name.to_owned(), variable.sort)
}

/// Whether a word occurs in a text. Words end at blanks and brackets; string literals with blanks
/// or brackets do not occur here.
pub(in crate::icse20) fn occurs(text: &str, word: &str) -> bool {
    text.split(is_separator).any(|other| other == word)
}

/// The text with all occurrences of a word replaced.
pub(in crate::icse20) fn substitute(text: &str, word: &str, by: &str) -> String {
    text.split_inclusive(is_separator)
        .map(|piece| {
            let bare = piece.trim_end_matches(is_separator);
            if bare == word { piece.replacen(word, by, 1) } else { piece.to_owned() }
        })
        .collect()
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')')
}
