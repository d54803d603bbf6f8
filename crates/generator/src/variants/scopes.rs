//! Variants for incremental solving: assertions distributed over scopes, after other assertions
//! that are popped again. The popped assertions often contradict the others, so that a solver that
//! does not remove them completely answers wrongly.

use luthier_semantics::Value;
use luthier_smtlib::CommandKind;
use luthier_terms::{FunctionId, Op, Sort, TermId, TermPool};

use super::Variant;
use super::frame::{Edits, Frame, FreshNames, plain};
use super::rewrite::not;
use crate::Dice;

/// The largest depth of popped scopes.
const DEEPEST: usize = 3;

/// `(assert A) (assert B) (check-sat) ⇒ (push 1) (assert (not A)) (pop 1) (assert A) (push 1)
/// (assert B) (check-sat)`, for example.
pub(super) fn scopes(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    if !frame.is_flat {
        return None;
    }
    let mut popped = PoppedAssertions::new(pool, frame);
    let mut edits = Edits::new();
    for (position, &(number, _)) in frame.active.iter().enumerate() {
        let mut before = Vec::new();
        // The first assertion always comes after a popped scope.
        if position == 0 || dice.percent(35) {
            popped.block(pool, dice, position, &mut before)?;
        }
        if dice.percent(45) {
            before.push(CommandKind::Push(dice.pick(&[1, 1, 1, 2])));
        }
        edits.insert(number, frame.preceded(number, before));
    }
    if dice.percent(50) {
        let mut before = Vec::new();
        popped.block(pool, dice, frame.active.len(), &mut before)?;
        edits.insert(frame.query, frame.preceded(frame.query, before));
    }
    Some(Variant::over_same_constants(frame.edited(edits)))
}

/// Assertions that are popped again.
struct PoppedAssertions {
    terms: Vec<TermId>,
    /// Whether everything is declared before the first assertion, so that all symbols can be used
    /// anywhere.
    declared_first: bool,
    constants: Vec<FunctionId>,
    names: FreshNames,
    /// Whether a declaration is removed with its scope.
    declarations_are_scoped: bool,
}

impl PoppedAssertions {
    fn new(pool: &TermPool, frame: &Frame<'_>) -> Self {
        let first = frame.active.first().map_or(frame.query, |&(number, _)| number);
        let declares = |kind: &CommandKind| {
            matches!(
                kind,
                CommandKind::Declare { .. }
                    | CommandKind::Define { .. }
                    | CommandKind::DefineRecursive(_)
            )
        };
        let declared_first = !frame.script.commands[first..frame.query]
            .iter()
            .any(|command| declares(&command.kind));
        let declarations_are_scoped = !frame.script.commands.iter().any(|command| {
            matches!(&command.kind, CommandKind::SetOption(option)
                if pool.symbols().bytes_of(option.keyword) == b":global-declarations")
        });
        let constants = if declared_first { frame.constants(pool) } else { Vec::new() };
        let (terms, names) = (frame.terms(), frame.names());
        Self { terms, declared_first, constants, names, declarations_are_scoped }
    }

    /// A scope with assertions and possibly inner scopes, which is popped again.
    fn block(
        &mut self,
        pool: &mut TermPool,
        dice: &mut Dice,
        position: usize,
        commands: &mut Vec<CommandKind>,
    ) -> Option<()> {
        let mut open = Vec::new();
        for _ in 0..1 + dice.below(DEEPEST) {
            let levels = dice.pick(&[1, 1, 2]);
            commands.push(CommandKind::Push(levels));
            open.push(levels);
            for _ in 0..1 + dice.below(2) {
                self.assertion(pool, dice, position, commands)?;
            }
        }
        if dice.percent(50) {
            commands.push(CommandKind::Pop(open.iter().sum()));
            return Some(());
        }
        while let Some(levels) = open.pop() {
            commands.push(CommandKind::Pop(levels));
            if !open.is_empty() && dice.percent(30) {
                self.assertion(pool, dice, position, commands)?;
            }
        }
        Some(())
    }

    /// An assertion to be popped: the negation of an assertion, an assertion itself, a value for a constant,
    /// `false`, or an assertion about a constant that is popped too.
    fn assertion(
        &mut self,
        pool: &mut TermPool,
        dice: &mut Dice,
        position: usize,
        commands: &mut Vec<CommandKind>,
    ) -> Option<()> {
        let known = if self.declared_first { self.terms.len() } else { position };
        let known = &self.terms[..known];
        let term = match dice.below(6) {
            0 | 1 if !known.is_empty() => {
                let term = dice.pick(known);
                not(pool, term)?
            }
            2 if !known.is_empty() => dice.pick(known),
            3 | 4 if !self.constants.is_empty() => {
                let function = dice.pick(&self.constants);
                let sort = pool.function(function).result;
                let constant = pool.apply(function, &[]).ok()?;
                about(pool, constant, sort, dice)?
            }
            5 if self.declarations_are_scoped => {
                let sort = dice.pick(&[Sort::String, Sort::Int, Sort::Bool]);
                let (function, constant) = self.names.fresh_constant(pool, "forgotten", sort)?;
                commands.push(CommandKind::Declare { function, constant: true });
                about(pool, constant, sort, dice)?
            }
            _ => pool.bool(false).ok()?,
        };
        commands.push(plain(term));
        Some(())
    }
}

/// An assertion about a constant: it has the default value, it is in the empty language, or it differs from
/// itself.
fn about(pool: &mut TermPool, constant: TermId, sort: Sort, dice: &mut Dice) -> Option<TermId> {
    match (sort, dice.below(3)) {
        (Sort::String, 0) => {
            let none = pool.op(Op::ReNone, &[]).ok()?;
            pool.op(Op::StrInRe, &[constant, none]).ok()
        }
        (Sort::Bool | Sort::Int | Sort::String, 0 | 1) => {
            let value = Value::default_of(sort).to_term(pool).ok()?;
            pool.op(Op::Eq, &[constant, value]).ok()
        }
        _ => pool.op(Op::Distinct, &[constant, constant]).ok(),
    }
}
