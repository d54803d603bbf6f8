//! Unsatisfiable cores: whether a printed core is one.
//!
//! A core is a list of names. By the standard (SMT-LIB 2.7, `get-unsat-core`) it stands for the
//! assertions with these names together with all assertions without a name and the assumptions of
//! `check-sat-assuming`. Without solving it can be seen whether the names occur in the query and,
//! where the only minimal core was planted, whether the core contains it. Everything else takes a
//! solver of another family: [`core_script`] is what that solver gets, [`settle_core`] combines its
//! reply with what is known.

use std::collections::BTreeSet;

use luthier_records::{Class, CoreFinding, CoreOutcome, Text};
use luthier_smtlib::annotations::without_bars;
use luthier_smtlib::{CommandKind, Script};
use luthier_terms::{BuildError, PostOrder, Term, TermPool};

use crate::NoSuchQuery;
use crate::query::{QueryParts, names_of, query_at};

/// How many names are listed in a detail.
const MAX_NAMES: usize = 5;

/// What can be decided about a core without solving. `names` are as printed, with or without bars;
/// `planted` is the only minimal core, if it is known. The query is counted from 0.
///
/// A name that occurs twice gets a remark, but the set is the same; the size counts it once.
pub fn examine_core(
    pool: &TermPool,
    script: &Script,
    query: usize,
    names: &[Text],
    planted: Option<&[Text]>,
) -> Result<CoreFinding, NoSuchQuery> {
    let query = query_at(script, query)?;
    let known: BTreeSet<&[u8]> =
        names_of(pool, &query).into_iter().map(|name| pool.symbols().bytes_of(name)).collect();
    let found = name_set(names);
    let size = found.len();
    let finding = |outcome, detail| CoreFinding { outcome, size, detail };
    let foreign = list(found.difference(&known));
    if let Some(foreign) = foreign {
        let detail = format!("it names what is not asserted: {foreign}");
        return Ok(finding(CoreOutcome::Invalid, Some(detail)));
    }
    let twice = (size < names.len()).then(|| "it names something twice".to_owned());
    let Some(planted) = planted else {
        return Ok(finding(CoreOutcome::Unconfirmed, twice));
    };
    let planted = name_set(planted);
    Ok(if let Some(lacking) = list(planted.difference(&found)) {
        let detail = format!("it lacks {lacking}, without which the rest is satisfiable");
        finding(CoreOutcome::Invalid, Some(detail))
    } else if let Some(needless) = list(found.difference(&planted)) {
        finding(CoreOutcome::Larger, Some(format!("it could do without {needless}")))
    } else {
        finding(CoreOutcome::Minimal, twice)
    })
}

/// The same script in which every assertion has a name, so that a solver can put it into a core.
/// Assertion 7 is called `luthier-7`, or that with more dashes at its end if the script already
/// uses the name. Queries keep their numbers.
pub fn name_assertions(pool: &mut TermPool, script: &Script) -> Result<Script, BuildError> {
    let used = used_names(pool, script);
    let mut named = script.clone();
    let mut number = 0;
    for command in &mut named.commands {
        let CommandKind::Assert(assertion) = &mut command.kind else { continue };
        number += 1;
        if assertion.name.is_some() {
            continue;
        }
        let mut name = format!("luthier-{number}");
        while used.contains(name.as_bytes()) {
            name.push('-');
        }
        assertion.name = Some(pool.symbols_mut().intern(name.as_bytes())?);
    }
    Ok(named)
}

/// A script that asks whether a core is unsatisfiable: what is in scope at the query, the
/// assertions of the core, those without a name, the assumptions, and one `check-sat`.
pub fn core_script(
    pool: &TermPool,
    script: &Script,
    query: usize,
    names: &[Text],
) -> Result<Script, NoSuchQuery> {
    let core = name_set(names);
    let parts = QueryParts::of(pool, script, query)?;
    Ok(parts.script(
        |active| {
            active.assertion.name.is_none_or(|name| core.contains(pool.symbols().bytes_of(name)))
        },
        &[],
    ))
}

/// One query as a script of its own: what is in scope, its assertions, its assumptions as further
/// assertions, and one `check-sat`. The query is counted from 0.
pub fn query_script(pool: &TermPool, script: &Script, query: usize) -> Result<Script, NoSuchQuery> {
    Ok(QueryParts::of(pool, script, query)?.script(|_| true, &[]))
}

/// The finding after a solver was given [`core_script`]. `class` is the class of that run, `by` the name
/// of its configuration; `model_proves_sat`: it printed a model that the referee accepts for that
/// script.
///
/// What follows from the planted core or was refuted stays. A solver that does not answer changes
/// nothing; `sat` without an accepted model only disputes the core, and a dispute stays a dispute even if
/// another solver confirms the core.
pub fn settle_core(
    finding: CoreFinding,
    by: &str,
    class: Class,
    model_proves_sat: bool,
) -> CoreFinding {
    use CoreOutcome::{Confirmed, Disputed, Invalid, Larger, Minimal, Unconfirmed};
    let (outcome, said) = match (finding.outcome, class) {
        (Minimal | Larger | Invalid, _) => return finding,
        // A valid model is a proof, however the run ended.
        (Confirmed | Unconfirmed | Disputed, _) if model_proves_sat => {
            (Invalid, format!("{by} found a model of it"))
        }
        (Unconfirmed, Class::Unsat) => (Confirmed, format!("{by} says unsat")),
        (Disputed, Class::Unsat) => (Disputed, format!("{by} says unsat")),
        (Unconfirmed | Confirmed, Class::Sat) => (Disputed, format!("{by} says sat")),
        _ => return finding,
    };
    let detail = match finding.detail {
        Some(before) => format!("{before}; {said}"),
        None => said,
    };
    CoreFinding { outcome, size: finding.size, detail: Some(detail) }
}

/// All names that a script declares, defines or gives to terms.
fn used_names(pool: &TermPool, script: &Script) -> BTreeSet<Vec<u8>> {
    let mut symbols = Vec::new();
    let mut asserted = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::Declare { function, .. } | CommandKind::Define { function, .. } => {
                symbols.push(pool.function(*function).name);
            }
            CommandKind::DefineRecursive(functions) => {
                symbols.extend(functions.iter().map(|&function| pool.function(function).name));
            }
            CommandKind::DefineSort(name, _) => symbols.push(*name),
            CommandKind::Assert(assertion) => {
                symbols.extend(assertion.name);
                asserted.push(assertion.term);
            }
            CommandKind::CheckSatAssuming(terms) | CommandKind::GetValue(terms) => {
                asserted.extend(terms);
            }
            CommandKind::Simplify(term) => asserted.push(*term),
            _ => {}
        }
    }
    symbols.extend(PostOrder::new(pool, asserted).filter_map(|term| match pool.term(term) {
        Term::Named(name, _) => Some(name),
        _ => None,
    }));
    symbols.into_iter().map(|symbol| pool.symbols().bytes_of(symbol).to_vec()).collect()
}

fn name_set(names: &[Text]) -> BTreeSet<&[u8]> {
    names.iter().map(|name| without_bars(name.as_bytes())).collect()
}

/// The names, for people; `None` if there are none.
fn list<'a>(names: impl Iterator<Item = &'a &'a [u8]>) -> Option<String> {
    let names: Vec<String> =
        names.map(|name| format!("`{}`", String::from_utf8_lossy(name))).collect();
    let shown = names.len().min(MAX_NAMES);
    let mut text = names[..shown].join(", ");
    if shown < names.len() {
        text.push_str(&format!(" and {} more", names.len() - shown));
    }
    (!names.is_empty()).then_some(text)
}
