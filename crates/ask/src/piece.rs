//! A formula that shares a process with others.

use luthier_runner::releases::Quirks;
use luthier_smtlib::{Assertion, Command, CommandKind, Script};
use luthier_terms::{PostOrder, Term, TermPool};

/// What a solver gets of a formula in a process with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The logic that it names.
    pub logic: String,
    /// Each on a line of its own; they may be shared with other formulas.
    pub declarations: Vec<Declaration>,
    /// Everything else, `check-sat` last; with the declarations if it is involved.
    pub body: Vec<u8>,
    /// Nothing of it may be shared with other formulas of a process: it has scopes, definitions or
    /// names of its own.
    pub is_involved: bool,
    /// How it leaves the scopes that it stands in.
    pub scopes: Scopes,
}

/// A line that declares a constant or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it declares.
    pub name: Vec<u8>,
    /// The line, with its end.
    pub line: Vec<u8>,
}

/// How a script leaves the scopes that it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
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

impl Piece {
    /// Asks whether an assertion without constants has a model.
    pub fn assertion(logic: &str, assertion: &[u8]) -> Self {
        Self {
            logic: logic.to_owned(),
            declarations: Vec::new(),
            body: [b"(assert ", assertion, b")\n(check-sat)\n"].concat(),
            is_involved: false,
            scopes: Scopes::default(),
        }
    }

    /// A script with one query for a solver with these quirks, printed by `print`, which gives
    /// `None` for what its dialect cannot express. Assertions keep their names only if they are
    /// `named`.
    pub fn of_script(
        pool: &TermPool,
        script: &Script,
        named: bool,
        quirks: &Quirks,
        print: &dyn Fn(Script) -> Option<Vec<u8>>,
    ) -> Option<Self> {
        let is_scope =
            |command: &Command| matches!(command.kind, CommandKind::Push(_) | CommandKind::Pop(_));
        if !quirks.scopes && script.commands.iter().any(is_scope) {
            return None;
        }
        let mut piece = Self::survey(pool, script);
        let mut commands = Vec::new();
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(_)
                | CommandKind::SetInfo(_)
                | CommandKind::Simple(_)
                | CommandKind::GetValue(_)
                | CommandKind::GetInfo(_)
                | CommandKind::GetOption(_)
                | CommandKind::Echo(_) => {}
                CommandKind::Declare { function, .. } if !piece.is_involved => {
                    let line = print(Script { commands: vec![command.clone()] })?;
                    let name = pool.function(*function).name;
                    let name = pool.symbols().bytes_of(name).to_vec();
                    piece.declarations.push(Declaration { name, line });
                }
                CommandKind::Assert(assertion) if !named => {
                    let kind = CommandKind::Assert(Assertion { name: None, ..*assertion });
                    commands.push(Command { kind, span: command.span });
                }
                _ => commands.push(command.clone()),
            }
        }
        piece.body = print(Script { commands })?;
        Some(piece)
    }

    /// Everything but the texts.
    fn survey(pool: &TermPool, script: &Script) -> Self {
        let mut piece = Self {
            logic: "ALL".to_owned(),
            declarations: Vec::new(),
            body: Vec::new(),
            is_involved: false,
            scopes: Scopes::default(),
        };
        let mut roots = Vec::new();
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(logic) => {
                    piece.logic = pool.symbols().display(*logic).into_owned();
                }
                CommandKind::Assert(assertion) => roots.push(assertion.term),
                CommandKind::Push(count) => {
                    piece.scopes.open = piece.scopes.open.saturating_add(*count);
                    piece.is_involved = true;
                }
                CommandKind::Pop(count) => {
                    piece.scopes.open = piece.scopes.open.saturating_sub(*count);
                    piece.is_involved = true;
                }
                CommandKind::Reset | CommandKind::ResetAssertions => {
                    piece.scopes = Scopes { open: 0, leaves_all: true };
                    piece.is_involved = true;
                }
                CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::DefineSort(..)
                | CommandKind::CheckSatAssuming(_)
                | CommandKind::SetOption(_) => piece.is_involved = true,
                _ => {}
            }
        }
        let is_named = |part| matches!(pool.term(part), Term::Named(..));
        piece.is_involved |= PostOrder::new(pool, roots).any(is_named);
        piece
    }
}
