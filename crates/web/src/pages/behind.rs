//! The instances behind a figure: the address of the comparison that lists them.

use luthier_report::Results;
use luthier_report::measures::FilterKind;

use super::choice::{MOST_BY_DEFAULT, Scope};
use super::query::Query;

/// Figures over some instances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind<'a> {
    results: &'a Results,
    scope: Scope,
}

impl<'a> Behind<'a> {
    /// Figures over these instances.
    pub fn of(results: &'a Results, scope: Scope) -> Self {
        Self { results, scope }
    }

    /// Figures over a set.
    pub fn of_set(results: &'a Results, set: usize) -> Self {
        Self::of(results, Scope { set: Some(set), track: None })
    }

    /// Where the instances are listed on which this came of the runs of a solver, or of any.
    pub fn address(&self, solver: Option<usize>, kind: FilterKind) -> String {
        let results = self.results;
        let number = |solver: usize| results.solvers[solver].number;
        let mut query = self.scope.add_to(results, Query::default());
        let all = results.solvers_with_runs();
        // The page compares the first solvers unless others are named. Whether an instance is
        // solved by one only depends on all of them.
        if all.len() > MOST_BY_DEFAULT {
            let named = match solver {
                Some(solver) if kind != FilterKind::Unique => vec![solver],
                _ => all.to_vec(),
            };
            query = named.into_iter().fold(query, |query, one| query.with("solver", number(one)));
        }
        query
            .maybe("kind", Some(kind.name()).filter(|_| kind != FilterKind::All))
            .maybe("of", solver.filter(|_| kind != FilterKind::All).map(number))
            .address("/compare")
    }

    /// The scope as a query, for addresses of other pages and of charts.
    pub fn query(&self) -> Query {
        self.scope.add_to(self.results, Query::default())
    }
}
