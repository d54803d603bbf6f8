//! `luthier compare`: what changed between two sides, and whether that is worse.
//!
//! The figures are those of the page "Run against run" and of `/api/v1/changes`: all three are
//! [`measures::compare`](luthier_report::measures::compare).

mod print;
mod record;
mod sides;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use luthier_records::parse_duration;
use luthier_report::documents::{ComparedSides, comparison_junit, comparison_markdown};
use luthier_report::measures::{NoiseBand, NoiseSource, Outcome, Thresholds, compare};
use luthier_report::{Results, View};

use crate::error::{CliError, Ending};
use crate::output::Output;
use crate::whole_file::WholeFile;
use sides::{Loaded, SideName};

const EXAMPLES: &str = "\
Examples:
  luthier compare main.db branch.db
  luthier compare main.db branch.db --markdown comment.md --junit compare.xml
  luthier compare results.db:z3@4.8.9 :z3@5.4.0
  luthier compare nightly.db nightly.db --before-campaign 1 --after-campaign 2";

const MORE: &str = "\
Which runs are compared:
  DB         every configuration of BEFORE with that of the same name of AFTER; if each side has
             only one, these two, whatever they are called
  DB:CONFIG  this configuration, by its name in the tables of `luthier summary`
  :CONFIG    as AFTER: this configuration of the database of BEFORE
Instances are the same if their contents are, whatever they are called. Of several repetitions the
one in the middle counts; a wrong one first. The ground truth is weighed from the evidence of both
databases together.

What counts:
  became wrong  a wrong answer or invalid model where there was none (exit code 2)
  changed       sat became unsat or vice versa, and no evidence decides (4)
  lost          solved by BEFORE only (4); not if it timed out and BEFORE needed more than 1/1.5 of
                the limit (--near-limit), which is listed as near the limit
  slower        of a set, or of all sets: the 99 % confidence interval of the median ratio of CPU
                times lies above 1.2, or above 1.5 if it was measured under load, with wall times
                more than 1.25 times the CPU times (--slower) (4); a single instance that takes 3
                times as long and a second more (--much-slower) (4). Other instances that are slower
                beyond noise are only listed
  --strict      also what is lost near the limit, and every slower instance (4)
Times of different processors are not judged.";

/// Compare two databases, configurations or campaigns: what is new, lost, wrong, slower
///
/// BEFORE and AFTER are databases (main.db) or configurations of one (main.db:z3@5.4.0). Every set
/// is compared: instances that are new (solved by AFTER only), lost, became wrong or are no longer
/// wrong, faster and slower beyond noise. Two runs of the same solver compare as no change, also if one of
/// them was made under load. Ends with 0 if it is the same or better, with 2 if an answer became
/// wrong, with 4 if something was lost or slower, and with 3 if there is nothing to compare.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MORE}\n\n{EXAMPLES}"))]
pub struct Arguments {
    /// The side before: DB or DB:CONFIG
    #[arg(value_name = "BEFORE")]
    before: String,
    /// The side after: DB, DB:CONFIG or :CONFIG
    #[arg(value_name = "AFTER")]
    after: String,
    /// Only runs of this campaign before, by its number or name
    #[arg(long, value_name = "CAMPAIGN")]
    before_campaign: Option<String>,
    /// Only runs of this campaign after
    #[arg(long, value_name = "CAMPAIGN")]
    after_campaign: Option<String>,
    /// Only these sets
    #[arg(long, value_name = "NAME")]
    set: Vec<String>,
    /// Write a comment for a pull request (-: standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write JUnit XML, with a failure for what got worse (-: standard output)
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Times of a set are slower beyond this factor [default: 1.2, under load 1.5]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    slower: Option<f64>,
    /// A single instance counts as slower from this factor on
    #[arg(long, value_name = "FACTOR", value_parser = factor, default_value = "3")]
    much_slower: f64,
    /// Instances are listed as slower or faster beyond this factor [default: measured, or 1.3]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    noise: Option<f64>,
    /// Instances are listed as slower or faster only beyond this difference
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "50ms")]
    noise_floor: Duration,
    /// The margin before the time limit in which a lost instance is noise
    #[arg(long, value_name = "FACTOR", value_parser = factor, default_value = "1.5")]
    near_limit: f64,
    /// Accept this many lost instances
    #[arg(long, value_name = "N", default_value_t = 0)]
    allow_lost: u64,
    /// Also count what is lost near the limit, and every slower instance
    #[arg(long)]
    strict: bool,
    /// List all instances, not only the first 10 of each kind
    #[arg(long)]
    all: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let before = SideName::parse(&arguments.before, None)?;
    let after = SideName::parse(&arguments.after, Some(&before.database))?;
    let before = before.of_campaign(arguments.before_campaign.as_deref());
    let after = after.of_campaign(arguments.after_campaign.as_deref());
    let loaded = Loaded::read(&before, &after)?;
    let pairs = loaded.pairs(&before, &after)?;
    let view = arguments.view(&loaded.results)?;
    let mut comparisons = Vec::new();
    for (first, second) in &pairs.sides {
        let mut solvers = vec![first.solver, second.solver];
        solvers.dedup();
        let view = view.clone().with_solvers(solvers);
        comparisons.push(ComparedSides {
            before: loaded.name(&before, *first),
            after: loaded.name(&after, *second),
            results: &loaded.results,
            comparison: compare(&view, *first, *second, &arguments.thresholds(&view)),
        });
    }
    for name in &pairs.alone {
        output.warn(&format!("not compared: {name}, which the other side does not have"));
    }
    arguments.write(&comparisons, output)?;
    let is_stdout = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if output.json {
        output.json_line(&record::Record::new(&comparisons, &pairs))?;
    } else if !is_stdout(&arguments.markdown) && !is_stdout(&arguments.junit) {
        print::print(&comparisons, arguments.all, output)?;
    }
    Ok(ending(&comparisons, output))
}

fn ending(comparisons: &[ComparedSides<'_>], output: &Output) -> Ending {
    let mut ending = Ending::Fine;
    for sides in comparisons {
        let one = match sides.comparison.outcome() {
            Outcome::BecameWrong => Ending::WrongAnswer,
            Outcome::Worse => Ending::Worse,
            _ if sides.comparison.all.tally.compared == 0 => {
                let (before, after) = (&sides.before, &sides.after);
                output.warn(&format!("{before} and {after} have no instance in common"));
                Ending::Incomplete
            }
            Outcome::Same | Outcome::Better => Ending::Fine,
        };
        // A wrong answer is the worst, then what got worse, then what is not known.
        let rank = |ending: Ending| match ending {
            Ending::WrongAnswer => 3,
            Ending::Worse => 2,
            Ending::Incomplete => 1,
            _ => 0,
        };
        if rank(one) > rank(ending) {
            ending = one;
        }
    }
    ending
}

impl Arguments {
    fn thresholds(&self, view: &View<'_>) -> Thresholds {
        let measured = NoiseBand::of(view);
        let band = match self.noise {
            Some(ratio) => NoiseBand { ratio, source: NoiseSource::Given, ..measured },
            None => measured,
        };
        let default = Thresholds::default();
        Thresholds {
            band: Some(NoiseBand { floor: self.noise_floor, ..band }),
            shift: self.slower.unwrap_or(default.shift),
            shift_under_load: self.slower.unwrap_or(default.shift_under_load),
            single: self.much_slower,
            near_limit: self.near_limit,
            lost: self.allow_lost,
            strict: self.strict,
        }
    }

    /// The sets that are asked for.
    fn view<'a>(&self, results: &'a Results) -> Result<View<'a>, CliError> {
        let mut view = View::all(results);
        if self.set.is_empty() {
            return Ok(view);
        }
        let names = || results.sets.iter().map(|set| set.name.as_str());
        if let Some(unknown) = self.set.iter().find(|name| names().all(|one| one != **name)) {
            let there: Vec<&str> = names().collect();
            return Err(CliError::usage(format!("there is no set {unknown:?}"))
                .with_hint(format!("there are: {}", there.join(", "))));
        }
        view.entries.retain(|&entry| {
            let set = results.set_of(&results.entries[entry]);
            self.set.contains(&results.sets[set].name)
        });
        Ok(view)
    }

    /// Writes the documents that are asked for.
    fn write(
        &self,
        comparisons: &[ComparedSides<'_>],
        output: &mut Output,
    ) -> Result<(), CliError> {
        type Render = fn(&[ComparedSides<'_>]) -> String;
        let documents: [(&Option<PathBuf>, Render); 2] =
            [(&self.markdown, comparison_markdown), (&self.junit, comparison_junit)];
        for (path, render) in documents {
            let Some(path) = path else { continue };
            let text = render(comparisons);
            if path == Path::new("-") {
                output.data(text.as_bytes())?;
            } else {
                let mut file = WholeFile::create(path)?;
                file.write(text.as_bytes())?;
                file.finish()?;
            }
        }
        Ok(())
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (1.0..=1e6).contains(&factor) => Ok(factor),
        _ => Err("expected a factor of at least 1, such as 1.2".to_owned()),
    }
}
