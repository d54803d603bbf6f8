//! The view that a request selects: sets, tracks, solvers and campaigns by number or name.

use luthier_report::{Results, View};

use super::endpoint::ApiRequest;
use super::error::ApiError;
use super::parameters::{Kind, Parameter};

/// Only one set.
pub(crate) const SET: Parameter =
    Parameter::query("set", Kind::Text, "Only this set, by its number or name.");

/// Only one track.
pub(crate) const TRACK: Parameter = Parameter::query(
    "track",
    Kind::Text,
    "Only this track, by its number, by its name if only one track has it, or as SET/TRACK.",
);

/// Only some solvers.
pub(crate) const SOLVERS: Parameter = Parameter::query(
    "solver",
    Kind::Texts,
    "Only these solvers, by number or label, in this order; may be repeated. All if not given.",
);

/// Only one campaign.
pub(crate) const CAMPAIGN: Parameter =
    Parameter::query("campaign", Kind::Text, "Only runs of this campaign, by its number or name.");

/// The view that the parameters [`SET`], [`TRACK`], [`SOLVERS`] and [`CAMPAIGN`] choose.
pub(crate) fn view<'a>(request: &'a ApiRequest<'_>) -> Result<View<'a>, ApiError> {
    let mut view = places(request)?;
    let solvers = request.values.many("solver").map(|name| find_solver(view.results, name));
    let solvers = solvers.collect::<Result<Vec<usize>, ApiError>>()?;
    if !solvers.is_empty() {
        let mut different = Vec::new();
        for solver in solvers {
            if !different.contains(&solver) {
                different.push(solver);
            }
        }
        view = view.with_solvers(different);
    }
    Ok(view)
}

/// The same with all solvers.
pub(crate) fn places<'a>(request: &'a ApiRequest<'_>) -> Result<View<'a>, ApiError> {
    let results = request.results();
    let mut view = View::all(results);
    if let Some(name) = request.values.text("set") {
        view = view.of_set(find_set(results, name)?);
    }
    if let Some(name) = request.values.text("track") {
        view = view.of_track(find_track(results, name)?);
    }
    if let Some(name) = request.values.text("campaign") {
        view = view.of_campaign(find_campaign(results, name)?);
    }
    Ok(view)
}

/// A solver by its number or label, as an index.
pub(crate) fn find_solver(results: &Results, name: &str) -> Result<usize, ApiError> {
    let number: Option<i64> = name.parse().ok();
    let by_number = results.solvers.iter().position(|solver| Some(solver.number) == number);
    by_number.or_else(|| results.solver(name)).ok_or_else(|| ApiError::unknown("solver", name))
}

/// A set by its number or name, as an index.
pub(crate) fn find_set(results: &Results, name: &str) -> Result<usize, ApiError> {
    let number: Option<i64> = name.parse().ok();
    let by_number = results.sets.iter().position(|set| Some(set.number) == number);
    by_number
        .or_else(|| results.sets.iter().position(|set| set.name == name))
        .ok_or_else(|| ApiError::unknown("set", name))
}

/// A track by its number, by its name if no other track has it, or as `SET/TRACK`, as an index.
pub(crate) fn find_track(results: &Results, name: &str) -> Result<usize, ApiError> {
    let tracks = || results.tracks.iter();
    let number: Option<i64> = name.parse().ok();
    if let Some(track) = tracks().position(|track| Some(track.number) == number) {
        return Ok(track);
    }
    let is_place = |set: &str, track: &str| {
        name.strip_prefix(set).and_then(|rest| rest.strip_prefix('/')) == Some(track)
    };
    if let Some(track) =
        tracks().position(|track| is_place(&results.sets[track.set].name, &track.name))
    {
        return Ok(track);
    }
    let mut namesakes = tracks().enumerate().filter(|(_, track)| track.name == name);
    match (namesakes.next(), namesakes.next()) {
        (Some((track, _)), None) => Ok(track),
        _ => Err(ApiError::unknown("track", name)),
    }
}

/// A campaign by its number or name, as an index.
pub(crate) fn find_campaign(results: &Results, name: &str) -> Result<usize, ApiError> {
    let number: Option<i64> = name.parse().ok();
    let by_number = results.campaigns.iter().position(|one| Some(one.number) == number);
    by_number
        .or_else(|| results.campaigns.iter().position(|one| one.campaign.id == name))
        .ok_or_else(|| ApiError::unknown("campaign", name))
}
