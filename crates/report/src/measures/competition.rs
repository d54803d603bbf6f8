//! Scores in the style of SMT-COMP: the division scores of its rules of 2023 and 2024 (section
//! "Scoring"), with a view as the division.
//!
//! Each solver gets on each entry an error score e (1 if an answer is wrong or a model invalid), a
//! correctly solved score n (1 if it answered and nothing is known against it; where nothing is known,
//! an answer counts as correct, as in the rules), a wall-clock score w and a CPU score c: the times if
//! n = 1, otherwise 0. Scores are added over entries. Which entries and times are considered:
//!
//! | score       | considered                                     | better                          |
//! |-------------|------------------------------------------------|---------------------------------|
//! | parallel    | all                                            | fewer e, more n, less w, less c |
//! | sequential  | n only if c is within the CPU limit of the run | fewer e, more n, less c         |
//! | sat         | satisfiable entries                            | as parallel                     |
//! | unsat       | unsatisfiable entries                          | as parallel                     |
//! | 24 seconds  | e and n only within 24 s of wall time          | as parallel                     |
//!
//! * An entry is satisfiable if that is its ground truth. If nothing decides, it is what the
//!   solver in question answered.
//! * Disagreements are removed: an entry does not count for any solver if the answer of a solver of the
//!   view is disputed there, that is, if solvers contradict each other and nothing decides.
//! * The representative run of an entry counts. Missing runs and framework errors score nothing, as if
//!   the solver had not answered; [`Standing`](crate::measures::Standing) counts them.
//! * Here the CPU limit decides what a timeout is and the wall limit is only a safety net, so "within
//!   the limit" of the parallel score is what the class of the run says.
//! * A class stands for a whole run. An answer before a crash gives n = 0 here, while the rules count it.

use std::cmp::Ordering;
use std::time::Duration;

use luthier_records::{Class, CpuTime, Judgement, Verdict, WallTime};

use super::rows::{add, for_each_row, ranks, scored};
use crate::{Entry, ScoredRun, View};

/// Which score it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompetitionKind {
    /// By wall time.
    Parallel,
    /// By CPU time.
    Sequential,
    /// On satisfiable entries.
    Sat,
    /// On unsatisfiable entries.
    Unsat,
    /// Within 24 seconds of wall time.
    TwentyFourSeconds,
}

/// All scores of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competition {
    /// How many entries are considered.
    pub entries: u64,
    /// How many were removed, since solvers disagree.
    pub removed: u64,
    /// One table for each of [`CompetitionKind::ALL`], in its order.
    pub tables: [CompetitionTable; 5],
}

/// The scores of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompetitionTable {
    /// Which.
    pub kind: CompetitionKind,
    /// One for each solver of the view, in its order.
    pub scores: Vec<CompetitionScore>,
}

/// The score of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompetitionScore {
    /// The solver, as an index of the results.
    pub solver: usize,
    /// e: how many entries have a wrong answer or an invalid model.
    pub errors: u64,
    /// n: how many entries are solved.
    pub solved: u64,
    /// w: the wall time of solved entries.
    pub wall: WallTime,
    /// c: the CPU time of solved entries.
    pub cpu: CpuTime,
    /// The place, from 1; equal scores share it.
    pub rank: usize,
}

/// The limit of the 24-seconds score.
const TWENTY_FOUR_SECONDS: WallTime = WallTime(Duration::from_secs(24));

impl CompetitionKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Parallel, Self::Sequential, Self::Sat, Self::Unsat, Self::TwentyFourSeconds];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::Sequential => "sequential",
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::TwentyFourSeconds => "24s",
        }
    }

    /// Better scores first.
    pub fn compare(self, left: &CompetitionScore, right: &CompetitionScore) -> Ordering {
        let key = |score: &CompetitionScore| {
            let by_wall = (score.wall.0, score.cpu.0);
            let times = match self {
                Self::Sequential => (score.cpu.0, Duration::ZERO),
                Self::Parallel | Self::Sat | Self::Unsat | Self::TwentyFourSeconds => by_wall,
            };
            (score.errors, std::cmp::Reverse(score.solved), times)
        };
        key(left).cmp(&key(right))
    }

    /// e and n of a run on an entry; at most one of them is set.
    fn of_run(self, entry: &Entry, run: &ScoredRun) -> (bool, bool) {
        let is_considered = match self {
            Self::Parallel | Self::Sequential => true,
            Self::TwentyFourSeconds => run.wall <= TWENTY_FOUR_SECONDS,
            Self::Sat => truth(entry, run) == Some(Verdict::Sat),
            Self::Unsat => truth(entry, run) == Some(Verdict::Unsat),
        };
        let in_time = self != Self::Sequential || run.cpu <= run.cpu_limit;
        (is_considered && run.is_refuted(), is_considered && in_time && run.is_solved())
    }
}

impl Competition {
    /// The table of a kind.
    pub fn table(&self, kind: CompetitionKind) -> &CompetitionTable {
        &self.tables[kind as usize]
    }
}

impl CompetitionTable {
    /// The scores, the best first. Equal ones stay in the order of the view.
    pub fn by_rank(&self) -> Vec<CompetitionScore> {
        let mut scores = self.scores.clone();
        scores.sort_by_key(|score| score.rank);
        scores
    }
}

/// The scores of all solvers of the view on all its entries.
pub fn competition(view: &View<'_>) -> Competition {
    let mut builder = Builder::new(view);
    for_each_row(view, |_, entry, runs| {
        builder.add(entry, runs.iter().map(|run| scored(*run).map(|run| &run.scored)));
    });
    builder.finish()
}

/// The same for each set that has entries in the view: the index of the set and its scores.
pub fn competition_per_set(view: &View<'_>) -> Vec<(usize, Competition)> {
    let sets = builders_of_sets(view).into_iter();
    sets.map(|(set, builder)| (set, builder.finish())).collect()
}

/// Both of it, in one pass.
pub(super) fn competition_of_all_and_sets(
    view: &View<'_>,
) -> (Competition, Vec<(usize, Competition)>) {
    let builders = builders_of_sets(view);
    let mut all = Builder::new(view);
    builders.iter().for_each(|(_, builder)| all.merge(builder));
    let sets = builders.into_iter().map(|(set, builder)| (set, builder.finish()));
    (all.finish(), sets.collect())
}

fn builders_of_sets(view: &View<'_>) -> Vec<(usize, Builder)> {
    let mut builders: Vec<Option<Builder>> = vec![None; view.results.sets.len()];
    for_each_row(view, |_, entry, runs| {
        let set = view.results.set_of(entry);
        let builder = builders[set].get_or_insert_with(|| Builder::new(view));
        builder.add(entry, runs.iter().map(|run| scored(*run).map(|run| &run.scored)));
    });
    let sets = builders.into_iter().enumerate();
    sets.filter_map(|(set, builder)| Some((set, builder?))).collect()
}

/// Whether solvers contradict each other here, and nothing decides.
pub(super) fn is_disputed<'a>(mut runs: impl Iterator<Item = Option<&'a ScoredRun>>) -> bool {
    runs.any(|run| run.is_some_and(|run| run.judgement == Judgement::Disputed))
}

/// The ground truth of an entry; the answer of the solver if nothing decides.
fn truth(entry: &Entry, run: &ScoredRun) -> Option<Verdict> {
    let answered = match run.class {
        Class::Sat => Some(Verdict::Sat),
        Class::Unsat => Some(Verdict::Unsat),
        _ => None,
    };
    entry.judged.expected().map(|(verdict, _)| verdict).or(answered)
}

#[derive(Clone)]
struct Builder {
    entries: u64,
    removed: u64,
    tables: [Vec<CompetitionScore>; 5],
}

impl Builder {
    fn new(view: &View<'_>) -> Self {
        let empty = |&solver: &usize| CompetitionScore {
            solver,
            errors: 0,
            solved: 0,
            wall: WallTime::default(),
            cpu: CpuTime::default(),
            rank: 1,
        };
        let table: Vec<CompetitionScore> = view.solvers.iter().map(empty).collect();
        Self { entries: 0, removed: 0, tables: std::array::from_fn(|_| table.clone()) }
    }

    fn add<'a>(
        &mut self,
        entry: &Entry,
        runs: impl Iterator<Item = Option<&'a ScoredRun>> + Clone,
    ) {
        if is_disputed(runs.clone()) {
            self.removed += 1;
            return;
        }
        self.entries += 1;
        for (kind, table) in CompetitionKind::ALL.into_iter().zip(&mut self.tables) {
            for (run, score) in runs.clone().zip(table.iter_mut()) {
                let Some(run) = run else { continue };
                let (error, solved) = kind.of_run(entry, run);
                score.errors += u64::from(error);
                if solved {
                    score.solved += 1;
                    score.wall.0 = score.wall.0.saturating_add(run.wall.0);
                    add(&mut score.cpu, run.cpu);
                }
            }
        }
    }

    /// Adds the scores on other entries.
    fn merge(&mut self, other: &Builder) {
        self.entries += other.entries;
        self.removed += other.removed;
        let tables = self.tables.iter_mut().zip(&other.tables);
        for (score, more) in tables.flat_map(|(table, other)| table.iter_mut().zip(other)) {
            score.errors += more.errors;
            score.solved += more.solved;
            score.wall.0 = score.wall.0.saturating_add(more.wall.0);
            add(&mut score.cpu, more.cpu);
        }
    }

    fn finish(self) -> Competition {
        let mut tables = self.tables.into_iter();
        let tables = CompetitionKind::ALL.map(|kind| {
            let mut scores = tables.next().unwrap_or_default();
            let ranks = ranks(&scores, |left, right| kind.compare(left, right));
            scores.iter_mut().zip(ranks).for_each(|(score, rank)| score.rank = rank);
            CompetitionTable { kind, scores }
        });
        Competition { entries: self.entries, removed: self.removed, tables }
    }
}
