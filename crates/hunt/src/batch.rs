//! How a hunt runs a batch of formulas on a solver: grouping, separators, and requests.
//!
//! Incremental solving (`push`, `pop`) uses other code in every solver, with other faults. So most
//! batches use the separator that is cheapest for the release, every fourth uses the other one (the
//! quirks of its description say which), and every fifth requests unsatisfiable cores of formulas
//! with a planted core. Both depend only on the number of the batch, so that a hunt is
//! reproducible.
//!
//! Models are requested with the first query where `sat` is planted, or where the solver tolerates
//! a `get-model` after `unsat`. Otherwise formulas answered `sat` without a model are asked a
//! second time, with a request for it. What every process was given and what it printed is kept until
//! the batch is judged, so that a suspicion that does not show alone can be examined
//! (`unconfirmed.rs`). With a model the values of its constants and of some subterms are
//! requested (`values.rs`).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_ask::{
    BatchItem, BatchOptions, BatchReplies, ProcessMode, Quirks, Reply, Request, ScriptRunner,
    Separator, Solver, SolverRunner, Transcript, ask_batch,
};
use luthier_records::{Bytes, Verdict};
use luthier_runner::process::Limits;

use crate::parsed_formula::ParsedFormula;
use crate::values::ValueRequest;

/// Enough for every small formula, and small enough for several at a time.
const MEMORY: Bytes = Bytes::mebibytes(2048);
/// The CPU time of a batch process: this many query limits, plus a small amount for each formula. After
/// a timeout another process continues with the remaining formulas.
const PROCESS_LIMIT: u32 = 10;
const FORMULA_LIMIT: Duration = Duration::from_millis(5);
/// The amount for each formula after a full `(reset)`, which is slow in old releases.
const FORMULA_LIMIT_AFTER_RESET: Duration = Duration::from_millis(20);
/// The formulas of a process with `push` and `pop` at most: clauses that were learnt and terms stay
/// behind, so that the thousandth formula takes Z3 5.4.0 three times as long as the tenth.
const SCOPED_SIZE: usize = 64;
/// One batch in this many uses the other separator.
const OTHER_SEPARATOR: u64 = 4;
/// One batch in this many requests cores. It is coprime to the number above, so that cores are requested
/// with both separators where the solver allows it.
const CORES: u64 = 5;
/// One batch in this many asks with another command than `check-sat`, if the solver has any.
const QUERIES: u64 = 6;

/// The separators of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchMode {
    /// For formulas without a request for a core.
    pub separator: Separator,
    /// For formulas with a request for a core, if the batch has any.
    pub cores: Option<Separator>,
    /// The place of the command that stands for `check-sat` among those of the solver.
    pub query: Option<usize>,
}

impl BatchMode {
    /// Depends on the number of the batch only, so that it is the same in every hunt.
    pub fn of(quirks: &Quirks, batch: u64) -> Self {
        let is_other = batch % OTHER_SEPARATOR == OTHER_SEPARATOR - 1;
        let separator = if is_other { quirks.other_separator } else { quirks.separator };
        let cores = quirks.core_separator.unwrap_or(separator);
        let cores = (batch % CORES == 2).then_some(cores);
        let count = quirks.check_with.len() as u64;
        let turn = (batch / QUERIES).checked_rem(count);
        let query = turn.filter(|_| batch % QUERIES == QUERIES - 2);
        Self { separator, cores, query: query.and_then(|turn| usize::try_from(turn).ok()) }
    }

    /// The command that stands for `check-sat`, if another one does.
    pub fn query_command(self, quirks: &Quirks) -> Option<&str> {
        quirks.check_with.get(self.query?).map(String::as_str)
    }
}

/// The folder and the limits of solver processes in a hunt.
#[derive(Clone, Copy)]
pub(crate) struct HuntEnvironment<'a> {
    pub folder: &'a Path,
    /// CPU time for a formula that is asked alone.
    pub timeout: Duration,
    /// The time limit of one query in a batch, enforced by the solver.
    pub query_limit: Duration,
    /// The formulas of a process at most.
    pub process_size: usize,
    /// Set when the hunt is to end.
    pub stop: &'a AtomicBool,
}

impl<'a> HuntEnvironment<'a> {
    /// Runs a solver in this environment.
    pub fn runner(&self, solver: &'a Solver) -> SolverRunner<'a> {
        let limits = Limits { memory: MEMORY, ..Limits::with_cpu(self.timeout) };
        SolverRunner {
            solver,
            environment: luthier_ask::RunEnvironment {
                folder: self.folder,
                core: None,
                limits,
                stop: None,
            },
        }
    }
}

/// Which formulas group processes. Formulas with a request for a core have processes of their own, and
/// so have isolated formulas (with scopes or definitions), which need a `(reset)` between them: after
/// one, cvc5 does not remove declarations at a `(reset-assertions)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProcessGroup {
    Plain,
    Isolated,
    Cores,
}

/// The replies to a batch, and what was requested with them.
pub(crate) struct AskedBatch {
    pub replies: Vec<Option<Reply>>,
    /// For each formula the request for values, if it had one.
    pub values: Vec<Option<ValueRequest>>,
    pub cpu: Duration,
    pub processes: u64,
    /// How many formulas the next process should get.
    pub size: usize,
    /// The processes, each with the formulas that it was asked about.
    pub transcripts: Vec<(Vec<usize>, Transcript)>,
}

impl AskedBatch {
    /// Of a solver that is not asked.
    pub fn nothing(formulas: usize) -> Self {
        Self {
            replies: vec![None; formulas],
            values: vec![None; formulas],
            cpu: Duration::ZERO,
            processes: 0,
            size: 0,
            transcripts: Vec::new(),
        }
    }

    /// Counts the processes of a group, whose formulas have these indices, and takes its replies out.
    fn add(
        &mut self,
        indices: &[usize],
        separator: Separator,
        group: BatchReplies,
    ) -> Vec<Option<Reply>> {
        self.cpu += group.cpu;
        self.processes += group.processes;
        if separator != Separator::Scopes {
            self.size = group.size;
        }
        for (places, transcript) in group.transcripts {
            let formulas = places.into_iter().map(|place| indices[place]).collect();
            self.transcripts.push((formulas, transcript));
        }
        group.replies
    }
}

/// Asks a solver about all formulas.
pub(crate) fn ask(
    solver: &Solver,
    formulas: &mut [ParsedFormula],
    batch_mode: BatchMode,
    environment: &HuntEnvironment<'_>,
) -> AskedBatch {
    let size = environment.process_size;
    let mut all = AskedBatch { size, ..AskedBatch::nothing(formulas.len()) };
    let mut groups: BTreeMap<ProcessGroup, (Vec<usize>, Vec<BatchItem>)> = BTreeMap::new();
    for (index, parsed) in formulas.iter_mut().enumerate() {
        let is_planted_unsat = parsed.planted_core().is_some();
        let core = batch_mode.cores.is_some() && is_planted_unsat;
        let Some(formula) = parsed.batch_formula(solver, core) else {
            let cause = "the solver's commands or dialect cannot express the formula";
            all.replies[index] = Some(Reply::inexpressible(cause));
            continue;
        };
        // A core may name what a tactic has changed.
        let formula = match batch_mode.query_command(&solver.quirks) {
            Some(command) if !core => formula.with_query(command),
            _ => formula,
        };
        let forgives = solver.quirks.forgives_requests && !is_planted_unsat;
        let request = match () {
            () if core => Some(Request::Core),
            () if parsed.is_planted_sat() || forgives => Some(Request::Model),
            () => None,
        };
        let group = match () {
            () if core => ProcessGroup::Cores,
            () if formula.is_isolated => ProcessGroup::Isolated,
            () => ProcessGroup::Plain,
        };
        if request != Some(Request::Core) {
            all.values[index] = parsed.value_request(solver);
        }
        let values = match (&request, &all.values[index]) {
            (Some(Request::Model), Some(request)) => request.command.clone(),
            _ => Vec::new(),
        };
        let (indices, items) = groups.entry(group).or_default();
        indices.push(index);
        items.push(BatchItem { formula, request, values });
    }
    let mut models_missing = Vec::new();
    for (group, (indices, items)) in groups {
        let separator = match (group, batch_mode.separator) {
            (ProcessGroup::Cores, separator) => batch_mode.cores.unwrap_or(separator),
            (ProcessGroup::Isolated, Separator::ResetAssertions) => Separator::Reset,
            (_, separator) => separator,
        };
        let cores = group == ProcessGroup::Cores;
        let environment = HuntEnvironment { process_size: all.size, ..*environment };
        let group_replies =
            ask_group(solver, (&indices, &items), formulas, separator, cores, &environment);
        let replies = all.add(&indices, separator, group_replies);
        // Where the verdict was not known beforehand, a model is requested once it is `sat`.
        let (mut open_indices, mut open) = (Vec::new(), Vec::new());
        for ((index, item), reply) in indices.into_iter().zip(items).zip(replies) {
            let lacks_model = reply
                .as_ref()
                .is_some_and(|one| one.verdict() == Some(Verdict::Sat) && one.model().is_none());
            if lacks_model && item.request.is_none() {
                open_indices.push(index);
                let values = all.values[index].as_ref().map(|request| request.command.clone());
                let (request, values) = (Some(Request::Model), values.unwrap_or_default());
                open.push(BatchItem { request, values, ..item });
            }
            all.replies[index] = reply;
        }
        if !open.is_empty() {
            models_missing.push((separator, open_indices, open));
        }
    }
    for (separator, indices, items) in models_missing {
        let environment = HuntEnvironment { process_size: all.size, ..*environment };
        let group_replies =
            ask_group(solver, (&indices, &items), formulas, separator, false, &environment);
        let replies = all.add(&indices, separator, group_replies);
        for (index, second) in indices.into_iter().zip(replies) {
            // The first verdict stays; only the model and the values are added.
            if let Some(second) = second.filter(|one| one.verdict() == Some(Verdict::Sat))
                && let Some(second) = second.answer
                && let Some(Reply { answer: Some(first), .. }) = &mut all.replies[index]
            {
                (first.model, first.values) = (second.model, second.values);
            }
        }
    }
    all
}

/// Asks about items that group processes; `indices` are the positions of their formulas.
fn ask_group(
    solver: &Solver,
    (indices, items): (&[usize], &[BatchItem]),
    formulas: &mut [ParsedFormula],
    separator: Separator,
    cores: bool,
    environment: &HuntEnvironment<'_>,
) -> BatchReplies {
    let query_limit = Some(environment.query_limit);
    let batch = BatchOptions {
        separator,
        mode: ProcessMode { models: true, cores, incremental: true, query_limit },
        process_limit: environment.query_limit.saturating_mul(PROCESS_LIMIT),
        formula_limit: if separator == Separator::Reset {
            FORMULA_LIMIT_AFTER_RESET
        } else {
            FORMULA_LIMIT
        },
        first_size: match separator {
            Separator::Scopes => environment.process_size.min(SCOPED_SIZE),
            Separator::Reset | Separator::ResetAssertions => environment.process_size,
        },
        stop: environment.stop,
    };
    let mut alone = |runner: &mut SolverRunner<'_>, place: usize| {
        ask_alone(runner, &mut formulas[indices[place]], cores, environment.timeout)
    };
    ask_batch(&mut environment.runner(solver), items, &batch, &mut alone)
}

/// Asks a solver about one formula in a process of its own.
pub(crate) fn ask_alone(
    runner: &mut SolverRunner<'_>,
    parsed: &mut ParsedFormula,
    cores: bool,
    timeout: Duration,
) -> (Reply, Duration) {
    let mode = ProcessMode { models: true, cores, ..ProcessMode::default() };
    match parsed.script_alone(runner.solver, mode) {
        Ok(copy) => runner.ask_verbatim(copy, mode, timeout),
        Err(cannot) => (Reply::inexpressible(cannot), Duration::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_separators_and_requests_for_cores_are_used() {
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
