//! Solved instances by expected answer: how many of the satisfiable and of the unsatisfiable
//! instances of each set every solver solved.
//!
//! The answer of an instance is its ground truth ([`JudgedContent::expected`]): a planted answer, a
//! checked model, a label, the status, agreement, in this order. An instance without one is in neither
//! table. Only instances that every solver of the view has run count, so that all are compared on the
//! same ones.
//!
//! *Solved* is defined as everywhere ([`ScoredRun::is_solved`](crate::ScoredRun::is_solved)): answered,
//! no answer known to be wrong, no model invalid. A `sat` with an invalid model is therefore not solved,
//! also where `sat` is the answer. CPU time is that of all runs that count, solved or not.

use luthier_records::{CpuTime, FindingKind, Verdict};

use crate::{JudgedContent, View};

/// What the solvers of a view did on the instances of one set that have one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRow {
    /// The set, as an index of the results.
    pub set: usize,
    /// How many instances there are.
    pub instances: u64,
    /// One for each solver of the view, in its order.
    pub cells: Vec<AnswerCell>,
}

/// What one solver did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCell {
    /// How many instances it solved.
    pub solved: u64,
    /// On how many its run shows each kind of finding by which it is wrong, see
    /// [`AnswerCell::count`].
    errors: [u64; FindingKind::COUNT],
    /// The CPU time of its runs.
    pub cpu: CpuTime,
}

impl AnswerCell {
    /// On how many instances the run that counts shows this kind of finding.
    pub fn count(&self, kind: FindingKind) -> u64 {
        self.errors[kind as usize]
    }

    /// On how many an answer is wrong. Instances have one query here, so no run shows both kinds.
    pub fn wrong(&self) -> u64 {
        self.count(FindingKind::WrongUnsat) + self.count(FindingKind::WrongSat)
    }

    /// Adds what was done on other instances.
    pub fn merge(&mut self, other: &Self) {
        self.solved += other.solved;
        self.errors.iter_mut().zip(&other.errors).for_each(|(count, more)| *count += more);
        self.cpu = CpuTime(self.cpu.0.saturating_add(other.cpu.0));
    }
}

/// A row for each set of the view that has instances with this answer.
pub fn by_answer(view: &View<'_>, answer: Verdict) -> Vec<AnswerRow> {
    let mut rows: Vec<AnswerRow> = Vec::new();
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        if JudgedContent::expected(&entry.judged).map(|(verdict, _)| verdict) != Some(answer) {
            continue;
        }
        let runs: Option<Vec<_>> =
            view.solvers.iter().map(|&solver| view.run(entry, solver)).collect();
        let Some(runs) = runs.filter(|runs| runs.iter().all(|run| run.scored.is_scored())) else {
            continue;
        };
        let set = view.results.set_of(entry);
        // Entries are ordered by set.
        if rows.last().is_none_or(|row| row.set != set) {
            let cells = vec![AnswerCell::default(); view.solvers.len()];
            rows.push(AnswerRow { set, instances: 0, cells });
        }
        let Some(row) = rows.last_mut() else { continue };
        row.instances += 1;
        for (cell, run) in row.cells.iter_mut().zip(runs) {
            let scored = &run.scored;
            cell.solved += u64::from(scored.is_solved());
            let observations = entry.judged.observations_of(run);
            let mut kinds: Vec<FindingKind> =
                observations.map(|one| one.kind).filter(|kind| kind.is_solver_error()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds.into_iter().for_each(|kind| cell.errors[kind as usize] += 1);
            cell.cpu = CpuTime(cell.cpu.0.saturating_add(scored.cpu.0));
        }
    }
    rows
}
