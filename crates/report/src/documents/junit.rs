//! JUnit XML of a view, for continuous integration.
//!
//! A test suite per solver, a test case per entry; the representative run of the repetitions counts.
//!
//! * failure: a wrong answer, an invalid model or an invalid core;
//! * error: an abnormal exit, or a framework error;
//! * skipped: no result, with the reason: unknown, a limit, unsupported, malformed, not run.
//!
//! Times are CPU seconds. An unsolved instance is no failure; to detect one, compare two reports.

use luthier_records::{Class, FindingKind, Timestamp};

use super::moment;
use super::text::markup;
use crate::{Entry, RunInfo, View};

/// What a case amounts to.
enum Outcome {
    Passed,
    Failure { kind: &'static str, message: String },
    Error { kind: &'static str, message: String },
    Skipped(String),
}

/// The results of a view as JUnit XML.
pub fn junit(view: &View<'_>, title: &str) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut suites = String::new();
    let mut all = Counts::default();
    for &solver in &view.solvers {
        let mut cases = String::new();
        let mut counts = Counts::default();
        for entry in view.iter() {
            write_case(&mut cases, &mut counts, view, entry, solver);
        }
        let label = markup(&view.results.solvers[solver].label);
        let started = started(view, solver);
        let moment = moment(started).map(|moment| {
            let moment = moment.replacen(' ', "T", 1);
            format!(" timestamp=\"{}\"", moment.trim_end_matches(" UTC"))
        });
        suites.push_str(&format!(
            "<testsuite name=\"{label}\"{}{}>\n{cases}</testsuite>\n",
            counts.attributes(),
            moment.unwrap_or_default()
        ));
        all.add(&counts);
    }
    text.push_str(&format!("<testsuites name=\"{}\"{}>\n", markup(title), all.attributes()));
    text.push_str(&suites);
    text.push_str("</testsuites>\n");
    text
}

fn write_case<'a>(
    text: &mut String,
    counts: &mut Counts,
    view: &View<'a>,
    entry: &'a Entry,
    solver: usize,
) {
    let run = view.run(entry, solver);
    let seconds = run.map_or(0.0, |run| run.scored.cpu.as_secs_f64());
    let track = &view.results.tracks[entry.track];
    let set = &view.results.sets[track.set].name;
    let class = match track.name.as_str() {
        "" => set.clone(),
        track => format!("{set}/{track}"),
    };
    let head = format!(
        "<testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
        markup(&class),
        markup(&entry.name)
    );
    counts.tests += 1;
    counts.seconds += seconds;
    text.push_str(&head);
    match outcome(entry, run) {
        Outcome::Passed => text.push_str("/>\n"),
        Outcome::Failure { kind, message } => {
            counts.failures += 1;
            text.push_str(&element("failure", kind, &message));
        }
        Outcome::Error { kind, message } => {
            counts.errors += 1;
            text.push_str(&element("error", kind, &message));
        }
        Outcome::Skipped(message) => {
            counts.skipped += 1;
            text.push_str(&format!("><skipped message=\"{}\"/></testcase>\n", markup(&message)));
        }
    }
}

fn element(name: &str, kind: &str, message: &str) -> String {
    let message = markup(message);
    format!("><{name} type=\"{kind}\" message=\"{message}\">{message}</{name}></testcase>\n")
}

fn outcome(entry: &Entry, run: Option<&RunInfo>) -> Outcome {
    let Some(run) = run else { return Outcome::Skipped("not run".to_owned()) };
    let scored = &run.scored;
    let class = scored.class.name();
    let number = run.number;
    let failure = |kind, message: String| Outcome::Failure {
        kind,
        message: format!("{message} (run {number})"),
    };
    if let Some(worst) = entry.judged.observations_of(run).min_by_key(|one| one.kind)
        && worst.kind.is_solver_error()
    {
        let truth = entry.judged.truths.get(worst.query as usize);
        let message = match worst.kind {
            FindingKind::InvalidModel => "the model does not satisfy the instance".to_owned(),
            FindingKind::InvalidCore => "the core is not unsatisfiable".to_owned(),
            _ => {
                let truth = truth
                    .and_then(|truth| truth.verdict)
                    .map_or_else(String::new, |(verdict, evidence)| {
                        format!("; it is {verdict} (by {})", evidence.name())
                    });
                format!("wrong answer, ended as {class}{truth}")
            }
        };
        return failure(worst.kind.name(), message);
    }
    match scored.class {
        Class::Sat | Class::Unsat => Outcome::Passed,
        Class::Crash => {
            Outcome::Error { kind: "crash", message: format!("the solver crashed (run {number})") }
        }
        Class::FrameworkError => Outcome::Error {
            kind: "framework-error",
            message: format!("framework error: a fault of Luthier or the machine (run {number})"),
        },
        Class::Unknown => Outcome::Skipped("unknown".to_owned()),
        Class::Timeout => {
            let limit = scored.cpu_limit.as_secs_f64();
            Outcome::Skipped(format!("timeout: {limit} s of CPU time"))
        }
        Class::Memout => Outcome::Skipped("the memory limit was reached".to_owned()),
        Class::Unsupported => Outcome::Skipped("unsupported by the solver".to_owned()),
        Class::Malformed => Outcome::Skipped("no answer that can be understood".to_owned()),
    }
}

/// When the first campaign began that has runs of a solver.
fn started(view: &View<'_>, solver: usize) -> Timestamp {
    let runs = view.iter().flat_map(|entry| view.runs(entry, solver));
    let starts = runs.map(|run| view.results.campaigns[run.campaign].campaign.started);
    starts.min_by_key(|time| time.0).unwrap_or(Timestamp(0))
}

#[derive(Default)]
struct Counts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    seconds: f64,
}

impl Counts {
    fn attributes(&self) -> String {
        let Self { tests, failures, errors, skipped, seconds } = self;
        format!(
            " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
             skipped=\"{skipped}\" time=\"{seconds:.3}\""
        )
    }

    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.seconds += other.seconds;
    }
}
