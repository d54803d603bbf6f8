//! One run: the question is put to a solver, and each answer is examined by itself.

use std::path::Path;
use std::time::SystemTime;

use luthier_ask::{Mode, Solver, Wanted, copy_of, not_run};
use luthier_judge::{CheckOptions, check_model, examine_core, judging_limits, model_finding};
use luthier_records::{
    Answer, Captured, Class, CoreFinding, Ending, Measured, ModelFinding, ModelOutcome,
    ParsedOutput, Run, RunAnswer, Timestamp, Verdict,
};
use luthier_runner::process::{CoreId, Outcome, Output};
use luthier_smtlib::Script;
use luthier_smtlib::source::Locator;
use luthier_terms::TermPool;

use crate::plan::{Contestant, Plan, recorded_arguments};
use crate::question::Question;
use crate::recheck;

/// Where runs are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bench<'a> {
    /// The core to which solvers are bound.
    pub core: Option<CoreId>,
    /// An empty folder in which solvers run.
    pub folder: &'a Path,
    /// The load of the machine, as last seen.
    pub load: Option<f64>,
}

/// What came of asking a solver.
pub(crate) struct RunOutcome {
    pub started: Timestamp,
    pub said: ParsedOutput,
    pub outcome: Outcome,
    pub notes: Vec<String>,
}

/// Puts a script to a solver.
pub(crate) fn ask(
    pool: &mut TermPool,
    script: &Script,
    contestant: &Contestant,
    mode: Mode,
    bench: &Bench<'_>,
) -> RunOutcome {
    let started = Timestamp::of(SystemTime::now());
    let solver = &contestant.solver;
    let nothing = |ending| {
        let (said, notes) = (ParsedOutput::default(), Vec::new());
        RunOutcome { started, said, outcome: not_run(ending), notes }
    };
    let invocation = match solver.start(mode) {
        Ok(invocation) => invocation,
        Err(error) => return nothing(Ending::NotStarted(error.to_string())),
    };
    let wanted = Wanted { models: mode.models, cores: mode.cores, lines: &invocation.script };
    let copy = match copy_of(pool, script, solver.dialect, &solver.quirks, &wanted) {
        Ok(copy) => copy,
        Err(cannot) => return nothing(Ending::Inexpressible(cannot.to_string())),
    };
    let (folder, core, limits) = (bench.folder, bench.core, contestant.limits);
    let bench = luthier_ask::Bench { folder, core, limits };
    let outcome = Solver::run(&invocation, copy.bytes, &bench);
    let said = solver.said(&outcome.stdout.bytes, &wanted.requests());
    let mut notes = copy.notes;
    if mode.cores || mode.incremental {
        let arguments = recorded_arguments(&solver.release, &invocation);
        notes.push(format!("asked with: {} {}", arguments.join(" "), invocation.script.join(" ")));
    }
    RunOutcome { started, said, outcome, notes }
}

/// Runs a configuration on an instance.
pub(crate) fn execute(
    question: &mut Question,
    contestant: &Contestant,
    plan: &Plan,
    repetition: u32,
    bench: &Bench<'_>,
) -> Run {
    if let Some(fault) = &question.instance.fault {
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
            load: bench.load,
        };
    }
    let queries = question.instance.queries.len();
    let mode = contestant.mode(question.asks_for_core, queries);
    let asked = ask(&mut question.pool, &question.script, contestant, mode, bench);
    let RunOutcome { started, said, outcome, notes } = asked;
    let class = Class::of(&said, queries, &outcome.ending);
    // With more answers than questions nobody can tell which belongs to which.
    let attributable = if said.answers.len() <= queries { said.answers.as_slice() } else { &[] };
    let answers = attributable.iter().enumerate().map(|(query, answer)| {
        let class = Class::of_query(&said, query, &outcome.ending);
        examine(question, contestant, plan, query, answer, class, bench)
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
        core: bench.core.and_then(|core| u32::try_from(core.number()).ok()),
        load: bench.load,
    }
}

/// Looks at one answer by itself.
fn examine(
    question: &mut Question,
    contestant: &Contestant,
    plan: &Plan,
    query: usize,
    answer: &Answer,
    class: Class,
    bench: &Bench<'_>,
) -> RunAnswer {
    let is_claim = !matches!(class, Class::Unsupported | Class::FrameworkError);
    let mut model = None;
    let mut opinions = Vec::new();
    let mut core: Option<CoreFinding> = None;
    match (answer.verdict, &answer.model, &answer.core) {
        (Verdict::Sat, Some(text), _) if is_claim => {
            let finding = check(question, contestant, query, text.as_bytes());
            // What is too large to be judged is no question for others either.
            if finding.outcome != ModelOutcome::Exceeded {
                opinions = recheck::opinions(question, contestant, plan, query, text, bench);
            }
            model = Some(finding);
        }
        // Who claims nothing is not held to a model, but one that is valid is proof all the same.
        (Verdict::Sat | Verdict::Unknown, Some(text), _) => {
            let finding = check(question, contestant, query, text.as_bytes());
            model = Some(finding).filter(|finding| finding.outcome.proves_sat());
        }
        (Verdict::Unsat, _, Some(names)) if is_claim => {
            let planted = question.instance.queries[query].planted_core.clone();
            let planted = planted.as_deref();
            let finding = examine_core(&question.pool, &question.script, query, names, planted);
            core = finding.ok().map(|finding| {
                recheck::core(question, contestant, plan, query, names, finding, bench)
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

/// The referee's word on a model.
pub(crate) fn check(
    question: &mut Question,
    contestant: &Contestant,
    query: usize,
    model: &[u8],
) -> ModelFinding {
    let options = CheckOptions {
        model_name: "model",
        dialect: Some(contestant.solver.dialect),
        query: Some(query + 1),
        limits: judging_limits(),
    };
    match check_model(&mut question.pool, &question.script, model, &options) {
        Ok(check) => {
            let locator = Locator::new(&question.source);
            model_finding(&mut question.pool, &check, Some(&locator))
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
