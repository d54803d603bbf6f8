//! Candidates of a reduction and their order.
//!
//! A candidate replaces the present formula only if it costs less, so that every reduction ends. The cost
//! is lexicographic: nodes of terms first, then commands, the size of literals, the number of declared
//! functions, and assertion levels.

use luthier_judge::used_functions;
use luthier_semantics::Value;
use luthier_smtlib::{CommandKind, Script};
use luthier_terms::{CodePoint, FunctionId, PostOrder, Term, TermPool};

use crate::query::{nodes, roots};

/// How large a formula is, by what a reader must look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    pub nodes: u64,
    commands: usize,
    literals: u64,
    functions: usize,
    levels: u64,
}

/// A smaller formula to try.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub script: Script,
    pub cost: Cost,
    /// Whether it is unsatisfiable if the present formula is: constants are replaced by terms, or
    /// formulas by stronger ones.
    pub keeps_unsat: bool,
    /// The value of a constant that the present formula does not have.
    pub fresh: Option<(FunctionId, Value)>,
}

impl Candidate {
    pub fn new(pool: &TermPool, script: Script, keeps_unsat: bool) -> Self {
        let cost = Cost::of(pool, &script);
        Self { script, cost, keeps_unsat, fresh: None }
    }
}

impl Cost {
    pub fn of(pool: &TermPool, script: &Script) -> Self {
        let roots = roots(script);
        let functions = used_functions(pool, &roots).len();
        let is_counted = |kind: &CommandKind| !matches!(kind, CommandKind::Declare { .. });
        let commands = script.commands.iter().filter(|one| is_counted(&one.kind)).count();
        let literals = PostOrder::new(pool, roots)
            .map(|term| match pool.term(term) {
                Term::String(text) => text.iter().map(|&one| 4 + strangeness(one)).sum(),
                Term::Integer(number) => number.bits(),
                _ => 0,
            })
            .sum();
        let levels = script.commands.iter().map(|one| match one.kind {
            CommandKind::Push(count) => u64::from(count),
            _ => 0,
        });
        let (nodes, levels) = (nodes(pool, script), levels.sum());
        Self { nodes, commands, literals, functions, levels }
    }
}

/// How much a character distracts a reader.
fn strangeness(character: CodePoint) -> u64 {
    match u8::try_from(character.code()) {
        Ok(b'a') => 0,
        Ok(b'b') => 1,
        Ok(b'0'..=b'9' | b'a'..=b'z') => 2,
        Ok(b' '..=b'~') => 3,
        _ => 4,
    }
}
