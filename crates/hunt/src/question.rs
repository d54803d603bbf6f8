//! A formula, read once, and as each solver gets it.

use luthier_campaign::question::{Wanted, copy_of};
use luthier_generator::twins::{
    Names, names_of, wants_plain_backslashes, with_legacy_names, with_plain_backslashes,
};
use luthier_generator::{Expected, Formula};
use luthier_smtlib::{
    Assertion, Command, CommandKind, Dialect, Mode, Note, PrintOptions, Printed, ReadOptions,
    Script, print_script, read_script,
};
use luthier_terms::{PostOrder, Term, TermPool};

/// A formula, read and understood.
pub(crate) struct Question {
    pub formula: Formula,
    pub pool: TermPool,
    pub script: Script,
    /// The logic that it names.
    logic: String,
    /// It has no constants and no quantifiers, so that evaluating decides it.
    pub is_ground: bool,
    /// Nothing of it may be shared with other formulas of a process: it has scopes, definitions or
    /// names of its own.
    is_involved: bool,
    scopes: Scopes,
}

/// How a script leaves the scopes that it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scopes {
    /// How many it opens and does not close.
    pub open: u32,
    /// It leaves all scopes around it.
    pub leaves_all: bool,
}

impl Scopes {
    /// How many scopes are to be closed behind the script if it stands in one.
    pub fn to_close(self) -> u32 {
        self.open + u32::from(!self.leaves_all)
    }
}

/// What a solver gets of a formula in a process with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub logic: String,
    /// Each on a line of its own, for the names in the same place.
    pub declarations: Vec<Declaration>,
    /// Everything else, `check-sat` last; with the declarations if it is involved.
    pub body: Vec<u8>,
    pub is_involved: bool,
    pub scopes: Scopes,
}

/// A line that declares a constant or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub name: Vec<u8>,
    pub line: Vec<u8>,
}

impl Question {
    /// Reads a formula. One that cannot be read, or does not ask exactly once, is a fault of
    /// whoever made it.
    pub fn read(formula: Formula) -> Result<Self, String> {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Generous };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        if let Some(error) = reading.errors().next() {
            return Err(format!("{} cannot be read: {}", formula.name, error.message));
        }
        let script = reading.script;
        let queries = script.queries().count();
        if queries != 1 {
            return Err(format!("{} has {queries} queries instead of one", formula.name));
        }
        let mut question = Self {
            formula,
            pool,
            script,
            logic: "ALL".to_owned(),
            is_ground: true,
            is_involved: false,
            scopes: Scopes::default(),
        };
        question.survey();
        Ok(question)
    }

    fn survey(&mut self) {
        let mut roots = Vec::new();
        for command in &self.script.commands {
            match &command.kind {
                CommandKind::SetLogic(logic) => {
                    self.logic = self.pool.symbols().display(*logic).into_owned();
                }
                CommandKind::Assert(assertion) => roots.push(assertion.term),
                CommandKind::Declare { .. } => self.is_ground = false,
                CommandKind::Push(count) => {
                    self.scopes.open = self.scopes.open.saturating_add(*count);
                    self.is_involved = true;
                }
                CommandKind::Pop(count) => {
                    self.scopes.open = self.scopes.open.saturating_sub(*count);
                    self.is_involved = true;
                }
                CommandKind::Reset | CommandKind::ResetAssertions => {
                    self.scopes = Scopes { open: 0, leaves_all: true };
                    self.is_involved = true;
                }
                CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::DefineSort(..)
                | CommandKind::CheckSatAssuming(_)
                | CommandKind::SetOption(_) => self.is_involved = true,
                _ => {}
            }
        }
        for part in PostOrder::new(&self.pool, roots) {
            match self.pool.term(part) {
                Term::Quantifier(_) => self.is_ground = false,
                Term::Named(..) => self.is_involved = true,
                _ => {}
            }
        }
        // Definitions may hide anything; what is involved is asked like everything else.
        self.is_ground &= !self.is_involved;
    }

    /// The formula for a process with others; `None` if the dialect has no words for it, or its
    /// solvers understand them otherwise.
    pub fn piece(&self, dialect: Dialect, named: bool) -> Option<Piece> {
        let mut declarations = Vec::new();
        let mut commands = Vec::new();
        for command in &self.script.commands {
            match &command.kind {
                CommandKind::SetLogic(_) | CommandKind::SetInfo(_) | CommandKind::Simple(_) => {}
                CommandKind::GetValue(_)
                | CommandKind::GetInfo(_)
                | CommandKind::GetOption(_)
                | CommandKind::Echo(_) => {}
                CommandKind::Declare { function, .. } if !self.is_involved => {
                    let line = self.print(vec![command.clone()], dialect)?;
                    let name = self.pool.function(*function).name;
                    let name = self.pool.symbols().bytes_of(name).to_vec();
                    declarations.push(Declaration { name, line });
                }
                CommandKind::Assert(assertion) if !named => {
                    let kind = CommandKind::Assert(Assertion { name: None, ..*assertion });
                    commands.push(Command { kind, span: command.span });
                }
                _ => commands.push(command.clone()),
            }
        }
        let body = self.print(commands, dialect)?;
        let logic = self.logic.clone();
        let Self { is_involved, scopes, .. } = *self;
        Some(Piece { logic, declarations, body, is_involved, scopes })
    }

    fn print(&self, commands: Vec<Command>, dialect: Dialect) -> Option<Vec<u8>> {
        let script = Script { commands };
        let printed = print_script(&self.pool, &script, &PrintOptions::new(dialect)).ok()?;
        means_the_same(&printed).then(|| self.as_it_asks(without_version(printed.bytes), dialect))
    }

    /// The formula for a process of its own, with requests for a model and perhaps a core, in the
    /// way of `luthier run`.
    pub fn alone(&mut self, dialect: Dialect, cores: bool, lines: &[String]) -> Option<Vec<u8>> {
        let wanted = Wanted { models: !cores, cores, lines };
        let copy = copy_of(&mut self.pool, &self.script, dialect, &wanted).ok()?;
        Some(self.as_it_asks(copy.bytes, dialect))
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
        let piece = question.piece(Dialect::Z3Legacy, false).unwrap();
        assert_eq!(piece.logic, "QF_SLIA");
        assert_eq!(piece.declarations[0].name, b"x");
        let line = String::from_utf8_lossy(&piece.declarations[0].line).into_owned();
        assert!(line.starts_with("(declare-") && line.ends_with('\n'), "{line}");
        let body = String::from_utf8(piece.body).unwrap();
        assert_eq!(body, "(assert (= (str.to.int x) 1))\n(check-sat)\n");
        let named = question.piece(Dialect::Smt27, true).unwrap();
        assert!(String::from_utf8(named.body).unwrap().contains(":named a"));
        assert!(!question.is_ground && !piece.is_involved);
    }

    #[test]
    fn scopes_and_definitions_are_kept_together() {
        let text = "(declare-const x String)(push 1)(assert (= x \"a\"))(pop 1)\
            (define-fun y () String x)(push 2)(assert (= y \"b\"))(check-sat)";
        let piece = question(text).piece(Dialect::Cvc5, false).unwrap();
        assert!(piece.is_involved && piece.declarations.is_empty());
        assert_eq!(piece.scopes.to_close(), 3);
        let body = String::from_utf8(piece.body).unwrap();
        assert!(body.contains("(push 1)") && body.contains("(declare-const x String)"), "{body}");
    }

    #[test]
    fn a_twin_with_old_names_is_asked_in_them() {
        let text = "(set-info :luthier-names legacy)(declare-const x String)\
            (assert (= (str.to_int x) 1))(check-sat)";
        let mut question = question(text);
        let piece = question.piece(Dialect::Z3, false).unwrap();
        assert!(String::from_utf8(piece.body).unwrap().contains("(str.to.int x)"));
        let alone = question.alone(Dialect::Z3, false, &[]).unwrap();
        assert!(String::from_utf8(alone).unwrap().contains("(str.to.int x)"));
    }

    #[test]
    fn what_a_dialect_cannot_say_has_no_piece() {
        let text = "(declare-const x String)(assert (= x \"\\u{10000}\"))(check-sat)";
        let question = question(text);
        assert!(question.piece(Dialect::Z3Legacy, false).is_none());
        assert!(question.piece(Dialect::Z3, false).is_some());
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
