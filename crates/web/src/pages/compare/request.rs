//! What is compared: read from an address, and written as one.

use luthier_report::measures::{Expected, Filter, FilterKind, SortKey, Sorting};
use luthier_report::{Results, View};

use crate::address::Parameters;
use crate::error::PageError;
use crate::pages::choice::{Scope, Solvers, find_named, find_solver};
use crate::pages::query::Query;

/// The address of the page.
pub(super) const PATH: &str = "/compare";

const PARAMETERS: [&str; 14] = [
    "set", "track", "solver", "kind", "of", "feature", "expected", "min_size", "max_size", "text",
    "sort", "x", "y", "page",
];

/// What is compared, and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Which instances there are.
    pub scope: Scope,
    /// Who is compared.
    pub solvers: Solvers,
    /// Which instances are shown.
    pub filter: Filter,
    /// In which order.
    pub sorting: Sorting,
    /// The solvers of the scatter plot, as indices; none if there are not two.
    pub axes: Option<(usize, usize)>,
    /// Which page of the list, from 1.
    pub page: usize,
}

impl Request {
    /// Reads the parameters of an address.
    pub fn read(results: &Results, parameters: &Parameters) -> Result<Self, PageError> {
        parameters.only(&PARAMETERS)?;
        let solvers = Solvers::read(results, parameters)?;
        let one = |name: &str| -> Result<Option<usize>, PageError> {
            let found = parameters.get(name).map(|text| find_solver(results, name, text));
            // A box may have been emptied after somebody was chosen elsewhere in the form.
            Ok(found.transpose()?.filter(|solver| solvers.has(*solver)))
        };
        let kind = find_named(parameters, "kind", &FilterKind::ALL, FilterKind::name)?;
        let kind = kind.unwrap_or_default();
        let filter = Filter {
            kind,
            solver: one("of")?.filter(|_| kind != FilterKind::All),
            feature: feature(results, parameters)?,
            min_size: size(parameters, "min_size")?,
            max_size: size(parameters, "max_size")?,
            expected: find_named(parameters, "expected", &Expected::ALL, Expected::name)?,
            text: parameters.get("text").map(str::to_owned),
        };
        Ok(Self {
            scope: Scope::read(results, parameters)?,
            filter,
            sorting: sorting(results, parameters, &solvers)?,
            axes: axes(&solvers, one("x")?, one("y")?),
            page: parameters.page("page")?,
            solvers,
        })
    }

    /// What is shown, not in order yet.
    pub fn view<'a>(&self, results: &'a Results) -> View<'a> {
        self.filter.apply(self.all(results))
    }

    /// What there would be without a filter.
    pub fn all<'a>(&self, results: &'a Results) -> View<'a> {
        let entries = (0..results.entries.len()).collect();
        let chosen = self.solvers.chosen.clone();
        self.scope.of(View { results, solvers: chosen, entries, campaign: None })
    }

    /// The same in another order, from its beginning.
    pub fn sorted(&self, sorting: Sorting) -> Self {
        Self { sorting, page: 1, ..self.clone() }
    }

    /// Those of the instances on which this came of the runs of a solver, or of any.
    pub fn of_kind(&self, kind: FilterKind, solver: Option<usize>) -> Self {
        let filter = Filter { kind, solver, ..self.filter.clone() };
        Self { filter, page: 1, ..self.clone() }
    }

    /// The address of this.
    pub fn address(&self, results: &Results) -> String {
        self.query(results).address(PATH)
    }

    /// What stands after the question mark; nothing that has its default value.
    pub fn query(&self, results: &Results) -> Query {
        let number = |solver: usize| results.solvers[solver].number;
        let defaults = axes(&self.solvers, None, None);
        let axes = self.axes.filter(|_| self.axes != defaults);
        self.selection(results)
            .maybe("sort", self.order(results))
            .maybe("x", axes.map(|(x, _)| number(x)))
            .maybe("y", axes.map(|(_, y)| number(y)))
            .maybe("page", Some(self.page).filter(|&page| page > 1))
    }

    /// The same list for programs.
    pub fn programs_query(&self, results: &Results, offset: usize, limit: usize) -> Query {
        let query = self.filtered(results, |query| self.solvers.add_for_programs(results, query));
        let query = query.maybe("sort", self.order(results));
        query.maybe("offset", Some(offset).filter(|&offset| offset > 0)).with("limit", limit)
    }

    /// What decides which instances are shown, and for whom.
    pub fn selection(&self, results: &Results) -> Query {
        self.filtered(results, |query| self.solvers.add_to(results, query))
    }

    fn filtered(&self, results: &Results, add_solvers: impl FnOnce(Query) -> Query) -> Query {
        let filter = &self.filter;
        let kind = Some(filter.kind).filter(|&kind| kind != FilterKind::All);
        add_solvers(self.scope.add_to(results, Query::default()))
            .maybe("kind", kind.map(FilterKind::name))
            .maybe("of", filter.solver.map(|solver| results.solvers[solver].number))
            .maybe("feature", filter.feature.map(|feature| &results.features[feature]))
            .maybe("expected", filter.expected.map(Expected::name))
            .maybe("min_size", filter.min_size)
            .maybe("max_size", filter.max_size)
            .maybe("text", filter.text.as_ref())
    }

    fn order(&self, results: &Results) -> Option<String> {
        Some(self.sorting.name(results)).filter(|_| self.sorting != Sorting::default())
    }
}

fn feature(results: &Results, parameters: &Parameters) -> Result<Option<usize>, PageError> {
    let Some(text) = parameters.get("feature") else { return Ok(None) };
    let position = results.features.iter().position(|feature| feature == text);
    position.map(Some).ok_or_else(|| {
        PageError::bad_request(format!(
            "feature cannot be “{text}”: no instance is known to use that. The page Operators \
             lists what instances use, such as {}.",
            results.features.first().map_or("str.len", String::as_str)
        ))
    })
}

fn size(parameters: &Parameters, name: &str) -> Result<Option<u64>, PageError> {
    let Some(text) = parameters.get(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        PageError::bad_request(format!("{name} cannot be “{text}”; it is a number of bytes."))
    })
}

fn sorting(
    results: &Results,
    parameters: &Parameters,
    solvers: &Solvers,
) -> Result<Sorting, PageError> {
    let Some(text) = parameters.get("sort") else { return Ok(Sorting::default()) };
    let sorting = Sorting::parse(text, results).map_err(|_| {
        PageError::bad_request(format!(
            "sort cannot be “{text}”; it is one of place, size, spread, time:SOLVER and \
             ratio:SOLVER:SOLVER, with numbers of solvers, and with a minus before it for descending."
        ))
    })?;
    // Who is not shown any more cannot decide the order.
    let is_shown = match sorting.key {
        SortKey::Time(solver) => solvers.has(solver),
        SortKey::Ratio(first, second) => solvers.has(first) && solvers.has(second),
        SortKey::Place | SortKey::Size | SortKey::Spread => true,
    };
    Ok(if is_shown { sorting } else { Sorting::default() })
}

/// The two that were asked for, or the first that are left.
fn axes(solvers: &Solvers, x: Option<usize>, y: Option<usize>) -> Option<(usize, usize)> {
    let first =
        |other: Option<usize>| solvers.chosen.iter().copied().find(|&solver| Some(solver) != other);
    let x = x.or_else(|| first(y))?;
    let y = y.filter(|&y| y != x).or_else(|| first(Some(x)))?;
    Some((x, y))
}
