//! A formula, read once, and as each solver gets it.

use luthier_ask::{CannotAsk, Mode, Piece, Quirks, Solver, Wanted, copy_of};
use luthier_generator::variants::{
    Names, names_of, wants_plain_backslashes, with_legacy_names, with_plain_backslashes,
};
use luthier_generator::{Expected, Formula};
use luthier_smtlib::{
    CommandKind, Dialect, Mode as ReadMode, Note, PrintOptions, Printed, ReadOptions, Script,
    print_script, read_script,
};
use luthier_terms::{PostOrder, Term, TermPool};

/// A formula, read and understood.
pub(crate) struct Question {
    pub formula: Formula,
    pub pool: TermPool,
    pub script: Script,
    /// It has no constants and no quantifiers, so that evaluating decides it.
    pub is_ground: bool,
}

impl Question {
    /// Reads a formula. One that cannot be read, or does not ask exactly once, is a fault of
    /// whoever made it.
    pub fn read(formula: Formula) -> Result<Self, String> {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: ReadMode::Generous };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        if let Some(error) = reading.errors().next() {
            return Err(format!("{} cannot be read: {}", formula.name, error.message));
        }
        let script = reading.script;
        let queries = script.queries().count();
        if queries != 1 {
            return Err(format!("{} has {queries} queries instead of one", formula.name));
        }
        let is_ground = is_ground(&pool, &script);
        Ok(Self { formula, pool, script, is_ground })
    }

    /// The formula for a process with others; `None` if the dialect cannot express it, or its
    /// solvers understand it otherwise.
    pub fn piece(&self, solver: &Solver, named: bool) -> Option<Piece> {
        self.piece_in(solver.dialect, &solver.quirks, named)
    }

    fn piece_in(&self, dialect: Dialect, quirks: &Quirks, named: bool) -> Option<Piece> {
        let print = |script: Script| {
            let printed = print_script(&self.pool, &script, &PrintOptions::new(dialect)).ok()?;
            let same = means_the_same(&printed);
            same.then(|| self.as_it_asks(without_version(printed.bytes), dialect))
        };
        Piece::of_script(&self.pool, &self.script, named, quirks, &print)
    }

    /// The formula for a process of its own, with requests for a model or a core, in the way of
    /// `luthier run`.
    pub fn alone(&mut self, solver: &Solver, mode: Mode) -> Result<Vec<u8>, CannotAsk> {
        let lines = solver.lines(mode);
        let wanted = Wanted { models: !mode.cores, cores: mode.cores, lines: &lines };
        let (dialect, quirks) = (solver.dialect, &solver.quirks);
        let copy = copy_of(&mut self.pool, &self.script, dialect, quirks, &wanted)?;
        Ok(self.as_it_asks(copy.bytes, dialect))
    }

    /// A copy in the names and with the backslashes that the formula asks for.
    fn as_it_asks(&self, mut bytes: Vec<u8>, dialect: Dialect) -> Vec<u8> {
        if names_of(&self.pool, &self.script) == Names::Legacy {
            bytes = with_legacy_names(&bytes, dialect);
        }
        if wants_plain_backslashes(&self.pool, &self.script) {
            bytes = with_plain_backslashes(&bytes, dialect);
        }
        bytes
    }

    /// What is planted says that it is satisfiable.
    pub fn is_planted_sat(&self) -> bool {
        matches!(self.formula.expected, Expected::Sat(_))
    }

    /// The only minimal core, if one is planted.
    pub fn planted_core(&self) -> Option<&[String]> {
        match &self.formula.expected {
            Expected::Unsat(core) if !core.is_empty() => Some(core),
            _ => None,
        }
    }
}

/// Whether there is nothing to solve. Definitions and scopes may hide anything.
fn is_ground(pool: &TermPool, script: &Script) -> bool {
    let mut roots = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::Assert(assertion) => roots.push(assertion.term),
            CommandKind::SetLogic(_)
            | CommandKind::SetInfo(_)
            | CommandKind::CheckSat
            | CommandKind::Simple(_)
            | CommandKind::GetValue(_)
            | CommandKind::GetInfo(_)
            | CommandKind::GetOption(_)
            | CommandKind::Echo(_) => {}
            _ => return false,
        }
    }
    let is_open = |part| matches!(pool.term(part), Term::Quantifier(_) | Term::Named(..));
    !PostOrder::new(pool, roots).any(is_open)
}

/// Whether solvers of the dialect understand the text as it is meant. Some knew 256 characters, or
/// defined operators otherwise on empty strings; they are not to be blamed for that.
fn means_the_same(printed: &Printed) -> bool {
    let differs = |note: &Note| matches!(note, Note::SmallAlphabet(_) | Note::EmptyString(_));
    !printed.notes.iter().any(differs)
}

/// A text says at its beginning in which version it is written; a piece does not need to.
fn without_version(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(b"(set-info :smt-lib-version ") {
        return bytes;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    bytes[end..].to_vec()
}

#[cfg(test)]
pub(crate) mod tests {
    use luthier_generator::Category;

    use super::*;

    pub(crate) fn formula(name: &str, expected: Expected, text: &str) -> Formula {
        Formula {
            name: name.to_owned(),
            category: Category::Planted,
            operation: "str.len",
            expected,
            derivation: "by hand".to_owned(),
            text: text.to_owned(),
        }
    }

    fn question(text: &str) -> Question {
        Question::read(formula("f", Expected::Open, text)).unwrap()
    }

    #[test]
    fn a_piece_has_its_declarations_apart_and_names_only_for_cores() {
        let text = "(set-info :smt-lib-version 2.7)(set-logic QF_SLIA)(declare-const x String)\
            (assert (! (= (str.to_int x) 1) :named a))(check-sat)(get-model)";
        let question = question(text);
        let piece = question.piece_in(Dialect::Z3Legacy, &Quirks::default(), false).unwrap();
        assert_eq!(piece.logic, "QF_SLIA");
        assert_eq!(piece.declarations[0].name, b"x");
        let line = String::from_utf8_lossy(&piece.declarations[0].line).into_owned();
        assert!(line.starts_with("(declare-") && line.ends_with('\n'), "{line}");
        let body = String::from_utf8(piece.body).unwrap();
        assert_eq!(body, "(assert (= (str.to.int x) 1))\n(check-sat)\n");
        let named = question.piece_in(Dialect::Smt27, &Quirks::default(), true).unwrap();
        assert!(String::from_utf8(named.body).unwrap().contains(":named a"));
        assert!(!question.is_ground && !piece.is_involved);
    }

    #[test]
    fn scopes_and_definitions_are_kept_together() {
        let text = "(declare-const x String)(push 1)(assert (= x \"a\"))(pop 1)\
            (define-fun y () String x)(push 2)(assert (= y \"b\"))(check-sat)";
        let piece = question(text).piece_in(Dialect::Cvc5, &Quirks::default(), false).unwrap();
        assert!(piece.is_involved && piece.declarations.is_empty());
        assert_eq!(piece.scopes.to_close(), 3);
        let body = String::from_utf8(piece.body).unwrap();
        assert!(body.contains("(push 1)") && body.contains("(declare-const x String)"), "{body}");
    }

    #[test]
    fn a_variant_with_old_names_is_asked_in_them() {
        let text = "(set-info :luthier-names legacy)(declare-const x String)\
            (assert (= (str.to_int x) 1))(check-sat)";
        let piece = question(text).piece_in(Dialect::Z3, &Quirks::default(), false).unwrap();
        assert!(String::from_utf8(piece.body).unwrap().contains("(str.to.int x)"));
    }

    #[test]
    fn what_a_dialect_cannot_say_has_no_piece() {
        let text = "(declare-const x String)(assert (= x \"\\u{10000}\"))(check-sat)";
        let question = question(text);
        assert!(question.piece_in(Dialect::Z3Legacy, &Quirks::default(), false).is_none());
        assert!(question.piece_in(Dialect::Z3, &Quirks::default(), false).is_some());
    }

    #[test]
    fn only_formulas_without_constants_are_ground() {
        assert!(question("(assert (= (str.len \"a\") 1))(check-sat)").is_ground);
        assert!(!question("(assert (exists ((x Int)) (= x 1)))(check-sat)").is_ground);
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_a_fault_of_its_maker() {
        let wrong = formula("f", Expected::Open, "(assert (= x 1))(check-sat)");
        assert!(Question::read(wrong).is_err_and(|message| message.contains("f cannot be read")));
        let twice = formula("f", Expected::Open, "(check-sat)(check-sat)");
        assert!(Question::read(twice).is_err_and(|message| message.contains("2 queries")));
    }
}
