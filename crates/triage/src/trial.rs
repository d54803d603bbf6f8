//! Many candidate scripts put to one solver: batches in parallel processes, or a process for each.
//!
//! Candidates with one query share a process, with the separator that the release tolerates. Groups have a
//! fixed size, so that neither replies nor the number of jobs decide which candidates share a process, and
//! the result of a reduction is the same for every number of jobs. A release whose failure does not show in a batch is asked in a process
//! for each candidate.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use luthier_ask::{
    BatchFormula, BatchItem, BatchOptions, CopyOptions, ProcessMode, Reply, Request,
    RunEnvironment, ScriptRunner, Separator, Solver, SolverRunner, ask_batch, script_copy,
};
use luthier_generator::variants::with_requested_spelling;
use luthier_hunt::{ValueRequest, with_values};
use luthier_records::Bytes;
use luthier_runner::answer;
use luthier_runner::process::Limits;
use luthier_smtlib::Script;
use luthier_terms::TermPool;

/// Enough for every small formula, and small enough for several at a time.
const MEMORY: Bytes = Bytes::mebibytes(2048);
/// The CPU time of a batch process: this many query limits, plus an amount for each formula.
const PROCESS_LIMIT: u32 = 10;
const FORMULA_LIMIT: Duration = Duration::from_millis(20);
/// Candidates that share a process.
const GROUP: usize = 16;

/// A solver that candidates are put to.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Where it runs.
    pub folder: &'a Path,
    /// Processes in parallel.
    pub jobs: usize,
    /// CPU time for one candidate in a process of its own.
    pub timeout: Duration,
    /// The time limit of one candidate in a batch, enforced by the solver.
    pub query_limit: Duration,
    /// Whether candidates may share a process.
    pub batches: bool,
    /// When it is set, processes are killed and no further one is started.
    pub stop: &'a AtomicBool,
}

/// A candidate as the solver gets it.
struct Prepared {
    /// For a batch; `None` if it has several queries.
    item: Option<BatchItem>,
    /// For a process of its own.
    copy: Vec<u8>,
    queries: usize,
    /// The request for values, if that is the request.
    values: Option<ValueRequest>,
}

impl<'a> Trial<'a> {
    fn runner(&self) -> SolverRunner<'a> {
        let limits = Limits { memory: MEMORY, ..Limits::with_cpu(self.timeout) };
        let environment =
            RunEnvironment { folder: self.folder, core: None, limits, stop: Some(self.stop) };
        SolverRunner { solver: self.solver, environment }
    }

    /// The mode of a process of its own.
    pub fn mode(&self, request: Option<Request>) -> ProcessMode {
        let models = matches!(request, Some(Request::Model | Request::Value));
        let cores = request == Some(Request::Core);
        ProcessMode { models, cores, ..ProcessMode::default() }
    }

    /// The copy of a script that the solver gets in a process of its own; `None` if its dialect cannot
    /// express the script, or gives it another meaning.
    pub fn copy(
        &self,
        pool: &mut TermPool,
        script: &Script,
        request: Option<Request>,
    ) -> Option<Vec<u8>> {
        self.prepared(pool, script, request).map(|prepared| prepared.copy)
    }

    fn prepared(
        &self,
        pool: &mut TermPool,
        script: &Script,
        request: Option<Request>,
    ) -> Option<Prepared> {
        let (dialect, quirks) = (self.solver.dialect, &self.solver.quirks);
        let spelling = |bytes| with_requested_spelling(pool, script, bytes, dialect);
        let named = request == Some(Request::Core);
        let formula = BatchFormula::of_script(pool, script, named, (dialect, quirks), &spelling)?;
        let mode = self.mode(request);
        let preamble = self.solver.preamble(mode);
        let options = CopyOptions { models: mode.models, cores: mode.cores, preamble: &preamble };
        let copy = script_copy(pool, script, dialect, quirks, &options).ok()?.bytes;
        let copy = with_requested_spelling(pool, script, copy, dialect);
        let values = match request {
            Some(Request::Value) => {
                let query = script.queries().last()?;
                let spelling =
                    |pool: &TermPool, bytes| with_requested_spelling(pool, script, bytes, dialect);
                Some(ValueRequest::of_query(pool, &query, self.solver, &spelling)?)
            }
            _ => None,
        };
        let command = values.as_ref().map(|one| one.command.clone()).unwrap_or_default();
        let copy = with_values(copy, &command);
        let queries = script.queries().count();
        // Cores need processes of their own in many releases.
        let item =
            (queries == 1 && !named).then_some(BatchItem { formula, request, values: command });
        Some(Prepared { item, copy, queries, values })
    }

    /// The reply to a script in a fresh process of its own; `None` if it cannot be expressed.
    pub fn ask_alone(
        &self,
        pool: &mut TermPool,
        script: &Script,
        request: Option<Request>,
    ) -> Option<Reply> {
        self.ask_alone_timed(pool, script, request).map(|(reply, _)| reply)
    }

    /// As [`Self::ask_alone`], with the CPU time of the process.
    pub fn ask_alone_timed(
        &self,
        pool: &mut TermPool,
        script: &Script,
        request: Option<Request>,
    ) -> Option<(Reply, Duration)> {
        let prepared = self.prepared(pool, script, request)?;
        Some(self.run_alone(&prepared, request))
    }

    /// The reply to the last query.
    fn run_alone(&self, prepared: &Prepared, request: Option<Request>) -> (Reply, Duration) {
        let mut runner = self.runner();
        let mode = self.mode(request);
        let outcome = runner.run(prepared.copy.clone(), mode, self.timeout);
        let output = self.solver.quirks.replies(&outcome.stdout.bytes);
        let mut said = answer::read(&output);
        if said.answers.len() == prepared.queries
            && let Some(last) = said.answers.pop()
        {
            said.answers = vec![last];
        }
        (claimed(Reply::of_process(said, &outcome), prepared), outcome.measured.cpu.0)
    }

    /// The replies to all scripts, in their order; `None` for what cannot be expressed, and for what was
    /// not asked before the trial was stopped.
    pub fn ask(
        &self,
        pool: &mut TermPool,
        scripts: &[&Script],
        request: Option<Request>,
    ) -> Vec<Option<Reply>> {
        let prepared: Vec<Option<Prepared>> =
            scripts.iter().map(|script| self.prepared(pool, script, request)).collect();
        let groups: Vec<&[Option<Prepared>]> = prepared.chunks(GROUP).collect();
        let next = AtomicUsize::new(0);
        let mut asked: Vec<(usize, Vec<Option<Reply>>)> = Vec::with_capacity(groups.len());
        thread::scope(|scope| {
            let work = || {
                let mut done = Vec::new();
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(group) = groups.get(number)
                {
                    done.push((number, self.ask_part(group, request)));
                }
                done
            };
            let workers: Vec<_> =
                (0..self.jobs.clamp(1, groups.len().max(1))).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                // A worker that panics has replied to nothing; the panic is a fault of ours.
                match worker.join() {
                    Ok(done) => asked.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        asked.sort_by_key(|(number, _)| *number);
        let replies: Vec<Option<Reply>> =
            asked.into_iter().flat_map(|(_, replies)| replies).collect();
        replies
    }

    fn ask_part(&self, part: &[Option<Prepared>], request: Option<Request>) -> Vec<Option<Reply>> {
        let mut replies: Vec<Option<Reply>> = vec![None; part.len()];
        // Isolated formulas need another separator, so they have a process of their own kind.
        for is_isolated in [false, true] {
            let mut places = Vec::new();
            let mut items = Vec::new();
            for (place, prepared) in part.iter().enumerate() {
                let Some(item) = prepared.as_ref().and_then(|one| one.item.as_ref()) else {
                    continue;
                };
                if self.batches && item.formula.is_isolated == is_isolated {
                    places.push(place);
                    items.push(item.clone());
                }
            }
            if items.is_empty() {
                continue;
            }
            let asked = self.ask_items(part, &places, &items, request, is_isolated);
            for (place, reply) in places.into_iter().zip(asked) {
                replies[place] = match &part[place] {
                    Some(prepared) => reply.map(|reply| claimed(reply, prepared)),
                    None => reply,
                };
            }
        }
        for (place, prepared) in part.iter().enumerate() {
            let Some(prepared) = prepared else { continue };
            let is_batched = self.batches && prepared.item.is_some();
            if !is_batched && !self.stop.load(Ordering::Relaxed) {
                replies[place] = Some(self.run_alone(prepared, request).0);
            }
        }
        replies
    }

    fn ask_items(
        &self,
        part: &[Option<Prepared>],
        places: &[usize],
        items: &[BatchItem],
        request: Option<Request>,
        is_isolated: bool,
    ) -> Vec<Option<Reply>> {
        let separator = match self.solver.quirks.separator {
            Separator::ResetAssertions if is_isolated => Separator::Reset,
            separator => separator,
        };
        let query_limit = Some(self.query_limit);
        let mode = ProcessMode { incremental: true, query_limit, ..self.mode(request) };
        let batch = BatchOptions {
            separator,
            mode,
            process_limit: self.query_limit.saturating_mul(PROCESS_LIMIT),
            formula_limit: FORMULA_LIMIT,
            first_size: usize::MAX,
            stop: self.stop,
        };
        let mut alone = |_: &mut SolverRunner<'_>, place: usize| match &part[places[place]] {
            Some(prepared) => self.run_alone(prepared, request),
            None => (Reply::inexpressible("not expressed"), Duration::ZERO),
        };
        ask_batch(&mut self.runner(), items, &batch, &mut alone).replies
    }
}

/// The reply with its values in the place of the model, where values were requested: they are checked
/// as a model is.
fn claimed(mut reply: Reply, prepared: &Prepared) -> Reply {
    if let (Some(request), Some(answer)) = (&prepared.values, &mut reply.answer)
        && let Some(claims) = request.claims(answer)
    {
        answer.model = Some(claims);
    }
    reply
}
