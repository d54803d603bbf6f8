//! Scripts: commands over the terms of a pool, and the queries in them.
//!
//! A query is one `check-sat` or `check-sat-assuming` with the assertions that are active there by the
//! assertion stack. A script without any, but with assertions, has one query at its end.

use luthier_terms::{FunctionId, Sort, SymbolId, TermId, TermPool};
use rustc_hash::FxHashSet;

use crate::dialect::detect::Detection;
use crate::source::Span;
use crate::stack::AssertionStack;

/// A sequence of commands.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The commands, in order.
    pub commands: Vec<Command>,
}

/// A command and where it stands.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its kind and arguments.
    pub kind: CommandKind,
    /// Where it stands in the source; empty if it was made, not read.
    pub span: Span,
}

/// The kinds of commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// `(set-logic L)`
    SetLogic(SymbolId),
    /// `(set-info :k v)`
    SetInfo(Attribute),
    /// `(set-option :k v)`
    SetOption(Attribute),
    /// `(declare-fun f (…) s)` or `(declare-const c s)`
    Declare {
        /// What is declared.
        function: FunctionId,
        /// Written as `declare-const`.
        constant: bool,
    },
    /// `(define-fun f (…) s t)` or `(define-const c s t)`
    Define {
        /// What is defined.
        function: FunctionId,
        /// Written as `define-const`.
        constant: bool,
    },
    /// `(define-fun-rec …)`, or `(define-funs-rec …)` for more than one.
    DefineRecursive(Vec<FunctionId>),
    /// `(define-sort s () t)`, an abbreviation.
    DefineSort(SymbolId, Sort),
    /// `(assert t)`
    Assert(Assertion),
    /// `(check-sat)`
    CheckSat,
    /// `(check-sat-assuming (…))`
    CheckSatAssuming(Vec<TermId>),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// `(reset)`
    Reset,
    /// `(reset-assertions)`
    ResetAssertions,
    /// `(get-value (…))`
    GetValue(Vec<TermId>),
    /// `(simplify t)`, which is no command of the standard
    Simplify(TermId),
    /// `(get-info :k)`
    GetInfo(SymbolId),
    /// `(get-option :k)`
    GetOption(SymbolId),
    /// `(echo "…")`, the text without the quotation marks
    Echo(Vec<u8>),
    /// A command without arguments.
    Simple(SimpleCommand),
}

/// Commands without arguments that only request output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimpleCommand {
    /// `(get-model)`
    GetModel,
    /// `(get-unsat-core)`
    GetUnsatCore,
    /// `(get-unsat-assumptions)`
    GetUnsatAssumptions,
    /// `(get-assertions)`
    GetAssertions,
    /// `(get-assignment)`
    GetAssignment,
    /// `(get-proof)`
    GetProof,
    /// `(exit)`
    Exit,
}

impl SimpleCommand {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::GetModel,
        Self::GetUnsatCore,
        Self::GetUnsatAssumptions,
        Self::GetAssertions,
        Self::GetAssignment,
        Self::GetProof,
        Self::Exit,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GetModel => "get-model",
            Self::GetUnsatCore => "get-unsat-core",
            Self::GetUnsatAssumptions => "get-unsat-assumptions",
            Self::GetAssertions => "get-assertions",
            Self::GetAssignment => "get-assignment",
            Self::GetProof => "get-proof",
            Self::Exit => "exit",
        }
    }
}

/// An asserted formula.
#[derive(Clone, Copy, Debug)]
pub struct Assertion {
    /// The formula.
    pub term: TermId,
    /// Its `:named` name.
    pub name: Option<SymbolId>,
    /// The source used `let`, so a printer may use it too.
    pub uses_let: bool,
}

/// Ignores `uses_let`, which is not part of the meaning.
impl PartialEq for Assertion {
    fn eq(&self, other: &Self) -> bool {
        (self.term, self.name) == (other.term, other.name)
    }
}

impl Eq for Assertion {}

/// A keyword with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The keyword, with its colon.
    pub keyword: SymbolId,
    /// The value.
    pub value: AttributeValue,
}

impl AttributeValue {
    /// Whether it is the word `true`.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Other(text) if text == b"true")
    }
}

/// The value of an attribute; it is not a term and is kept as it was written, but for white space
/// and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// Nothing.
    None,
    /// A string literal, without the outer quotation marks and with inner ones single.
    String(Vec<u8>),
    /// Anything else. String literals inside a list are quoted as in the standard.
    Other(Vec<u8>),
}

impl Script {
    /// The declared constants and functions that a model must give a meaning, in order, as they
    /// are in scope at the end of the script.
    pub fn declared(&self, pool: &TermPool) -> Vec<FunctionId> {
        let mut functions: AssertionStack<FunctionId> = AssertionStack::new();
        let mut global = false;
        for command in &self.commands {
            match &command.kind {
                CommandKind::Declare { function, .. } => functions.add(*function),
                CommandKind::SetOption(option)
                    if pool.symbols().bytes_of(option.keyword) == b":global-declarations" =>
                {
                    global = option.value.is_true();
                }
                CommandKind::Push(count) => functions.push(*count),
                CommandKind::Pop(count) if global => functions.pop_levels_only(*count),
                CommandKind::Pop(count) => functions.pop(*count),
                CommandKind::ResetAssertions if global => functions.pop_all_levels_only(),
                CommandKind::ResetAssertions => functions.pop_all(),
                CommandKind::Reset => {
                    functions.clear();
                    global = false;
                }
                _ => {}
            }
        }
        let mut functions = functions.into_items();
        let mut seen = FxHashSet::default();
        functions.retain(|&function| seen.insert(function));
        functions
    }

    /// The queries of the script: for each `check-sat` and `check-sat-assuming`, what must hold.
    /// A script without any, but with assertions, has one query at its end.
    pub fn queries(&self) -> Queries<'_> {
        Queries {
            commands: self.commands.iter(),
            active: AssertionStack::new(),
            asserted: 0,
            asked: false,
        }
    }

    /// The value of a `set-info`, the last one if it is set more than once.
    pub fn info(&self, pool: &TermPool, keyword: &str) -> Option<&AttributeValue> {
        self.commands.iter().rev().find_map(|command| match &command.kind {
            CommandKind::SetInfo(attribute)
                if pool.symbols().bytes_of(attribute.keyword) == keyword.as_bytes() =>
            {
                Some(&attribute.value)
            }
            _ => None,
        })
    }
}

/// One `check-sat` or `check-sat-assuming`.
#[derive(Clone, Debug)]
pub struct Query {
    /// The assertions that hold at this point.
    pub assertions: Vec<ActiveAssertion>,
    /// The assumptions of `check-sat-assuming`.
    pub assumptions: Vec<TermId>,
}

/// The queries of a script, one after the other.
pub struct Queries<'a> {
    commands: std::slice::Iter<'a, Command>,
    active: AssertionStack<ActiveAssertion>,
    asserted: usize,
    asked: bool,
}

impl Iterator for Queries<'_> {
    type Item = Query;

    fn next(&mut self) -> Option<Query> {
        while let Some(command) = self.commands.next() {
            match &command.kind {
                CommandKind::Assert(assertion) => {
                    self.asserted += 1;
                    self.active.add(ActiveAssertion {
                        number: self.asserted,
                        assertion: *assertion,
                        span: command.span,
                    });
                }
                CommandKind::Push(count) => self.active.push(*count),
                CommandKind::Pop(count) => self.active.pop(*count),
                CommandKind::Reset | CommandKind::ResetAssertions => self.active.clear(),
                CommandKind::CheckSat => return Some(self.query(&[])),
                CommandKind::CheckSatAssuming(assumptions) => {
                    return Some(self.query(assumptions));
                }
                CommandKind::Simple(SimpleCommand::Exit) => {
                    self.commands = [].iter();
                }
                _ => {}
            }
        }
        // A script without check-sat still has assertions that a model must satisfy.
        (!self.asked && !self.active.items().is_empty()).then(|| self.query(&[]))
    }
}

impl Queries<'_> {
    fn query(&mut self, assumptions: &[TermId]) -> Query {
        self.asked = true;
        Query { assertions: self.active.items().to_vec(), assumptions: assumptions.to_vec() }
    }
}

/// An assertion that holds at a query.
#[derive(Clone, Copy, Debug)]
pub struct ActiveAssertion {
    /// Its number among all assertions of the script, from 1.
    pub number: usize,
    /// The assertion.
    pub assertion: Assertion,
    /// Where it stands.
    pub span: Span,
}

/// A parsed script with its dialect and diagnostics.
#[derive(Debug)]
pub struct ParsedScript {
    /// The commands that could be read.
    pub script: Script,
    /// The dialect it was read in, and why.
    pub detection: Detection,
    /// All diagnostics, in order of position.
    pub diagnostics: Vec<crate::Diagnostic>,
}

impl ParsedScript {
    /// Whether the text was read without an error.
    pub fn is_accepted(&self) -> bool {
        self.errors().next().is_none()
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &crate::Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == crate::Severity::Error)
    }
}
