//! The findings of a view: wrong answers, invalid models and cores, conflicts, disputes, crashes.
//!
//! There is one finding for each place of a file, query, kind and solver, with the first run that shows
//! it and the number of runs that do: a repetition is not another finding. Conflicts and disputes are
//! about a query and have no solver; of a dispute the solvers whose answers are disputed are counted.
//! [`observe`](crate::observe) decides what a run shows, the ground truths of its queries which
//! evidence conflicts. A file that stands at several places is found at each of them.

use luthier_records::{FindingKind, Verdict};

use crate::observation::{Observation, is_dispute, of_conflict};
use crate::{JudgedContent, Results, RunInfo, View};

/// A finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The entry, as an index of the results.
    pub entry: usize,
    /// The query, from 0.
    pub query: usize,
    /// The solver, as an index of the results; `None` if it is about a query only.
    pub solver: Option<usize>,
    /// The number of the first run that shows it.
    pub run: Option<i64>,
    /// How many runs of the solver show it.
    pub runs: u64,
    /// The verdict of that run on the query.
    pub said: Option<Verdict>,
}

/// The findings of a view, with counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    totals: [u64; FindingKind::COUNT],
    by_solver: Vec<[u64; FindingKind::COUNT]>,
    /// The findings by kind, then entry, then query, then solver; of each kind at most as many as asked
    /// for.
    pub list: Vec<Finding>,
}

impl Findings {
    /// How many findings there are of a kind, also those that are not in the list.
    pub fn count(&self, kind: FindingKind) -> u64 {
        self.totals[kind as usize]
    }

    /// On how many queries a solver of the view, by its place there, shows this kind.
    pub fn count_of(&self, kind: FindingKind, position: usize) -> u64 {
        self.by_solver.get(position).map_or(0, |counts| counts[kind as usize])
    }

    /// The kinds of which there are findings, the worst first.
    pub fn kinds(&self) -> impl Iterator<Item = FindingKind> + '_ {
        FindingKind::observed().filter(|&kind| self.count(kind) > 0)
    }

    /// Whether some answer, model or core is certainly wrong.
    pub fn has_wrong(&self) -> bool {
        self.kinds().any(FindingKind::is_wrong)
    }

    /// The findings of a kind that are in the list.
    pub fn of_kind(&self, kind: FindingKind) -> impl Iterator<Item = &Finding> {
        self.list.iter().filter(move |finding| finding.kind == kind)
    }

    fn push(&mut self, finding: Finding, limit: usize) {
        let total = &mut self.totals[finding.kind as usize];
        *total += 1;
        if *total <= limit as u64 {
            self.list.push(finding);
        }
    }
}

impl Finding {
    /// For a dispute: the solvers whose disputed answer is `sat`, and those whose is `unsat`, as indices,
    /// each once and in their order. Both are empty for other findings.
    pub fn sides(&self, results: &Results) -> [Vec<usize>; 2] {
        let judged = &results.entries[self.entry].judged;
        let is_of_this = |one: &&Observation| {
            is_dispute(self.kind) && one.kind == self.kind && one.query as usize == self.query
        };
        [Verdict::Sat, Verdict::Unsat].map(|verdict| {
            let of_side = judged.observations.iter().filter(is_of_this);
            let of_side = of_side.filter(|one| one.said == Some(verdict));
            let runs = of_side.filter_map(|one| judged.runs.get(one.run as usize));
            let mut solvers: Vec<usize> = runs.map(|run| run.solver).collect();
            solvers.sort_unstable();
            solvers.dedup();
            solvers
        })
    }
}

/// The findings of a view. Of each kind at most `limit` are listed; all are counted.
pub fn findings(view: &View<'_>, limit: usize) -> Findings {
    let mut found = Findings {
        totals: [0; FindingKind::COUNT],
        by_solver: vec![[0; FindingKind::COUNT]; view.solvers.len()],
        list: Vec::new(),
    };
    for &entry in &view.entries {
        let judged = &view.results.entries[entry].judged;
        if judged.observations.is_empty()
            && judged.truths.iter().all(|truth| truth.conflicts.is_empty())
        {
            continue;
        }
        for (finding, position) in of_entry(view, entry, judged) {
            if let Some(position) = position {
                found.by_solver[position][finding.kind as usize] += 1;
            }
            if position.is_none() || !is_dispute(finding.kind) {
                found.push(finding, limit);
            }
        }
    }
    // Stable, so that entries and queries stay in their order.
    found.list.sort_by_key(|finding| finding.kind);
    found
}

/// The findings of an entry, with the place of their solver in the view. A dispute comes once for each
/// solver, to be counted, and once for itself.
fn of_entry(
    view: &View<'_>,
    entry: usize,
    judged: &JudgedContent,
) -> Vec<(Finding, Option<usize>)> {
    let of_query =
        |kind, query| Finding { kind, entry, query, solver: None, run: None, runs: 0, said: None };
    let mut found: Vec<(Finding, Option<usize>)> = Vec::new();
    for (query, truth) in judged.truths.iter().enumerate() {
        let kinds = truth.conflicts.iter().filter_map(|conflict| of_conflict(*conflict));
        found.extend(kinds.map(|kind| (of_query(kind, query), None)));
    }
    for (one, run) in observed(view, judged) {
        let query = one.query as usize;
        let position = view.solvers.iter().position(|&solver| solver == run.solver);
        let finding = Finding {
            solver: Some(run.solver),
            run: Some(run.number),
            said: one.said,
            ..of_query(one.kind, query)
        };
        found.push((finding, position));
        if is_dispute(one.kind) {
            found.push((of_query(one.kind, query), None));
        }
    }
    // Stable, so that of several runs the first stays the first.
    let key =
        |(finding, position): &(Finding, Option<usize>)| (finding.query, finding.kind, *position);
    found.sort_by_key(key);
    let mut merged: Vec<(Finding, Option<usize>)> = Vec::with_capacity(found.len());
    for one in found {
        if merged.last().is_none_or(|last| key(last) != key(&one)) {
            merged.push(one);
        }
        if let (Some((last, _)), (Finding { run: Some(_), .. }, _)) = (merged.last_mut(), &one) {
            last.runs += 1;
        }
    }
    merged
}

/// The observations that the view looks at, each with its run.
fn observed<'a>(
    view: &'a View<'_>,
    judged: &'a JudgedContent,
) -> impl Iterator<Item = (&'a Observation, &'a RunInfo)> {
    judged.observations.iter().filter_map(move |one| {
        let run = judged.runs.get(one.run as usize)?;
        view.includes(run).then_some((one, run))
    })
}
