//! The last step: one look for all reductions of the same bug.
//!
//! Constants are called x, y, z (strings), i, j, k (integers), p, q, r (Booleans) in the order of their
//! first occurrence; assertions are ordered by size and text; the logic is the smallest that names what is
//! used. Each of these is tried by itself and kept only if the failure stays.

use luthier_smtlib::{CommandKind, Script};
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermPool};
use rustc_hash::FxHashMap;

use super::Reducer;
use super::candidate::Candidate;
use crate::Truth;
use crate::query::{nodes, replaced, roots, used_constants};

pub(super) fn canonicalise(reducer: &mut Reducer<'_, '_>) {
    if let Some(script) = ordered(&reducer.pool, &reducer.state.script) {
        take(reducer, script, None);
    }
    if let Some((script, names)) = renamed(reducer) {
        take(reducer, script, Some(names));
    }
    for logic in ["QF_S", "QF_SLIA", "ALL"] {
        if let Some(script) = with_logic(reducer, logic)
            && take(reducer, script, None)
        {
            break;
        }
    }
}

/// Makes a script the formula if it still fails. `names` says which constant each one became.
fn take(
    reducer: &mut Reducer<'_, '_>,
    script: Script,
    names: Option<FxHashMap<FunctionId, FunctionId>>,
) -> bool {
    if reducer.is_over() {
        return false;
    }
    let before = reducer.state.truth.clone();
    if let (Some(names), Truth::Sat(model)) = (&names, &before) {
        let mut moved = model.clone();
        for (old, new) in names {
            if let Some(value) = model.get(*old) {
                moved.insert(*new, value.clone());
            }
        }
        reducer.state.truth = Truth::Sat(moved);
    }
    let candidate = Candidate::new(&reducer.pool, script, true);
    let batch = [candidate];
    let found = reducer.test.first_failing(&mut reducer.pool, &reducer.state, &batch);
    reducer.candidates += 1;
    let [candidate] = batch;
    match (found, before) {
        (Some((_, truth, shown)), before) => {
            // The formula is the same up to names, so its evidence stays.
            reducer.state.truth = match (truth, before) {
                (Truth::Unsat(_), before @ Truth::Unsat(_)) => before,
                (truth, _) => truth,
            };
            reducer.state.script = candidate.script;
            reducer.state.cost = candidate.cost;
            reducer.state.shown = shown;
            true
        }
        (None, before) => {
            reducer.state.truth = before;
            false
        }
    }
}

/// The script with its assertions ordered by size and text, if it has no scopes.
fn ordered(pool: &TermPool, script: &Script) -> Option<Script> {
    let is_scope = |kind: &CommandKind| matches!(kind, CommandKind::Push(_) | CommandKind::Pop(_));
    if script.commands.iter().any(|one| is_scope(&one.kind)) {
        return None;
    }
    let is_assertion = |kind: &CommandKind| matches!(kind, CommandKind::Assert(_));
    let places: Vec<usize> = (0..script.commands.len())
        .filter(|&place| is_assertion(&script.commands[place].kind))
        .collect();
    let mut assertions: Vec<(u64, Vec<u8>, luthier_smtlib::Command)> = Vec::new();
    for &place in &places {
        let one = script.commands[place].clone();
        let alone = Script { commands: vec![one.clone()] };
        assertions.push((nodes(pool, &alone), crate::query::text(pool, &alone)?, one));
    }
    assertions.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut commands = script.commands.clone();
    for (&place, (_, _, one)) in places.iter().zip(assertions) {
        commands[place] = one;
    }
    Some(Script { commands })
}

/// The script with the usual names, and which constant became which.
fn renamed(reducer: &mut Reducer<'_, '_>) -> Option<(Script, FxHashMap<FunctionId, FunctionId>)> {
    let pool = &mut reducer.pool;
    let script = &reducer.state.script;
    let constants = used_constants(pool, &roots(script));
    let mut counts: FxHashMap<&'static str, usize> = FxHashMap::default();
    let mut map = FxHashMap::default();
    let mut names = FxHashMap::default();
    for constant in constants {
        let sort = pool.function(constant).result;
        let letters: &'static str = match sort {
            Sort::String => "xyzuvw",
            Sort::Int => "ijkmn",
            Sort::Bool => "pqr",
            Sort::RegLan | Sort::Array(..) => "abc",
        };
        let count = counts.entry(letters).or_default();
        let name = match letters.as_bytes().get(*count) {
            Some(&letter) => char::from(letter).to_string(),
            None => format!("{}{}", &letters[..1], *count),
        };
        *count += 1;
        let symbol = pool.symbols_mut().intern(name.as_bytes()).ok()?;
        let new = pool.declare(symbol, Vec::new(), sort).ok()?;
        if new != constant {
            let (old, by) = (pool.apply(constant, &[]).ok()?, pool.apply(new, &[]).ok()?);
            map.insert(old, by);
            names.insert(constant, new);
        }
    }
    if map.is_empty() {
        return None;
    }
    // Declarations are made anew, in the order of the first occurrence.
    let mut plain = script.clone();
    plain.commands.retain(|one| match one.kind {
        CommandKind::Declare { function, .. } => !pool.function(function).parameters.is_empty(),
        _ => true,
    });
    Some((replaced(pool, &plain, &map)?, names))
}

/// The script with this logic, if the strict reader accepts it so.
fn with_logic(reducer: &mut Reducer<'_, '_>, logic: &str) -> Option<Script> {
    let pool = &mut reducer.pool;
    let symbol = pool.symbols_mut().intern(logic.as_bytes()).ok()?;
    let mut script = reducer.state.script.clone();
    let is_logic = |kind: &CommandKind| matches!(kind, CommandKind::SetLogic(_));
    let place = script.commands.iter().position(|one| is_logic(&one.kind)).unwrap_or(0);
    script.commands.retain(|one| !is_logic(&one.kind));
    script.commands.insert(place, crate::query::command(CommandKind::SetLogic(symbol)));
    let terms = || PostOrder::new(pool, roots(&script));
    let has_integers = terms().any(|term| pool.sort(term) == Sort::Int);
    let has_more = terms().any(|term| {
        matches!(pool.term(term), Term::Quantifier(_) | Term::Op(Op::Select | Op::Store, _))
            || matches!(pool.term(term), Term::Apply(_, [_, ..]))
    });
    let fits = match logic {
        "QF_S" => !has_integers && !has_more,
        "QF_SLIA" => !has_more,
        _ => true,
    };
    fits.then_some(script)
}
