//! A view: a selection of solvers, entries and optionally a campaign of [`Results`].

use crate::results::{Entry, Results, RunInfo, representative};

/// A choice of solvers and entries. Every score, chart and table is made of one.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// What it is a view of.
    pub results: &'a Results,
    /// The solvers, as indices, in the order in which they are shown.
    pub solvers: Vec<usize>,
    /// The entries, as indices, ascending.
    pub entries: Vec<usize>,
    /// Only runs of this campaign, if one is given.
    pub campaign: Option<usize>,
}

impl<'a> View<'a> {
    /// All solvers that have runs, on all entries.
    pub fn all(results: &'a Results) -> Self {
        let solvers = results.solvers_with_runs().to_vec();
        View { results, solvers, entries: (0..results.entries.len()).collect(), campaign: None }
    }

    /// The same with these solvers, in this order.
    pub fn with_solvers(self, solvers: Vec<usize>) -> Self {
        View { solvers, ..self }
    }

    /// The same with the entries of this set only.
    pub fn of_set(mut self, set: usize) -> Self {
        let range = self.results.sets[set].entries.clone();
        self.entries.retain(|entry| range.contains(entry));
        self
    }

    /// The same with the entries of this track only.
    pub fn of_track(mut self, track: usize) -> Self {
        let range = self.results.tracks[track].entries.clone();
        self.entries.retain(|entry| range.contains(entry));
        self
    }

    /// The same with runs of this campaign only.
    pub fn of_campaign(self, campaign: usize) -> Self {
        View { campaign: Some(campaign), ..self }
    }

    /// The same with the entries that pass.
    pub fn filter(mut self, mut keep: impl FnMut(&View<'a>, &'a Entry) -> bool) -> Self {
        let entries = std::mem::take(&mut self.entries);
        let kept = entries
            .into_iter()
            .filter(|&entry| keep(&self, &self.results.entries[entry]))
            .collect();
        self.entries = kept;
        self
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = &'a Entry> + use<'_, 'a> {
        self.entries.iter().map(|&entry| &self.results.entries[entry])
    }

    /// Whether a run belongs to the view.
    pub fn includes(&self, run: &RunInfo) -> bool {
        self.solvers.contains(&run.solver)
            && self.campaign.is_none_or(|campaign| run.campaign == campaign)
    }

    /// All runs of a solver on an entry that belong to the view.
    pub fn runs(
        &self,
        entry: &'a Entry,
        solver: usize,
    ) -> impl Iterator<Item = &'a RunInfo> + use<'a> {
        let campaign = self.campaign;
        let runs = entry.judged.runs_of(solver).iter();
        runs.filter(move |run| campaign.is_none_or(|one| run.campaign == one))
    }

    /// The representative run of the repetitions of a solver on an entry, see [`representative`].
    pub fn run(&self, entry: &'a Entry, solver: usize) -> Option<&'a RunInfo> {
        representative(self.runs(entry, solver))
    }
}
