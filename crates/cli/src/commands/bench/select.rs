//! `luthier bench select`: files of sets by operator, size, status, history of answers, or at random, without
//! duplicates, as a selection that can be shared and run again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use luthier_corpus::Selection;
use luthier_corpus::audit::{
    Examined, Facts, Member, ProvenAnswers, operator_named, operator_names,
};
use luthier_corpus::sets::{Sets, common_folder, near};
use luthier_records::{Bytes, Digest, ProvenAnswer, Verdict, parse_bytes};
use luthier_results::load;
use luthier_store::Store;
use serde::Serialize;

use super::audit::proven;
use super::chosen::{chosen, read};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;
use crate::whole_file::WholeFile;

const EXAMPLES: &str = "\
Examples:
  luthier bench select kaluza --no-duplicates --random 100 --seed 1 --out hundred.tsv
  luthier bench select pyex --operator str.replace_all --max-size 10kB --out replace.tsv
  luthier bench select kaluza --db results.db --answered-by z3 --not-solved-by cvc5 --out hard.tsv
  luthier run --selection hard.tsv --solver cvc5@1.4.2 --db hard.db";

/// Select files of benchmark sets, as a file that can be shared and run again
///
/// A file is selected if it fulfils all conditions. The selection is a table of sets, paths and SHA-256 digests
/// (docs/benchmarks.md), written to --out or standard output. --random draws from what is left after all other
/// conditions, and depends only on the files and the seed. Solvers are named as in `luthier summary`, or by the part
/// before the @. Ends with 0, and with 3 if a file of a set cannot be opened.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Sets by name or path [default: all that are on this machine]
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// With this operator of the theory of strings; several: with all of them
    #[arg(long, value_name = "NAME", value_parser = operator)]
    operator: Vec<usize>,
    /// Without this operator
    #[arg(long, value_name = "NAME", value_parser = operator)]
    without_operator: Vec<usize>,
    /// At least this size
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    min_size: Option<Bytes>,
    /// At most this size
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_size: Option<Bytes>,
    /// By what (set-info :status ...) says
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// Of files with the same bytes only the first
    #[arg(long)]
    no_duplicates: bool,
    /// Of files that are the same up to renaming, reordering and dialect only the first
    #[arg(long)]
    no_variants: bool,
    /// A database with the history of answers; several count together
    #[arg(long, value_name = "DB")]
    db: Vec<PathBuf>,
    /// This solver answered sat or unsat
    #[arg(long, value_name = "SOLVER", requires = "db")]
    answered_by: Vec<String>,
    /// This solver did not answer, or was not run
    #[arg(long, value_name = "SOLVER", requires = "db")]
    not_answered_by: Vec<String>,
    /// This solver answered, and no answer or model of it is known to be wrong
    #[arg(long, value_name = "SOLVER", requires = "db")]
    solved_by: Vec<String>,
    /// The opposite of --solved-by
    #[arg(long, value_name = "SOLVER", requires = "db")]
    not_solved_by: Vec<String>,
    /// By what the runs prove: sat, unsat, or open
    #[arg(long, value_name = "ANSWER", requires = "db", hide_possible_values = true)]
    proven: Option<Proven>,
    /// So many files at random, by --seed
    #[arg(long, value_name = "N")]
    random: Option<usize>,
    /// Seed of --random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Parallel files [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// What a file says about its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Status {
    Sat,
    Unsat,
    Unknown,
    None,
}

/// What the runs of databases prove about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Proven {
    Sat,
    Unsat,
    /// Nothing, or not for all of its queries.
    Open,
}

/// The JSON of `luthier bench select`, if the selection goes to a file.
#[derive(Serialize)]
struct Record {
    version: u32,
    out: String,
    /// Files that were looked at.
    files: usize,
    selected: usize,
    /// Selected files by set.
    sets: BTreeMap<String, usize>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    if output.json && arguments.out.is_none() {
        return Err(CliError::usage("with --json the selection needs a file")
            .with_hint("name it with --out FILE"));
    }
    let sets = chosen(&arguments.sets, &Sets::of_user()?)?;
    let history = History::read(arguments)?;
    let examined = read(sets, arguments.jobs, output)?;
    let selection = select(arguments, &examined, &history);
    let files = examined.sets.iter().map(|set| set.members.len()).sum();
    let unreadable = examined.sets.iter().any(|set| !set.unreadable.is_empty());
    let text = selection.to_text();
    match &arguments.out {
        None => output.data(text.as_bytes())?,
        Some(path) => {
            let mut file = WholeFile::create(path)?;
            file.write(text.as_bytes())?;
            file.finish()?;
            let selected = selection.len();
            let out = path.display().to_string();
            if output.json {
                let of_set = selection.sets.iter();
                let sets = of_set.map(|(set, files)| (set.clone(), files.len())).collect();
                output.json_line(&Record { version: VERSION, out, files, selected, sets })?;
            } else {
                output.message(format_args!(
                    "{selected} of {} selected: {out}",
                    counted(files, "file")
                ));
            }
        }
    }
    if selection.is_empty() {
        output.warn("no file fulfils all conditions");
    }
    Ok(if unreadable { Ending::Incomplete } else { Ending::Fine })
}

fn select(arguments: &Arguments, examined: &Examined, history: &History) -> Selection {
    let mut kept: Vec<(usize, &Member)> = Vec::new();
    let mut contents: HashSet<Digest> = HashSet::new();
    let mut forms: HashSet<Digest> = HashSet::new();
    for (number, set) in examined.sets.iter().enumerate() {
        for member in &set.members {
            let (facts, digest) = (examined.facts(member), examined.digest(member));
            if !arguments.accept(facts)
                || !history.accepts(arguments, digest)
                || arguments.proven.is_some_and(|wanted| history.proven(digest, facts) != wanted)
            {
                continue;
            }
            let form = facts.form.map_or(digest, |form| form.digest);
            let is_new = (!arguments.no_duplicates || contents.insert(digest))
                && (!arguments.no_variants || forms.insert(form));
            if is_new {
                kept.push((number, member));
            }
        }
    }
    if let Some(count) = arguments.random {
        kept = draw(kept, count, arguments.seed, examined);
    }
    let folders: Vec<String> = examined
        .sets
        .iter()
        .map(|set| common_folder(set.members.iter().map(|member| member.name.as_str())))
        .collect();
    let mut selection = Selection::default();
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    selection.remarks.push(format!("luthier {}", shell_words::join(words)));
    for (number, member) in kept {
        let path = &member.name[folders[number].len()..];
        selection.add(&examined.sets[number].set.name, path, examined.digest(member));
    }
    selection
}

/// The files with the smallest digests of seed, set, name and content, in their old order. Which these are does not
/// depend on the order of the files.
fn draw<'a>(
    kept: Vec<(usize, &'a Member)>,
    count: usize,
    seed: u64,
    examined: &Examined,
) -> Vec<(usize, &'a Member)> {
    let mut ranked: Vec<(Digest, usize)> = kept
        .iter()
        .enumerate()
        .map(|(position, (number, member))| {
            let mut text = seed.to_le_bytes().to_vec();
            text.extend_from_slice(examined.digest(member).as_bytes());
            text.extend_from_slice(examined.sets[*number].set.name.as_bytes());
            text.push(0);
            text.extend_from_slice(member.name.as_bytes());
            (Digest::of(&text), position)
        })
        .collect();
    ranked.sort_unstable();
    ranked.truncate(count);
    let mut positions: Vec<usize> = ranked.into_iter().map(|(_, position)| position).collect();
    positions.sort_unstable();
    positions.into_iter().map(|position| kept[position]).collect()
}

impl Arguments {
    /// Whether a file fulfils the conditions about itself.
    fn accept(&self, facts: &Facts) -> bool {
        let has = |wanted: &usize| {
            facts.operators.iter().any(|(operator, _)| usize::from(*operator) == *wanted)
        };
        let status = match self.status {
            None => true,
            Some(Status::None) => facts.statuses.iter().all(Option::is_none),
            Some(Status::Sat) => facts.statuses.contains(&Some(Verdict::Sat)),
            Some(Status::Unsat) => facts.statuses.contains(&Some(Verdict::Unsat)),
            Some(Status::Unknown) => facts.statuses.contains(&Some(Verdict::Unknown)),
        };
        status
            && self.operator.iter().all(has)
            && !self.without_operator.iter().any(has)
            && self.min_size.is_none_or(|least| facts.bytes >= least.0)
            && self.max_size.is_none_or(|most| facts.bytes <= most.0)
    }
}

/// Which solvers answered which contents.
#[derive(Default)]
struct History {
    /// For each content the labels of solvers that answered, and whether they solved it.
    answers: HashMap<Digest, Vec<(usize, bool)>>,
    solvers: Vec<String>,
    proven: ProvenAnswers,
}

impl History {
    fn read(arguments: &Arguments) -> Result<Self, CliError> {
        let mut history = Self::default();
        if arguments.proven.is_some() {
            history.proven = proven(&arguments.db)?;
        }
        for path in &arguments.db {
            let results = load(&Store::open_read_only(path)?)?;
            let first = history.solvers.len();
            history.solvers.extend(results.solvers.iter().map(|solver| solver.label.clone()));
            for entry in &results.entries {
                let runs = entry.judged.runs.iter().filter(|run| run.scored.class.is_decided());
                let answers = history.answers.entry(entry.judged.content.digest).or_default();
                answers.extend(runs.map(|run| (first + run.solver, run.scored.is_solved())));
            }
        }
        let asked = [
            &arguments.answered_by,
            &arguments.not_answered_by,
            &arguments.solved_by,
            &arguments.not_solved_by,
        ];
        for name in asked.into_iter().flatten() {
            if !history.solvers.iter().any(|label| is_solver(label, name)) {
                let known = history.solvers.join(", ");
                return Err(CliError::usage(format!("no solver `{name}` was run"))
                    .with_hint(format!("there are {known}")));
            }
        }
        Ok(history)
    }

    /// What is proven about all queries of a file.
    fn proven(&self, digest: Digest, facts: &Facts) -> Proven {
        let answers = self.proven.get(&(digest, facts.dialect)).map(Vec::as_slice);
        let answers = answers.unwrap_or_default();
        let is_all = |wanted: Verdict| {
            let is_wanted =
                |one: &Option<ProvenAnswer>| one.as_ref().is_some_and(|one| one.verdict == wanted);
            !answers.is_empty() && answers.iter().all(is_wanted)
        };
        if is_all(Verdict::Sat) {
            Proven::Sat
        } else if is_all(Verdict::Unsat) {
            Proven::Unsat
        } else {
            Proven::Open
        }
    }

    fn accepts(&self, arguments: &Arguments, digest: Digest) -> bool {
        let answers = self.answers.get(&digest).map(Vec::as_slice).unwrap_or_default();
        let answered = |name: &String| {
            answers.iter().any(|(solver, _)| is_solver(&self.solvers[*solver], name))
        };
        let solved = |name: &String| {
            let is_of = |(solver, is_solved): &(usize, bool)| {
                *is_solved && is_solver(&self.solvers[*solver], name)
            };
            answers.iter().any(is_of)
        };
        arguments.answered_by.iter().all(answered)
            && !arguments.not_answered_by.iter().any(answered)
            && arguments.solved_by.iter().all(solved)
            && !arguments.not_solved_by.iter().any(solved)
    }
}

/// Whether a label is that of a solver: the same, or the same up to the version.
fn is_solver(label: &str, name: &str) -> bool {
    label == name || label.strip_prefix(name).is_some_and(|rest| rest.starts_with('@'))
}

fn operator(text: &str) -> Result<usize, String> {
    operator_named(text).ok_or_else(|| {
        let near = near(text, operator_names().iter().copied());
        let names = if near.is_empty() {
            operator_names().to_vec()
        } else {
            near.iter().map(String::as_str).collect()
        };
        let words = if near.is_empty() { "operators are" } else { "did you mean" };
        format!("{words} {}", names.join(", "))
    })
}
