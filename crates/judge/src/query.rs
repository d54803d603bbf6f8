//! One query of a script as a script of its own: the declarations in scope, the active assertions,
//! one `check-sat`.
//!
//! Scopes are flattened: what a `pop` removed is left out. Assumptions of `check-sat-assuming`
//! become assertions. Options about output and about work that the query does not need are left
//! out, and so is all information except `:luthier-semantics`, without which the script would have
//! another meaning.

use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::source::Span;
use luthier_smtlib::{
    ActiveAssertion, Assertion, AssertionStack, AttributeValue, Command, CommandKind, Query,
    Script, SimpleCommand,
};
use luthier_terms::{SymbolId, Term, TermId, TermPool};

use crate::NoSuchQuery;

/// The parts of a script with one query.
pub(crate) struct QueryParts {
    /// The logic and the options.
    pub header: Vec<Command>,
    /// The declarations and definitions that are in scope, in order.
    pub declarations: Vec<Command>,
    /// The assertions and assumptions.
    pub query: Query,
}

/// Options that cause work that the query does not need, redirect the output, or have no meaning in a
/// script with one query.
const OPTIONS_LEFT_OUT: [&[u8]; 8] = [
    b":produce-unsat-cores",
    b":produce-unsat-assumptions",
    b":produce-proofs",
    b":produce-assignments",
    b":produce-interpolants",
    b":regular-output-channel",
    b":diagnostic-output-channel",
    b":global-declarations",
];

/// The query with this number, counted from 0.
pub(crate) fn query_at(script: &Script, index: usize) -> Result<Query, NoSuchQuery> {
    let mut queries = 0;
    for query in script.queries() {
        if queries == index {
            return Ok(query);
        }
        queries += 1;
    }
    Err(NoSuchQuery { queries })
}

impl QueryParts {
    /// The parts of the query with this number, counted from 0.
    pub fn of(pool: &TermPool, script: &Script, index: usize) -> Result<Self, NoSuchQuery> {
        let query = query_at(script, index)?;
        let mut header: Vec<Command> = Vec::new();
        let mut declarations: AssertionStack<Command> = AssertionStack::new();
        let mut global = false;
        let mut asked = 0;
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(_) => header.push(command.clone()),
                CommandKind::SetOption(option) => {
                    let keyword = pool.symbols().bytes_of(option.keyword);
                    if keyword == b":global-declarations" {
                        global = matches!(&option.value, AttributeValue::Other(v) if v == b"true");
                    }
                    if !OPTIONS_LEFT_OUT.contains(&keyword) {
                        header.push(command.clone());
                    }
                }
                CommandKind::Declare { .. }
                | CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::DefineSort(..) => declarations.add(command.clone()),
                CommandKind::Push(count) => declarations.push(*count),
                CommandKind::Pop(count) if global => declarations.pop_levels_only(*count),
                CommandKind::Pop(count) => declarations.pop(*count),
                CommandKind::ResetAssertions if global => declarations.pop_all_levels_only(),
                CommandKind::ResetAssertions => declarations.pop_all(),
                CommandKind::Reset => {
                    header.clear();
                    declarations.clear();
                    global = false;
                }
                CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                    if asked == index {
                        break;
                    }
                    asked += 1;
                }
                CommandKind::Simple(SimpleCommand::Exit) => break,
                CommandKind::SetInfo(_)
                | CommandKind::Assert(_)
                | CommandKind::GetValue(_)
                | CommandKind::Simplify(_)
                | CommandKind::GetInfo(_)
                | CommandKind::GetOption(_)
                | CommandKind::Echo(_)
                | CommandKind::Simple(_) => {}
            }
        }
        let meanings = script.commands.iter().filter(|command| {
            matches!(&command.kind, CommandKind::SetInfo(one)
                if Annotation::of(pool, one) == Some(Annotation::Semantics))
        });
        header.extend(meanings.cloned());
        Ok(QueryParts { header, declarations: declarations.into_items(), query })
    }

    /// The assertions, as commands.
    pub fn assertions(&self) -> impl Iterator<Item = Command> {
        self.query.assertions.iter().map(command_of)
    }

    /// A script of these parts: the assertions that satisfy `wanted`, all assumptions as assertions, then
    /// `extra` assertions, and one `check-sat`.
    pub fn script(self, wanted: impl Fn(&ActiveAssertion) -> bool, extra: &[TermId]) -> Script {
        let kept = self.query.assertions.iter().filter(|active| wanted(active)).map(command_of);
        let added = self.query.assumptions.iter().chain(extra).map(|&term| {
            command_without_source(CommandKind::Assert(Assertion {
                term,
                name: None,
                uses_let: false,
            }))
        });
        let mut commands = self.header;
        commands.extend(self.declarations);
        commands.extend(kept);
        commands.extend(added);
        commands.push(command_without_source(CommandKind::CheckSat));
        Script { commands }
    }
}

fn command_of(active: &ActiveAssertion) -> Command {
    Command { kind: CommandKind::Assert(active.assertion), span: active.span }
}

/// A command that has no position in a source.
pub(crate) fn command_without_source(kind: CommandKind) -> Command {
    Command { kind, span: Span::default() }
}

/// The names that a core of the query may contain: those of its assertions, and its assumptions that are
/// names.
pub(crate) fn names_of(pool: &TermPool, query: &Query) -> Vec<SymbolId> {
    let assertions = query.assertions.iter().filter_map(|active| active.assertion.name);
    let assumptions = query.assumptions.iter().filter_map(|&term| match pool.term(term) {
        Term::Apply(function, []) => Some(pool.function(function).name),
        Term::Named(name, _) => Some(name),
        _ => None,
    });
    assertions.chain(assumptions).collect()
}
