//! Which operators are shown in which order: read from an address, and written as one.

use luthier_report::measures::{
    FeatureCell, FeatureRow, FeatureTable, FilterKind, is_string_operator,
};
use luthier_report::{Results, View};

use crate::address::Parameters;
use crate::error::PageError;
use crate::pages::choice::{Scope, Solvers, direction, find_solver};
use crate::pages::query::Query;

/// The address of the page.
pub(super) const PATH: &str = "/operators";

const PARAMETERS: [&str; 5] = ["set", "track", "solver", "sort", "page"];

/// A figure of a solver on the instances with an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Figure {
    /// The share that it solved.
    Share,
    /// The share as a multiple of that of all instances.
    Lift,
    /// Wrong answers and invalid models.
    Wrong,
    /// The mean of PAR2.
    Par2,
}

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// How many instances use it.
    Uses,
    /// Its name.
    Name,
    /// A figure of a solver, which is an index of the results.
    Of(Figure, usize),
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Which instances there are.
    pub scope: Scope,
    /// Who is looked at.
    pub solvers: Solvers,
    /// What decides the order.
    pub key: Key,
    /// The largest first.
    pub descending: bool,
    /// Which page of the list, from 1.
    pub page: usize,
}

impl Figure {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 4] = [Self::Share, Self::Lift, Self::Wrong, Self::Par2];

    fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Lift => "lift",
            Self::Wrong => "wrong",
            Self::Par2 => "par2",
        }
    }

    fn of(self, cell: &FeatureCell, overall: &FeatureCell) -> Option<f64> {
        match self {
            Self::Share => cell.share(),
            Self::Lift => cell.lift(overall),
            Self::Wrong => Some(cell.wrong as f64),
            Self::Par2 => cell.par2_mean(),
        }
    }
}

/// String operators come first, then everything else, each by use, unless somebody wants it
/// otherwise.
const DEFAULT: (Key, bool) = (Key::Uses, true);

impl Key {
    /// Reads `sort`: by what, and whether the largest come first.
    fn read(
        results: &Results,
        parameters: &Parameters,
        solvers: &Solvers,
    ) -> Result<(Self, bool), PageError> {
        let Some(text) = parameters.get("sort") else { return Ok(DEFAULT) };
        let wrong = || {
            PageError::bad_request(format!(
                "sort cannot be “{text}”; it is one of uses, name, share:SOLVER, lift:SOLVER, \
                 wrong:SOLVER and par2:SOLVER, with the number of a solver, and with a minus before \
                 it for descending."
            ))
        };
        let (name, descending) = direction(text);
        let (name, solver) = match name.split_once(':') {
            Some((name, solver)) => (name, Some(find_solver(results, "sort", solver)?)),
            None => (name, None),
        };
        let figure = Figure::ALL.into_iter().find(|figure| figure.name() == name);
        match (name, figure, solver) {
            ("uses", _, None) => Ok((Self::Uses, descending)),
            ("name", _, None) => Ok((Self::Name, descending)),
            // Who is not shown any more cannot decide the order.
            (_, Some(_), Some(solver)) if !solvers.has(solver) => Ok(DEFAULT),
            (_, Some(figure), Some(solver)) => Ok((Self::Of(figure, solver), descending)),
            _ => Err(wrong()),
        }
    }

    fn name(self, results: &Results) -> String {
        match self {
            Self::Uses => "uses".to_owned(),
            Self::Name => "name".to_owned(),
            Self::Of(figure, solver) => {
                format!("{}:{}", figure.name(), results.solvers[solver].number)
            }
        }
    }
}

impl Request {
    /// Reads the parameters of an address.
    pub fn read(results: &Results, parameters: &Parameters) -> Result<Self, PageError> {
        parameters.only(&PARAMETERS)?;
        let solvers = Solvers::read(results, parameters)?;
        let (key, descending) = Key::read(results, parameters, &solvers)?;
        Ok(Self {
            scope: Scope::read(results, parameters)?,
            solvers,
            key,
            descending,
            page: parameters.page("page")?,
        })
    }

    /// What is looked at.
    pub fn view<'a>(&self, results: &'a Results) -> View<'a> {
        let entries = (0..results.entries.len()).collect();
        let solvers = self.solvers.chosen.clone();
        self.scope.of(View { results, solvers, entries, campaign: None })
    }

    /// The same in another order, from its beginning.
    pub fn sorted(&self, key: Key, descending: bool) -> Self {
        Self { key, descending, page: 1, ..self.clone() }
    }

    /// The address of this.
    pub fn address(&self, results: &Results) -> String {
        self.query(results).address(PATH)
    }

    /// What stands after the question mark; nothing that has its default value.
    pub fn query(&self, results: &Results) -> Query {
        let sign = if self.descending { "-" } else { "" };
        let sort = ((self.key, self.descending) != DEFAULT)
            .then(|| format!("{sign}{}", self.key.name(results)));
        self.selection(results)
            .maybe("sort", sort)
            .maybe("page", Some(self.page).filter(|&page| page > 1))
    }

    /// What decides which figures there are.
    pub fn selection(&self, results: &Results) -> Query {
        self.solvers.add_to(results, self.scope.add_to(results, Query::default()))
    }

    /// Where the instances are listed that use a feature and on which this came of a solver's runs.
    pub fn instances_of(
        &self,
        results: &Results,
        feature: &str,
        kind: FilterKind,
        solver: usize,
    ) -> String {
        self.selection(results)
            .with("kind", kind.name())
            .with("of", results.solvers[solver].number)
            .with("feature", feature)
            .address("/compare")
    }

    /// The rows in the order that is asked for; what has no figure is last in both directions.
    pub fn sort<'t>(&self, results: &Results, table: &'t FeatureTable) -> Vec<&'t FeatureRow> {
        let figure = |row: &FeatureRow| match self.key {
            Key::Uses => Some(row.entries as f64),
            Key::Name => None,
            Key::Of(figure, solver) => {
                let place = self.solvers.chosen.iter().position(|&one| one == solver)?;
                figure.of(row.cells.get(place)?, table.overall.get(place)?)
            }
        };
        let mut rows: Vec<(Option<f64>, &FeatureRow)> =
            table.rows.iter().map(|row| (figure(row), row)).collect();
        let by_name = |left: &FeatureRow, right: &FeatureRow| {
            results.features[left.feature].cmp(&results.features[right.feature])
        };
        rows.sort_by(|(left_figure, left), (right_figure, right)| {
            let order = match (left_figure, right_figure) {
                (Some(left), Some(right)) if self.descending => right.total_cmp(left),
                (Some(left), Some(right)) => left.total_cmp(right),
                (None, None) if self.key == Key::Name && self.descending => by_name(right, left),
                (left, right) => left.is_none().cmp(&right.is_none()),
            };
            order.then_with(|| by_name(left, right))
        });
        if (self.key, self.descending) == DEFAULT {
            // Stable, so that each part stays in the order of use.
            rows.sort_by_key(|(_, row)| !is_string_operator(&results.features[row.feature]));
        }
        rows.into_iter().map(|(_, row)| row).collect()
    }
}
