//! One run: a configuration on an instance, and the examination of each of its answers.
//!
//! The instance is copied into the dialect of the solver and run under the limits. Then each answer
//! is examined by itself: the referee checks a model, a core is compared with the planted one and
//! solved again by another release, and verifying solvers give second opinions. Whether a verdict
//! is right is not decided here: that depends on all runs on the instance and is computed from the
//! stored records.
//!
//! A verdict after an error or before an abnormal exit is no claim of the solver, but a valid model
//! printed with it still proves `sat`.

use std::path::Path;
use std::time::SystemTime;

use luthier_ask::{CopyOptions, ProcessMode, Solver, not_started, script_copy};
use luthier_judge::{CheckOptions, check_model, examine_core, judging_limits, model_finding};
use luthier_records::{
    Answer, Captured, Class, CoreFinding, Ending, Measured, ModelFinding, ModelOutcome,
    ParsedOutput, Run, RunAnswer, Timestamp, Verdict,
};
use luthier_runner::process::{CoreId, Outcome, Output};
use luthier_smtlib::Script;
use luthier_smtlib::source::Locator;
use luthier_terms::TermPool;

use crate::parsed_instance::ParsedInstance;
use crate::plan::{Plan, RunnableConfiguration, recorded_arguments};
use crate::recheck;

/// The environment of a worker's runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerEnvironment<'a> {
    /// The processor core to which solvers are bound.
    pub core: Option<CoreId>,
    /// The working directory of solvers, empty.
    pub folder: &'a Path,
    /// The load average of the machine, as last measured.
    pub load: Option<f64>,
}

/// The output and the end of one solver process.
pub(crate) struct RunOutcome {
    pub started: Timestamp,
    pub said: ParsedOutput,
    pub outcome: Outcome,
    pub notes: Vec<String>,
}

/// Runs a solver on a copy of a script.
pub(crate) fn run_solver(
    pool: &mut TermPool,
    script: &Script,
    runnable: &RunnableConfiguration,
    mode: ProcessMode,
    environment: &WorkerEnvironment<'_>,
) -> RunOutcome {
    let started = Timestamp::of(SystemTime::now());
    let solver = &runnable.solver;
    let nothing = |ending| {
        let (said, notes) = (ParsedOutput::default(), Vec::new());
        RunOutcome { started, said, outcome: not_started(ending), notes }
    };
    let invocation = match solver.invocation_on_stdin(mode) {
        Ok(invocation) => invocation,
        Err(error) => return nothing(Ending::NotStarted(error.to_string())),
    };
    let options =
        CopyOptions { models: mode.models, cores: mode.cores, preamble: &invocation.script };
    let copy = match script_copy(pool, script, solver.dialect, &solver.quirks, &options) {
        Ok(copy) => copy,
        Err(cannot) => return nothing(Ending::Inexpressible(cannot.to_string())),
    };
    let (folder, core, limits) = (environment.folder, environment.core, runnable.limits);
    let environment = luthier_ask::RunEnvironment { folder, core, limits, stop: None };
    let outcome = Solver::run(&invocation, copy.bytes, &environment);
    let said = solver.parse_output(&outcome.stdout.bytes, &options.requests());
    let mut notes = copy.notes;
    if mode.cores || mode.incremental {
        let arguments = recorded_arguments(&solver.release, &invocation);
        notes.push(format!("asked with: {} {}", arguments.join(" "), invocation.script.join(" ")));
    }
    RunOutcome { started, said, outcome, notes }
}

/// Runs a configuration on an instance.
pub(crate) fn execute(
    parsed: &mut ParsedInstance,
    runnable: &RunnableConfiguration,
    plan: &Plan,
    repetition: u32,
    environment: &WorkerEnvironment<'_>,
) -> Run {
    if let Some(fault) = &parsed.instance.fault {
        let ending = Ending::NotStarted(format!("the instance cannot be read: {fault}"));
        return Run {
            repetition,
            started: Timestamp::of(SystemTime::now()),
            class: Class::of(&ParsedOutput::default(), 1, &ending),
            ending,
            measured: Measured::default(),
            stdout: Captured::default(),
            stderr: Captured::default(),
            answers: Vec::new(),
            conversion: Vec::new(),
            core: None,
            load: environment.load,
        };
    }
    let queries = parsed.instance.queries.len();
    let mode = runnable.mode(parsed.asks_for_core, queries);
    let asked = run_solver(&mut parsed.pool, &parsed.script, runnable, mode, environment);
    let RunOutcome { started, said, outcome, notes } = asked;
    let class = Class::of(&said, queries, &outcome.ending);
    // With more answers than queries they cannot be attributed.
    let attributable = if said.answers.len() <= queries { said.answers.as_slice() } else { &[] };
    let answers = attributable.iter().enumerate().map(|(query, answer)| {
        let class = Class::of_query(&said, query, &outcome.ending);
        examine_answer(parsed, runnable, plan, query, answer, class, environment)
    });
    Run {
        repetition,
        started,
        class,
        answers: answers.collect(),
        ending: outcome.ending,
        measured: outcome.measured,
        stdout: captured(outcome.stdout),
        stderr: captured(outcome.stderr),
        conversion: notes,
        core: environment.core.and_then(|core| u32::try_from(core.number()).ok()),
        load: environment.load,
    }
}

/// Examines one answer by itself.
fn examine_answer(
    parsed: &mut ParsedInstance,
    runnable: &RunnableConfiguration,
    plan: &Plan,
    query: usize,
    answer: &Answer,
    class: Class,
    environment: &WorkerEnvironment<'_>,
) -> RunAnswer {
    let is_claim = !matches!(class, Class::Unsupported | Class::FrameworkError);
    let mut model = None;
    let mut opinions = Vec::new();
    let mut core: Option<CoreFinding> = None;
    match (answer.verdict, &answer.model, &answer.core) {
        (Verdict::Sat, Some(text), _) if is_claim => {
            let finding = check_model_of(parsed, runnable, query, text.as_bytes());
            // A model beyond the referee's limits is not given to other solvers either.
            if finding.outcome != ModelOutcome::Exceeded {
                opinions =
                    recheck::second_opinions(parsed, runnable, plan, query, text, environment);
            }
            model = Some(finding);
        }
        // Without a claim an invalid model is no finding, but a valid one is still a proof.
        (Verdict::Sat | Verdict::Unknown, Some(text), _) => {
            let finding = check_model_of(parsed, runnable, query, text.as_bytes());
            model = Some(finding).filter(|finding| finding.outcome.proves_sat());
        }
        (Verdict::Unsat, _, Some(names)) if is_claim => {
            let planted = parsed.instance.queries[query].planted_core.clone();
            let planted = planted.as_deref();
            let finding = examine_core(&parsed.pool, &parsed.script, query, names, planted);
            core = finding.ok().map(|finding| {
                recheck::recheck_core(parsed, runnable, plan, query, names, finding, environment)
            });
        }
        _ => {}
    }
    RunAnswer {
        verdict: answer.verdict,
        class,
        reason_unknown: answer
            .reason_unknown
            .clone()
            .filter(|_| answer.verdict == Verdict::Unknown),
        model,
        core,
        opinions,
    }
}

/// The result of checking a model with the referee.
pub(crate) fn check_model_of(
    parsed: &mut ParsedInstance,
    runnable: &RunnableConfiguration,
    query: usize,
    model: &[u8],
) -> ModelFinding {
    let options = CheckOptions {
        model_name: "model",
        dialect: Some(runnable.solver.dialect),
        query: Some(query + 1),
        limits: judging_limits(),
    };
    match check_model(&mut parsed.pool, &parsed.script, model, &options) {
        Ok(check) => {
            let locator = Locator::new(&parsed.source);
            model_finding(&mut parsed.pool, &check, Some(&locator))
        }
        Err(none) => ModelFinding {
            outcome: ModelOutcome::Unsupported,
            detail: Some(format!("the instance has only {} queries", none.queries)),
        },
    }
}

fn captured(output: Output) -> Captured {
    Captured { bytes: output.bytes, cut: output.cut }
}
