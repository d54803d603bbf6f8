//! Variants by renaming of constants and functions: permuted names, names that need quoting, names
//! like those that solvers generate, names at the ends of the order.

use std::collections::BTreeMap;

use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{Definition, FunctionId, SymbolId, Term, TermId, TermPool};

use super::Variant;
use super::frame::{Edits, Frame};
use super::order::shuffle;
use super::rewrite::rebuild;
use crate::Dice;

/// Names that must be written with bars.
const QUOTED: [&str; 8] = ["a b", "(", ";", "x y z", "\"", "1", "str.len x", "assert"];

/// Names like those that solvers generate.
const INTERNAL: [&str; 6] = ["x!0", "k!0", "s!1", "sk_", "skolem~1", "seq.x!"];

/// Names that sort before or after most others.
const SORTED: [&str; 5] = ["A", "Z", "zzz", "~", "ZZ-9"];

/// Declared constants and functions get other names: those of others of their sort, or new ones.
pub(super) fn renamed(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let mut declared: Vec<FunctionId> = Vec::new();
    for command in &frame.script.commands {
        match &command.kind {
            CommandKind::Declare { function, .. } if !declared.contains(function) => {
                declared.push(*function);
            }
            // A recursive body refers to the function itself, so it cannot be rebuilt bottom-up.
            CommandKind::DefineRecursive(_) => return None,
            _ => {}
        }
    }
    let renamed = if dice.percent(30) { exchanged(pool, &declared, dice) } else { None };
    let renamed = match renamed {
        Some(renamed) => renamed,
        None => with_new_names(pool, frame, &declared, dice)?,
    };
    let mut renaming = Renaming { functions: renamed.clone(), memory: BTreeMap::new() };
    let mut edits = Edits::new();
    for (number, command) in frame.script.commands.iter().enumerate() {
        if let Some(kind) = renaming.command(pool, &command.kind)? {
            edits.insert(number, vec![kind]);
        }
    }
    Some(Variant { renamed, ..Variant::over_same_constants(frame.edited(edits)) })
}

/// Functions of the same signature exchange their names; `None` if there are no two.
fn exchanged(
    pool: &TermPool,
    declared: &[FunctionId],
    dice: &mut Dice,
) -> Option<BTreeMap<FunctionId, FunctionId>> {
    let mut renamed = BTreeMap::new();
    let mut left = declared.to_vec();
    while let Some(&one) = left.first() {
        let signature = |function: FunctionId| {
            let function = pool.function(function);
            (function.parameters.clone(), function.result)
        };
        let (alike, others): (Vec<_>, Vec<_>) =
            left.iter().partition(|&&function| signature(function) == signature(one));
        let mut names = alike.clone();
        shuffle(&mut names, dice);
        renamed.extend(alike.into_iter().zip(names));
        left = others;
    }
    renamed.retain(|old, new| old != new);
    (!renamed.is_empty()).then_some(renamed)
}

fn with_new_names(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    declared: &[FunctionId],
    dice: &mut Dice,
) -> Option<BTreeMap<FunctionId, FunctionId>> {
    if declared.is_empty() {
        return None;
    }
    let mut names = frame.names();
    let stems: &[&str] = dice.pick(&[&QUOTED[..], &INTERNAL[..], &SORTED[..]]);
    let mut renamed = BTreeMap::new();
    for &function in declared {
        let name: SymbolId = names.name(pool, dice.pick(stems))?;
        let (parameters, result) = {
            let function = pool.function(function);
            (function.parameters.clone(), function.result)
        };
        renamed.insert(function, pool.declare(name, parameters, result).ok()?);
    }
    Some(renamed)
}

struct Renaming {
    functions: BTreeMap<FunctionId, FunctionId>,
    memory: BTreeMap<TermId, TermId>,
}

impl Renaming {
    fn function(&self, function: FunctionId) -> FunctionId {
        self.functions.get(&function).copied().unwrap_or(function)
    }

    /// The command with other names; the inner `None` if it has no names of functions.
    fn command(&mut self, pool: &mut TermPool, kind: &CommandKind) -> Option<Option<CommandKind>> {
        Some(Some(match kind {
            CommandKind::Declare { function, constant } => {
                CommandKind::Declare { function: self.function(*function), constant: *constant }
            }
            CommandKind::Define { function, constant } => {
                let old = pool.function(*function);
                let name = old.name;
                let Some(Definition::Plain { variables, body }) = old.definition.clone() else {
                    return None;
                };
                let body = self.term(pool, body)?;
                let new = pool.define(name, variables, body).ok()?;
                if new != *function {
                    self.functions.insert(*function, new);
                }
                CommandKind::Define { function: new, constant: *constant }
            }
            CommandKind::Assert(assertion) => {
                let term = self.term(pool, assertion.term)?;
                CommandKind::Assert(Assertion { term, ..*assertion })
            }
            CommandKind::CheckSatAssuming(terms) => {
                CommandKind::CheckSatAssuming(self.terms(pool, terms)?)
            }
            CommandKind::GetValue(terms) => CommandKind::GetValue(self.terms(pool, terms)?),
            CommandKind::Simplify(term) => CommandKind::Simplify(self.term(pool, *term)?),
            _ => return Some(None),
        }))
    }

    fn terms(&mut self, pool: &mut TermPool, terms: &[TermId]) -> Option<Vec<TermId>> {
        terms.iter().map(|&term| self.term(pool, term)).collect()
    }

    fn term(&mut self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let Self { functions, memory } = self;
        // Patterns are not rewritten as subterms, but they must have the names of the body.
        rebuild(pool, term, memory, |pool, _, new| match pool.term(new) {
            Term::Quantifier(view) => {
                let (quantifier, body) = (view.quantifier, view.body);
                let variables = view.variables.to_vec();
                let mut patterns: Vec<Vec<TermId>> =
                    view.patterns().map(<[TermId]>::to_vec).collect();
                for part in patterns.iter_mut().flatten() {
                    let mut memory = BTreeMap::new();
                    *part = rebuild(pool, *part, &mut memory, |pool, _, new| {
                        applied(pool, functions, new)
                    })?;
                }
                pool.quantify(quantifier, &variables, body, &patterns).ok()
            }
            _ => applied(pool, functions, new),
        })
    }
}

/// An application with the function's new name.
fn applied(
    pool: &mut TermPool,
    functions: &BTreeMap<FunctionId, FunctionId>,
    term: TermId,
) -> Option<TermId> {
    match pool.term(term) {
        Term::Apply(function, arguments) => match functions.get(&function) {
            Some(&other) => {
                let arguments = arguments.to_vec();
                pool.apply(other, &arguments).ok()
            }
            None => Some(term),
        },
        _ => Some(term),
    }
}
