//! A formula prepared for a batch: its declarations apart from the rest.
//!
//! Solvers that keep declarations over `(reset-assertions)` get each declaration once, although
//! several formulas of the batch use it. That is possible only for formulas that are plain lists of
//! declarations and assertions. A formula with scopes, definitions, options or named terms is
//! *isolated*: its declarations stay in its body, and nothing of it is shared.
//!
//! Requests for output (`get-value`, `echo`, …) and `set-info` are left out. [`Scopes`] says how
//! many assertion levels must be closed after the formula.

use luthier_runner::releases::Quirks;
use luthier_smtlib::{
    Assertion, Command, CommandKind, Dialect, Note, PrintOptions, Printed, Script, print_script,
};
use luthier_terms::{PostOrder, Term, TermPool};

/// The query of most formulas, as it is printed.
const CHECK_SAT: &[u8] = b"(check-sat)\n";

/// A formula as it stands in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFormula {
    /// The logic that it names.
    pub logic: String,
    /// Each on a line of its own; they may be shared with other formulas. Empty if it is isolated.
    pub declarations: Vec<Declaration>,
    /// Everything else, `check-sat` last; with the declarations if it is isolated.
    pub body: Vec<u8>,
    /// Nothing of it may be shared with other formulas of the process: it has scopes, definitions,
    /// options or named terms of its own.
    pub is_isolated: bool,
    /// The assertion levels at its end.
    pub scopes: Scopes,
}

/// A command that declares a constant or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The declared symbol.
    pub name: Vec<u8>,
    /// The command, with a line feed at its end.
    pub line: Vec<u8>,
}

/// The assertion levels at the end of a script, relative to its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
    /// How many levels it opens and does not close.
    pub open: u32,
    /// It removes all levels, those around it included (`reset`, `reset-assertions`).
    pub leaves_all: bool,
}

impl Scopes {
    /// How many levels must be closed after the script if it stands inside one `push`.
    pub fn to_close(self) -> u32 {
        self.open + u32::from(!self.leaves_all)
    }
}

impl BatchFormula {
    /// One assertion without constants, and `check-sat`.
    pub fn assertion(logic: &str, assertion: &[u8]) -> Self {
        Self {
            logic: logic.to_owned(),
            declarations: Vec::new(),
            body: [b"(assert ", assertion, b")\n(check-sat)\n"].concat(),
            is_isolated: false,
            scopes: Scopes::default(),
        }
    }

    /// A script with one query for a solver of a dialect with these quirks; `spelling` may rewrite the
    /// printed text. Assertions keep their names only if `named`. `None` if the dialect cannot express
    /// the script, if its solvers give the text another meaning, or if the script has scopes and the
    /// solver does not.
    pub fn of_script(
        pool: &TermPool,
        script: &Script,
        named: bool,
        (dialect, quirks): (Dialect, &Quirks),
        spelling: &dyn Fn(Vec<u8>) -> Vec<u8>,
    ) -> Option<Self> {
        let print = |script: Script| {
            let printed = print_script(pool, &script, &PrintOptions::new(dialect)).ok()?;
            keeps_meaning(&printed).then(|| spelling(without_version(printed.bytes)))
        };
        let is_scope =
            |command: &Command| matches!(command.kind, CommandKind::Push(_) | CommandKind::Pop(_));
        if !quirks.scopes && script.commands.iter().any(is_scope) {
            return None;
        }
        let mut formula = Self::without_texts(pool, script);
        let mut commands = Vec::new();
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(_)
                | CommandKind::SetInfo(_)
                | CommandKind::Simple(_)
                | CommandKind::GetValue(_)
                | CommandKind::Simplify(_)
                | CommandKind::GetInfo(_)
                | CommandKind::GetOption(_)
                | CommandKind::Echo(_) => {}
                CommandKind::Declare { function, .. } if !formula.is_isolated => {
                    let line = print(Script { commands: vec![command.clone()] })?;
                    let name = pool.function(*function).name;
                    let name = pool.symbols().bytes_of(name).to_vec();
                    formula.declarations.push(Declaration { name, line });
                }
                CommandKind::Assert(assertion) if !named => {
                    let kind = CommandKind::Assert(Assertion { name: None, ..*assertion });
                    commands.push(Command { kind, span: command.span });
                }
                _ => commands.push(command.clone()),
            }
        }
        formula.body = print(Script { commands })?;
        Some(formula)
    }

    /// The formula with another command in the place of its `(check-sat)`; as it is if it ends otherwise.
    #[must_use]
    pub fn with_query(mut self, command: &str) -> Self {
        if let Some(body) = self.body.strip_suffix(CHECK_SAT) {
            self.body = [body, command.as_bytes(), b"\n"].concat();
        }
        self
    }

    /// Everything but the texts.
    fn without_texts(pool: &TermPool, script: &Script) -> Self {
        let mut formula = Self {
            logic: "ALL".to_owned(),
            declarations: Vec::new(),
            body: Vec::new(),
            is_isolated: false,
            scopes: Scopes::default(),
        };
        let mut roots = Vec::new();
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(logic) => {
                    formula.logic = pool.symbols().display(*logic).into_owned();
                }
                CommandKind::Assert(assertion) => roots.push(assertion.term),
                CommandKind::Push(count) => {
                    formula.scopes.open = formula.scopes.open.saturating_add(*count);
                    formula.is_isolated = true;
                }
                CommandKind::Pop(count) => {
                    formula.scopes.open = formula.scopes.open.saturating_sub(*count);
                    formula.is_isolated = true;
                }
                CommandKind::Reset | CommandKind::ResetAssertions => {
                    formula.scopes = Scopes { open: 0, leaves_all: true };
                    formula.is_isolated = true;
                }
                CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::DefineSort(..)
                | CommandKind::CheckSatAssuming(_)
                | CommandKind::SetOption(_) => formula.is_isolated = true,
                _ => {}
            }
        }
        let is_named = |part| matches!(pool.term(part), Term::Named(..));
        formula.is_isolated |= PostOrder::new(pool, roots).any(is_named);
        formula
    }
}

/// Whether solvers of the dialect give the text the same meaning. Some have 256 characters, or define
/// operators otherwise on empty strings, which is not an error of theirs.
pub fn keeps_meaning(printed: &Printed) -> bool {
    let differs = |note: &Note| matches!(note, Note::SmallAlphabet(_) | Note::EmptyString(_));
    !printed.notes.iter().any(differs)
}

/// The text without the `:smt-lib-version` at its beginning, which stands once in a batch.
fn without_version(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(b"(set-info :smt-lib-version ") {
        return bytes;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    bytes[end..].to_vec()
}

/// A script with another command in the place of its last `(check-sat)`; `None` if it has none.
pub fn script_with_query(script: &[u8], command: &str) -> Option<Vec<u8>> {
    // At the beginning of a line: line feeds within literals are printed as escapes.
    let lines: Vec<&[u8]> = script.split_inclusive(|byte| *byte == b'\n').collect();
    let place = lines.iter().rposition(|line| *line == CHECK_SAT)?;
    let (before, after) = (lines[..place].concat(), lines[place + 1..].concat());
    Some([&before[..], command.as_bytes(), b"\n", &after[..]].concat())
}
