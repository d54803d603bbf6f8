//! What several pages let people choose: a set or track, and solvers.

use luthier_report::{Results, View};
use maud::{Markup, html};

use super::query::Query;
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::headings::Heading;
use crate::layout::Step;
use crate::text::{shorten, visible};

/// More solvers than these are shown only if somebody chooses them.
pub(crate) const MOST_BY_DEFAULT: usize = 8;
/// Longer lists of tracks are of no use in a form.
const MOST_TRACKS: usize = 1000;

/// Everything, a set or a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The set, as an index; also that of the track.
    pub set: Option<usize>,
    /// The track, as an index.
    pub track: Option<usize>,
}

impl Scope {
    /// Reads `set` and `track`. A form sends both; then the set counts, and a track of another set
    /// is what was left over from an earlier choice.
    pub fn read(results: &Results, parameters: &Parameters) -> Result<Self, PageError> {
        let set = match parameters.get("set") {
            None => None,
            Some(text) => {
                let wanted = number(text, "a set")?;
                let position = results.sets.iter().position(|set| set.number == wanted);
                Some(position.ok_or_else(|| {
                    PageError::not_found(format!("There is no set {wanted} here."))
                })?)
            }
        };
        let track = match parameters.get("track") {
            None => None,
            Some(text) => {
                let wanted = number(text, "a track")?;
                let position = results.tracks.iter().position(|track| track.number == wanted);
                Some(position.ok_or_else(|| {
                    PageError::not_found(format!("There is no track {wanted} here."))
                })?)
            }
        };
        let of_track = track.map(|track| results.tracks[track].set);
        Ok(match (set, of_track) {
            (None, Some(_)) if parameters.is_emptied("set") => Self::default(),
            (None, Some(of_track)) => Self { set: Some(of_track), track },
            (Some(set), Some(of_track)) if set == of_track => Self { set: Some(set), track },
            (set, _) => Self { set, track: None },
        })
    }

    /// The query with it.
    pub fn add_to(&self, results: &Results, query: Query) -> Query {
        match (self.track, self.set) {
            (Some(track), _) => query.with("track", results.tracks[track].number),
            (None, Some(set)) => query.with("set", results.sets[set].number),
            (None, None) => query,
        }
    }

    /// The view with its entries only.
    pub fn of<'a>(&self, view: View<'a>) -> View<'a> {
        match (self.track, self.set) {
            (Some(track), _) => view.of_track(track),
            (None, Some(set)) => view.of_set(set),
            (None, None) => view,
        }
    }

    /// The way to a page about it.
    pub fn path(&self, results: &Results) -> Vec<Step> {
        let set = self.set.map(|set| &results.sets[set]);
        let track = self.track.map(|track| &results.tracks[track]);
        let set =
            set.map(|set| Step { name: set.name.clone(), address: format!("/set/{}", set.number) });
        let track = track.map(|track| Step {
            name: track_name(&track.name).to_owned(),
            address: format!("/track/{}", track.number),
        });
        set.into_iter().chain(track).collect()
    }

    /// Whether there are tracks to choose from.
    pub fn has_tracks(&self, results: &Results) -> bool {
        self.set.is_some_and(|set| results.sets[set].tracks.len() > 1)
    }

    /// The fields of a form.
    pub fn fields(&self, results: &Results) -> Markup {
        let tracks = self.set.map(|set| results.sets[set].tracks.clone()).unwrap_or_default();
        html! {
            label { "Set"
                select name="set" {
                    option value="" { "all sets" }
                    @for (index, set) in results.sets.iter().enumerate() {
                        option value=(set.number) selected[self.set == Some(index)] {
                            (visible(&shorten(&set.name, 60)))
                        }
                    }
                }
            }
            @if self.has_tracks(results) {
                label { "Track"
                    select name="track" {
                        option value="" { "all tracks" }
                        @for index in tracks.take(MOST_TRACKS) {
                            @let track = &results.tracks[index];
                            option value=(track.number) selected[self.track == Some(index)] {
                                (visible(&shorten(track_name(&track.name), 60)))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Chosen solvers, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solvers {
    /// Those that are chosen, as indices.
    pub chosen: Vec<usize>,
    /// Those that there are to choose from.
    all: Vec<usize>,
}

impl Solvers {
    /// Reads `solver`, which may be there several times. Without it all are chosen, unless there
    /// are too many for a page.
    pub fn read(results: &Results, parameters: &Parameters) -> Result<Self, PageError> {
        let all = results.solvers_with_runs().to_vec();
        let mut chosen = Vec::new();
        for text in parameters.all("solver") {
            let solver = find_solver(results, "solver", text)?;
            if !chosen.contains(&solver) {
                chosen.push(solver);
            }
        }
        if chosen.is_empty() {
            chosen = default_of(&all);
        }
        Ok(Self { chosen, all })
    }

    /// The query with them.
    pub fn add_to(&self, results: &Results, query: Query) -> Query {
        if self.chosen == default_of(&self.all) {
            return query;
        }
        self.chosen
            .iter()
            .fold(query, |query, &solver| query.with("solver", results.solvers[solver].number))
    }

    /// The query with them, for programs, for which there are never too many.
    pub fn add_for_programs(&self, results: &Results, query: Query) -> Query {
        if self.chosen == self.all {
            return query;
        }
        self.chosen
            .iter()
            .fold(query, |query, &solver| query.with("solver", results.solvers[solver].number))
    }

    /// Whether it is one of the chosen.
    pub fn has(&self, solver: usize) -> bool {
        self.chosen.contains(&solver)
    }

    /// The field of a form: a box for each, the chosen ones first and in their order, so that the
    /// form sends them in this order again.
    pub fn field(&self, results: &Results) -> Markup {
        let others = self.all.iter().copied().filter(|solver| !self.has(*solver));
        let shown: Vec<usize> = self.chosen.iter().copied().chain(others).collect();
        html! {
            fieldset.solvers {
                legend { "Solvers" }
                @for solver in shown {
                    @let info = &results.solvers[solver];
                    label.box {
                        input type="checkbox" name="solver" value=(info.number)
                            checked[self.has(solver)];
                        span { (visible(&info.label)) }
                    }
                }
            }
        }
    }

    /// A field to choose one of the chosen; `none` is what choosing nobody is called.
    pub fn one(
        &self,
        results: &Results,
        name: &str,
        selected: Option<usize>,
        none: Option<&str>,
    ) -> Markup {
        html! {
            select name=(name) {
                @if let Some(none) = none { option value="" { (none) } }
                @for &solver in &self.chosen {
                    @let info = &results.solvers[solver];
                    option value=(info.number) selected[selected == Some(solver)] {
                        (visible(&info.label))
                    }
                }
            }
        }
    }
}

/// The solver with this number or label, as an index.
pub(crate) fn find_solver(results: &Results, name: &str, text: &str) -> Result<usize, PageError> {
    let wanted: Option<i64> = text.parse().ok();
    let by_number = results.solvers.iter().position(|solver| Some(solver.number) == wanted);
    by_number.or_else(|| results.solver(text)).ok_or_else(|| {
        let known = results.solvers.iter().take(100);
        let known = known.map(|solver| format!("{} ({})", solver.number, solver.label));
        PageError::bad_request(format!(
            "{name} cannot be “{text}”; there are the solvers {}.",
            known.collect::<Vec<_>>().join(", ")
        ))
    })
}

/// Reads a parameter that is one of some names.
pub(crate) fn find_named<T: Copy>(
    parameters: &Parameters,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> Result<Option<T>, PageError> {
    let Some(text) = parameters.get(name) else { return Ok(None) };
    let found = all.iter().copied().find(|&one| name_of(one) == text);
    found.map(Some).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
        PageError::bad_request(format!(
            "{name} cannot be “{text}”; it is one of {}.",
            names.join(", ")
        ))
    })
}

/// Takes the minus off an order, which stands for descending.
pub(crate) fn direction(text: &str) -> (&str, bool) {
    text.strip_prefix('-').map_or((text, false), |name| (name, true))
}

/// The heading of a column that is sorted by a click: once ascending, twice descending. `words` stand
/// for the name where it is that of a solver.
pub(crate) fn sorted_heading(
    heading: &Heading,
    words: Markup,
    direction: Option<bool>,
    address: impl Fn(bool) -> String,
) -> Markup {
    let (sort, sign) = sort_sign(direction);
    html! {
        th.n[heading.is_number] scope="col" title=(heading.meaning) aria-sort=[sort] {
            a.sort href=(address(direction == Some(false))) {
                (words) "\u{a0}" span.sign aria-hidden="true" { (sign) }
            }
        }
    }
}

/// How a column is sorted, for programs and as a sign; `Some(true)` is descending.
pub(crate) fn sort_sign(direction: Option<bool>) -> (Option<&'static str>, &'static str) {
    match direction {
        None => (None, "↕"),
        Some(false) => (Some("ascending"), "↑"),
        Some(true) => (Some("descending"), "↓"),
    }
}

/// One of several views to choose from, as an item of a list of links.
pub(crate) fn choice_link(address: &str, words: &str, is_chosen: bool) -> Markup {
    html! {
        li {
            a href=(address) aria-current=[is_chosen.then_some("true")] {
                (visible(&shorten(words, 60)))
            }
        }
    }
}

/// A track, also one without a name.
pub(crate) fn track_name(name: &str) -> &str {
    if name.is_empty() { "(no track)" } else { name }
}

fn default_of(all: &[usize]) -> Vec<usize> {
    all.iter().copied().take(MOST_BY_DEFAULT).collect()
}
