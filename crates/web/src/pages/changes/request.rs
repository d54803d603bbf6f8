//! Which two are compared: read from an address, and written as one.

use luthier_report::measures::{ChangeKind, Side};
use luthier_report::plots::compare_versions;
use luthier_report::{Results, View};

use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::pages::choice::{Scope, direction, find_named, find_solver};
use crate::pages::query::Query;

/// The address of the page.
pub(super) const PATH: &str = "/changes";

const PARAMETERS: [&str; 9] = [
    "set",
    "track",
    "before",
    "before_campaign",
    "after",
    "after_campaign",
    "kind",
    "sort",
    "page",
];

/// In which order changes are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// What asks for attention first.
    #[default]
    Kind,
    /// By place.
    Place,
    /// By how much slower it got.
    Ratio,
}

/// What is compared, and what of it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Which instances there are.
    pub scope: Scope,
    /// One side.
    pub before: Side,
    /// The other.
    pub after: Side,
    /// Whether nobody chose the sides.
    pub is_default: bool,
    /// Which changes; `None` for all that are changes.
    pub kind: Option<ChangeKind>,
    /// In which order.
    pub order: Order,
    /// Backwards.
    pub descending: bool,
    /// Which page of the list, from 1.
    pub page: usize,
}

impl Order {
    const ALL: [Self; 3] = [Self::Kind, Self::Place, Self::Ratio];

    /// Reads `sort`: by what, and whether backwards.
    fn read(parameters: &Parameters) -> Result<(Self, bool), PageError> {
        let Some(text) = parameters.get("sort") else { return Ok((Self::default(), false)) };
        let (name, descending) = direction(text);
        let found = Self::ALL.into_iter().find(|order| order.name() == name);
        found.map(|order| (order, descending)).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            PageError::bad_request(format!(
                "sort cannot be “{text}”; it is one of {names}, with a minus before it for descending."
            ))
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Place => "place",
            Self::Ratio => "ratio",
        }
    }
}

impl Request {
    /// Reads the parameters of an address; `None` if there is nobody to compare.
    pub fn read(results: &Results, parameters: &Parameters) -> Result<Option<Self>, PageError> {
        parameters.only(&PARAMETERS)?;
        let scope = Scope::read(results, parameters)?;
        let kind = find_named(parameters, "kind", &ChangeKind::ALL, ChangeKind::name)?;
        let (order, descending) = Order::read(parameters)?;
        let page = parameters.page("page")?;
        let before = solver(results, parameters, "before")?;
        let after = solver(results, parameters, "after")?;
        let campaigns = (
            campaign(results, parameters, "before_campaign")?,
            campaign(results, parameters, "after_campaign")?,
        );
        let Some((first, second)) = last_releases(results) else { return Ok(None) };
        let is_default = (before, after, campaigns) == (None, None, (None, None));
        Ok(Some(Self {
            scope,
            before: Side { solver: before.unwrap_or(first), campaign: campaigns.0 },
            after: Side { solver: after.unwrap_or(second), campaign: campaigns.1 },
            is_default,
            kind,
            order,
            descending,
            page,
        }))
    }

    /// What is looked at.
    pub fn view<'a>(&self, results: &'a Results) -> View<'a> {
        let entries = (0..results.entries.len()).collect();
        let mut solvers = vec![self.before.solver, self.after.solver];
        solvers.dedup();
        self.scope.of(View { results, solvers, entries, campaign: None })
    }

    /// The address of this. Whoever shares it means these two, not whatever is newest later.
    pub fn address(&self, results: &Results) -> String {
        Self { is_default: false, ..*self }.query(results).address(PATH)
    }

    /// What stands after the question mark; nothing that has its default value.
    pub fn query(&self, results: &Results) -> Query {
        self.sides(results)
            .maybe("kind", self.kind.map(ChangeKind::name))
            .maybe("sort", self.sort())
            .maybe("page", Some(self.page).filter(|&page| page > 1))
    }

    fn sort(&self) -> Option<String> {
        match (self.order, self.descending) {
            (Order::Kind, false) => None,
            (order, false) => Some(order.name().to_owned()),
            (order, true) => Some(format!("-{}", order.name())),
        }
    }

    /// What decides what the changes are.
    pub fn sides(&self, results: &Results) -> Query {
        let query = self.scope.add_to(results, Query::default());
        if self.is_default {
            return query;
        }
        let number = |side: Side| results.solvers[side.solver].number;
        let campaign =
            |side: Side| side.campaign.map(|campaign| results.campaigns[campaign].number);
        query
            .with("before", number(self.before))
            .maybe("before_campaign", campaign(self.before))
            .with("after", number(self.after))
            .maybe("after_campaign", campaign(self.after))
    }
}

fn solver(
    results: &Results,
    parameters: &Parameters,
    name: &str,
) -> Result<Option<usize>, PageError> {
    parameters.get(name).map(|text| find_solver(results, name, text)).transpose()
}

fn campaign(
    results: &Results,
    parameters: &Parameters,
    name: &str,
) -> Result<Option<usize>, PageError> {
    let Some(text) = parameters.get(name) else { return Ok(None) };
    let wanted = number(text, "a campaign")?;
    let position = results.campaigns.iter().position(|campaign| campaign.number == wanted);
    position
        .map(Some)
        .ok_or_else(|| PageError::not_found(format!("There is no campaign {wanted} here.")))
}

/// The two newest releases of a solver, of which one came last of all; without such, the first two
/// solvers. A single one is compared with itself.
fn last_releases(results: &Results) -> Option<(usize, usize)> {
    let solvers = results.solvers_with_runs();
    let configuration = |solver: usize| &results.solvers[solver].configuration;
    for &newest in solvers.iter().rev() {
        let mut releases: Vec<(&str, usize)> = solvers
            .iter()
            .filter(|&&one| configuration(one).solver == configuration(newest).solver)
            .filter_map(|&one| Some((configuration(one).version.as_deref()?, one)))
            .collect();
        releases.sort_by(|left, right| {
            compare_versions(left.0, right.0).then_with(|| left.1.cmp(&right.1))
        });
        if let Some(&(version, after)) = releases.last()
            && let Some(&(_, before)) = releases.iter().rfind(|(other, _)| *other != version)
        {
            return Some((before, after));
        }
    }
    let first = *solvers.first()?;
    Some((first, solvers.get(1).copied().unwrap_or(first)))
}
