//! `luthier conformance`: tests releases against ground facts of the theory, operator by operator.

mod record;
mod solvers;
mod table;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::Args;
use luthier_ask::Solver;
use luthier_conformance::{FactOutcome, FactResult, Suite, SuiteError, Tally};
use luthier_records::parse_duration;
use luthier_runner::releases::{ConfigurationName, InvalidConfigurationName};

use crate::error::{CliError, Ending};
use crate::output::{self, Output};
use crate::text::{clean_name, counted, shorten};
use solvers::Examinee;

const EXAMPLES: &str = "\
Examples:
  luthier conformance                                    every release that is here
  luthier conformance --solver z3@5.4.0 --solver z3@4.8.9+z3str3 --install
  luthier conformance --solver ./my-z3 --only str.at --only regexes --list-wrong";

/// How many wrong answers are shown if not all are wanted.
const FEW: usize = 10;
/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Test releases on ground facts of the theory, operator by operator
///
/// The conformance suite has ground facts about every operator that the standard makes true. The
/// negation of each is put to a release; `unsat` is right. Releases that read the standard get the
/// text of the suite, older ones a translation into their dialect. A fact that fails in a batch is
/// repeated in a process of its own. Ends with 0 if all facts are answered right, with 2 if an
/// answer is wrong, with 3 if one is undecided or unsupported, and with 1 if there is no release.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A release, and option sets of it: z3@5.4.0, z3@4.8.9+z3str3, ./my-z3 [default: all here]
    #[arg(long, value_name = "SOLVER", value_parser = configuration_name)]
    solver: Vec<ConfigurationName>,
    /// Only this folder (strings), file (strings/str.at), operator (str.at) or fact (at-004)
    #[arg(long, value_name = "WHAT")]
    only: Vec<String>,
    /// Limit on CPU time per fact, such as 10s or 500ms
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    timeout: Duration,
    /// Parallel processes [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Install missing releases
    #[arg(long)]
    install: bool,
    /// List all wrong answers, each with a script
    #[arg(long)]
    list_wrong: bool,
    /// Print the table in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// The outcomes of all facts.
struct Results<'a> {
    suite: &'a Suite,
    examinees: &'a [Examinee],
    /// For each examinee, in the order of the facts.
    findings: Vec<Vec<FactResult>>,
    timeout: Duration,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let suite = Suite::embedded().and_then(|suite| suite.only(&arguments.only))?;
    let found = solvers::find(&arguments.solver, arguments.install, output)?;
    let jobs = arguments.jobs.or_else(|| available_parallelism().ok());
    let jobs = jobs.map_or(1, NonZeroUsize::get);
    let results = Results {
        findings: examine(&suite, &found.examinees, arguments.timeout, jobs),
        suite: &suite,
        examinees: &found.examinees,
        timeout: arguments.timeout,
    };
    if output.json {
        output.json_line(&record::Record::of(&results, &found.problems))?;
    } else if arguments.markdown {
        output.text(&table::markdown(&results))?;
    } else {
        let shown = if arguments.list_wrong { usize::MAX } else { FEW };
        print_wrong(&results, shown, output)?;
        output
            .bytes(table::terminal(&results, output::terminal_width(), output.paint).as_bytes())?;
    }
    results.complain_of_the_set_up(output);
    let all = Tally::of(results.findings.iter().flatten());
    Ok(if all.count(FactOutcome::Wrong) > 0 {
        Ending::WrongAnswer
    } else if all.count(FactOutcome::Right) < all.total() || !found.problems.is_empty() {
        Ending::Incomplete
    } else {
        Ending::Fine
    })
}

/// Runs the facts, with progress on the terminal.
fn examine(
    suite: &Suite,
    examinees: &[Examinee],
    timeout: Duration,
    jobs: usize,
) -> Vec<Vec<FactResult>> {
    let solvers: Vec<Solver> = examinees.iter().map(|one| one.solver.clone()).collect();
    let total = suite.facts.len() * solvers.len();
    let shows_progress = output::can_show_progress();
    let last = Mutex::new(None::<Instant>);
    let done = |settled: usize| {
        let Ok(mut last) = last.lock() else { return };
        if shows_progress && last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            *last = Some(Instant::now());
            let percent = settled * 100 / total.max(1);
            output::progress(&format!("{percent:>3}%  {settled} of {total} facts"));
        }
    };
    let findings = luthier_conformance::run_suite(&solvers, suite, timeout, jobs, &done);
    if shows_progress {
        output::progress("");
    }
    findings
}

/// Wrong answers come first.
fn print_wrong(results: &Results<'_>, shown: usize, output: &mut Output) -> Result<(), CliError> {
    for (examinee, findings) in results.examinees.iter().zip(&results.findings) {
        let facts = results.suite.facts.iter().zip(findings);
        let wrong: Vec<_> = facts
            .filter_map(|(fact, finding)| Some((fact, finding, finding.wrong.as_ref()?)))
            .collect();
        if wrong.is_empty() {
            continue;
        }
        let count = counted(wrong.len(), "wrong answer");
        let name = clean_name(&examinee.label);
        output.line(output.paint.error(&format!("{name}: {count}")))?;
        for (fact, finding, wrong) in wrong.iter().take(shown) {
            let operator = results.suite.files[fact.file].operator;
            let remark = match finding.detail.as_str() {
                "" => String::new(),
                detail => format!(" ({detail})"),
            };
            let text = shorten(&fact.text);
            output.line(format_args!("  {:<16} {operator}: {text}{remark}", fact.name))?;
            if shown == usize::MAX {
                for line in wrong.script.lines() {
                    output.line(format_args!("    {line}"))?;
                }
            }
        }
        let given = clean_name(&examinee.given);
        match wrong.len().checked_sub(shown) {
            Some(rest @ 1..) => output.line(format_args!(
                "  … and {rest} more; all, with scripts: luthier conformance --solver {given} \
                 --list-wrong"
            ))?,
            _ if shown != usize::MAX => output.line(format_args!(
                "  to see a script: luthier conformance --solver {given} --list-wrong --only {}",
                wrong[0].0.name
            ))?,
            _ => {}
        }
        output.line("")?;
    }
    Ok(())
}

impl Results<'_> {
    /// Facts that were not asked are framework errors, and one example is enough.
    fn complain_of_the_set_up(&self, output: &Output) {
        for (examinee, findings) in self.examinees.iter().zip(&self.findings) {
            let mut lost = findings.iter().filter(|one| one.outcome == FactOutcome::NotAsked);
            if let Some(first) = lost.next() {
                let count = counted(lost.count() + 1, "fact");
                output.warn(&format!(
                    "{}: {count} could not be asked: {}",
                    examinee.label, first.detail
                ));
            }
        }
    }
}

impl From<SuiteError> for CliError {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::File { .. } => Self::Bug { message: error.to_string() },
            SuiteError::NothingCalled { .. } => Self::usage(error.to_string()).with_hint(
                "name a folder (strings), a file (strings/str.at), an operator (str.at) or a fact \
                 (at-004); conformance/README.md lists them",
            ),
        }
    }
}

/// Reads a name on the command line, so that clap complains of a wrong one.
fn configuration_name(text: &str) -> Result<ConfigurationName, String> {
    text.parse().map_err(|error: InvalidConfigurationName| error.to_string())
}
