//! Steps on commands and assertions: drop them, flatten scopes, split conjunctions.

use luthier_smtlib::{Assertion, CommandKind, Script};
use luthier_terms::{Op, Term, TermId, TermPool};

use super::State;
use super::candidate::Candidate;
use crate::query::{command, flattened, with_declarations};

/// The last query alone, with definitions inlined and without scopes.
pub(super) fn flatten(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let named = state.keeps_names;
    let flat = flattened(pool, &state.script, named);
    flat.into_iter().map(|script| Candidate::new(pool, script, true)).collect()
}

/// Runs of assertions dropped, from halves to single ones.
pub(super) fn drop_assertions(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let places = assertion_places(&state.script);
    let mut candidates = Vec::new();
    let mut run = places.len() / 2;
    while run >= 1 {
        for start in (0..places.len()).step_by(run) {
            let dropped = &places[start..(start + run).min(places.len())];
            if dropped.len() < places.len() {
                candidates.push(without(pool, &state.script, dropped));
            }
        }
        run /= 2;
    }
    candidates
}

/// Single commands dropped: options, information, earlier queries, scopes with their ends.
pub(super) fn drop_commands(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let commands = &state.script.commands;
    let mut candidates = Vec::new();
    let is_query = |kind: &CommandKind| {
        matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_))
    };
    let last = commands.iter().rposition(|one| is_query(&one.kind));
    for (place, one) in commands.iter().enumerate() {
        match &one.kind {
            CommandKind::Declare { .. }
            | CommandKind::Define { .. }
            | CommandKind::DefineRecursive(_)
            | CommandKind::DefineSort(..)
            | CommandKind::Assert(_)
            | CommandKind::SetLogic(_)
            | CommandKind::Pop(_) => {}
            kind if is_query(kind) && Some(place) == last => {}
            CommandKind::Push(count) => {
                let pop = matching_pop(&state.script, place);
                let ends: Vec<usize> = std::iter::once(place).chain(pop).collect();
                candidates.push(without(pool, &state.script, &ends));
                if *count > 1 {
                    candidates.push(with_single_level(pool, &state.script, &ends));
                }
                if let Some(pop) = pop {
                    let inside: Vec<usize> = (place..=pop).collect();
                    candidates.push(without(pool, &state.script, &inside));
                }
            }
            _ => candidates.push(without(pool, &state.script, &[place])),
        }
    }
    candidates
}

/// A conjunction as several assertions; a negated implication as premise and negated conclusion.
pub(super) fn split_assertions(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for place in assertion_places(&state.script) {
        let CommandKind::Assert(assertion) = state.script.commands[place].kind else { continue };
        let Some(parts) = conjuncts(pool, assertion.term) else { continue };
        let mut commands = state.script.commands.clone();
        let parts = parts.into_iter().map(|term| {
            let assertion = Assertion { term, name: None, uses_let: false };
            command(CommandKind::Assert(assertion))
        });
        commands.splice(place..=place, parts);
        candidates.push(Candidate::new(pool, Script { commands }, true));
    }
    candidates
}

/// Formulas whose conjunction is equivalent to a formula and has fewer nodes.
fn conjuncts(pool: &mut TermPool, term: TermId) -> Option<Vec<TermId>> {
    match pool.term(term) {
        Term::Op(Op::And, children) => Some(children.to_vec()),
        Term::Op(Op::Not, &[inner]) => match pool.term(inner) {
            Term::Op(Op::Implies, &[premise, conclusion]) => {
                Some(vec![premise, pool.op(Op::Not, &[conclusion]).ok()?])
            }
            _ => None,
        },
        _ => None,
    }
}

fn assertion_places(script: &Script) -> Vec<usize> {
    let is_assertion =
        |place: &usize| matches!(script.commands[*place].kind, CommandKind::Assert(_));
    (0..script.commands.len()).filter(is_assertion).collect()
}

fn without(pool: &TermPool, script: &Script, places: &[usize]) -> Candidate {
    let kept = script.commands.iter().enumerate().filter(|(place, _)| !places.contains(place));
    let script = Script { commands: kept.map(|(_, one)| one.clone()).collect() };
    Candidate::new(pool, with_declarations(pool, &script), false)
}

/// The script in which these scopes have one level.
fn with_single_level(pool: &TermPool, script: &Script, ends: &[usize]) -> Candidate {
    let mut script = script.clone();
    for &place in ends {
        match &mut script.commands[place].kind {
            CommandKind::Push(count) | CommandKind::Pop(count) => *count = 1,
            _ => {}
        }
    }
    Candidate::new(pool, script, true)
}

/// The `pop` that ends exactly the levels which the `push` at a place begins.
fn matching_pop(script: &Script, push: usize) -> Option<usize> {
    let CommandKind::Push(begun) = script.commands.get(push)?.kind else { return None };
    let mut depth = 0_u64;
    for (place, one) in script.commands.iter().enumerate().skip(push) {
        match one.kind {
            CommandKind::Push(count) => depth += u64::from(count),
            CommandKind::Pop(count) => {
                depth = depth.checked_sub(count.into())?;
                if depth == 0 {
                    return (count == begun).then_some(place);
                }
            }
            _ => {}
        }
    }
    None
}
