//! How a hunt asks: which formulas share a process, in which way, and what is asked of each.
//!
//! Scopes are another mode of every solver, with other code and other faults. So most batches are
//! asked with the separator that is cheapest for the release, and every fourth with the other one
//! (the quirks of its description say which), and every fifth asks for cores.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_ask::{
    Batch, Item, Many, Mode, OnBench, Quirks, Reply, Request, Respondent, Separator, Solver,
    ask_many,
};
use luthier_records::{Bytes, Verdict};
use luthier_runner::process::Limits;

use crate::question::Question;

/// Enough for every small formula, and small enough for several at a time.
const MEMORY: Bytes = Bytes::mebibytes(2048);
/// How long a process with many formulas may take: so many limits of one formula, and some time for
/// each that is no matter. A process that is ended by it goes on in another one.
const PROCESS_LIMIT: u32 = 10;
const EASY: Duration = Duration::from_millis(5);
/// The same where every formula begins anew, which is slow in old releases.
const EASY_BUT_ANEW: Duration = Duration::from_millis(20);
/// Every so many batches are asked with the other separator.
const OTHER_SEPARATOR: u64 = 4;
/// Every so many batches ask for cores. It has no factor in common with the number above, so that
/// both separators get their share where both can be asked so.
const CORES: u64 = 5;

/// How a batch is put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchMode {
    /// For formulas of which no core is asked.
    pub separator: Separator,
    /// For formulas of which a core is asked, if any is.
    pub cores: Option<Separator>,
}

impl BatchMode {
    /// By the number of the batch, so that it is the same in every hunt.
    pub fn of(quirks: &Quirks, batch: u64) -> Self {
        let is_other = batch % OTHER_SEPARATOR == OTHER_SEPARATOR - 1;
        let separator = if is_other { quirks.other_separator } else { quirks.separator };
        let cores = quirks.core_separator.unwrap_or(separator);
        Self { separator, cores: (batch % CORES == 2).then_some(cores) }
    }
}

/// Where and how long solvers may run.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub folder: &'a Path,
    /// CPU time for a formula that is asked alone.
    pub timeout: Duration,
    /// The time after which a solver is to give up a formula of a batch.
    pub query_limit: Duration,
    /// The hunt is to end.
    pub stop: &'a AtomicBool,
}

impl<'a> Bench<'a> {
    /// A solver at its place.
    pub fn with(&self, solver: &'a Solver) -> OnBench<'a> {
        let limits = Limits { memory: MEMORY, ..Limits::with_cpu(self.timeout) };
        OnBench { solver, bench: luthier_ask::Bench { folder: self.folder, core: None, limits } }
    }
}

/// Which formulas share a process. Those of which a core is asked have their own, and so have
/// those with scopes or definitions of their own: behind a `(reset)`, which they need, cvc5 does
/// not forget declarations at a `(reset-assertions)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    Plain,
    Involved,
    Cores,
}

/// Asks a solver about all questions.
pub(crate) fn ask(
    solver: &Solver,
    questions: &mut [Question],
    batch_mode: BatchMode,
    bench: &Bench<'_>,
) -> Many {
    let mut all = Many { replies: vec![None; questions.len()], cpu: Duration::ZERO, processes: 0 };
    let mut groups: BTreeMap<Share, (Vec<usize>, Vec<Item>)> = BTreeMap::new();
    for (index, question) in questions.iter().enumerate() {
        let is_planted_unsat = question.planted_core().is_some();
        let core = batch_mode.cores.is_some() && is_planted_unsat;
        let Some(piece) = question.piece(solver, core) else {
            let cause = "the solver's commands or dialect cannot express the formula";
            all.replies[index] = Some(Reply::inexpressible(cause));
            continue;
        };
        let forgives = solver.quirks.forgives_requests && !is_planted_unsat;
        let request = match () {
            () if core => Some(Request::Core),
            () if question.is_planted_sat() || forgives => Some(Request::Model),
            () => None,
        };
        let share = match () {
            () if core => Share::Cores,
            () if piece.is_involved => Share::Involved,
            () => Share::Plain,
        };
        let (indices, items) = groups.entry(share).or_default();
        indices.push(index);
        items.push(Item { piece, request });
    }
    let mut again = Vec::new();
    for (share, (indices, items)) in groups {
        let separator = match (share, batch_mode.separator) {
            (Share::Cores, separator) => batch_mode.cores.unwrap_or(separator),
            (Share::Involved, Separator::ResetAssertions) => Separator::Reset,
            (_, separator) => separator,
        };
        let cores = share == Share::Cores;
        let many = ask_group(solver, (&indices, &items), questions, separator, cores, bench);
        (all.cpu, all.processes) = (all.cpu + many.cpu, all.processes + many.processes);
        // A model of an answer that nobody knew is asked for when it is known that there is one.
        let (mut open_indices, mut open) = (Vec::new(), Vec::new());
        for ((index, item), reply) in indices.into_iter().zip(items).zip(many.replies) {
            let lacks_model = reply
                .as_ref()
                .is_some_and(|one| one.verdict() == Some(Verdict::Sat) && one.model().is_none());
            if lacks_model && item.request.is_none() {
                open_indices.push(index);
                open.push(Item { request: Some(Request::Model), ..item });
            }
            all.replies[index] = reply;
        }
        if !open.is_empty() {
            again.push((separator, open_indices, open));
        }
    }
    for (separator, indices, items) in again {
        let many = ask_group(solver, (&indices, &items), questions, separator, false, bench);
        (all.cpu, all.processes) = (all.cpu + many.cpu, all.processes + many.processes);
        for (index, second) in indices.into_iter().zip(many.replies) {
            // What it said first stays said; a model may come in addition.
            if let Some(second) = second.filter(|one| one.verdict() == Some(Verdict::Sat))
                && let Some(Reply { answer: Some(first), .. }) = &mut all.replies[index]
            {
                first.model = second.answer.and_then(|answer| answer.model);
            }
        }
    }
    all
}

/// Asks about formulas that share processes; `indices` are the places of their questions.
fn ask_group(
    solver: &Solver,
    (indices, items): (&[usize], &[Item]),
    questions: &mut [Question],
    separator: Separator,
    cores: bool,
    bench: &Bench<'_>,
) -> Many {
    let query_limit = Some(bench.query_limit);
    let batch = Batch {
        separator,
        mode: Mode { models: true, cores, incremental: true, query_limit },
        process_limit: bench.query_limit.saturating_mul(PROCESS_LIMIT),
        formula_limit: if separator == Separator::Reset { EASY_BUT_ANEW } else { EASY },
        stop: bench.stop,
    };
    let mut alone = |respondent: &mut OnBench<'_>, place: usize| {
        ask_alone(respondent, &mut questions[indices[place]], cores, bench.timeout)
    };
    ask_many(&mut bench.with(solver), items, &batch, &mut alone)
}

/// Asks a solver about one question in a process of its own.
fn ask_alone(
    respondent: &mut OnBench<'_>,
    question: &mut Question,
    cores: bool,
    timeout: Duration,
) -> (Reply, Duration) {
    let mode = Mode { models: true, cores, ..Mode::default() };
    match question.alone(respondent.solver, mode) {
        Ok(copy) => respondent.ask_as_it_is(copy, mode, timeout),
        Err(cannot) => (Reply::inexpressible(cannot), Duration::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_separators_are_asked_and_cores_as_well() {
        let z3 = Quirks { core_separator: Some(Separator::Reset), ..Quirks::default() };
        for (quirks, named) in [(Quirks::default(), true), (z3, false)] {
            let modes: Vec<BatchMode> = (0..20).map(|one| BatchMode::of(&quirks, one)).collect();
            for scopes in [false, true] {
                let is_so = |one: Separator| (one == Separator::Scopes) == scopes;
                assert!(modes.iter().any(|one| is_so(one.separator)), "{scopes}");
                let cores = modes.iter().filter_map(|one| one.cores).any(is_so);
                assert_eq!(cores, !scopes || named, "{scopes}");
            }
        }
    }
}
