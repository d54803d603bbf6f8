//! What of a database is looked at: sets, tracks, solvers, and what came of the runs.

use clap::Args;
use luthier_report::measures::Filter;
use luthier_report::{Results, View};
use luthier_results::{FeatureExtractor, fill_features, load};
use luthier_store::Store;

use crate::error::CliError;
use crate::progress::Line;
use crate::text::{clean_name, counted};

/// What of a database is looked at.
#[derive(Debug, Args)]
pub struct Selection {
    /// Only these benchmark sets
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Only these tracks
    #[arg(long = "track", value_name = "SET/TRACK")]
    tracks: Vec<String>,
    /// Only these solvers, in this order
    #[arg(long = "solver", value_name = "LABEL")]
    solvers: Vec<String>,
    /// Only instances of a kind: unique, wrong, crashed, feature=str.len, ...
    #[arg(long = "filter", value_name = "KIND")]
    #[arg(long_help = "Only instances of this kind: unique, wrong, conflicting, invalid-model, \
                       invalid-core, crashed, unknown, timeout, memout, unsupported, unsolved, \
                       some, missing; or a key with a value: feature=str.replace, min-size=100, \
                       max-size=2000, expected=sat, text=pyex, solver=LABEL (whom the kind is \
                       about). Several must all apply")]
    filters: Vec<String>,
}

/// How many names an error lists.
const MOST_NAMES: usize = 20;

/// How many texts are read before the line on the terminal changes.
const BATCH: usize = 500;

impl Selection {
    /// Whether features of instances are asked for.
    pub fn needs_features(&self) -> bool {
        self.filters.iter().any(|filter| filter.starts_with("feature="))
    }

    /// The part of results that is looked at.
    pub fn view<'a>(&self, results: &'a Results) -> Result<View<'a>, CliError> {
        let mut view = View::all(results);
        if !self.solvers.is_empty() {
            let solvers: Result<Vec<usize>, CliError> =
                self.solvers.iter().map(|name| solver(results, name)).collect();
            let mut chosen: Vec<usize> = Vec::new();
            for solver in solvers? {
                if !chosen.contains(&solver) {
                    chosen.push(solver);
                }
            }
            view = view.with_solvers(chosen);
        }
        if !self.sets.is_empty() || !self.tracks.is_empty() {
            let mut kept = vec![false; results.tracks.len()];
            for name in &self.sets {
                let found = results.sets.iter().position(|set| set.name == *name);
                let names = results.sets.iter().map(|set| set.name.clone());
                let set = found.ok_or_else(|| unknown("set", name, names.collect()))?;
                kept[results.sets[set].tracks.clone()].fill(true);
            }
            for name in &self.tracks {
                let names: Vec<String> =
                    (0..results.tracks.len()).map(|track| track_name(results, track)).collect();
                let found = names.iter().position(|one| one == name);
                kept[found.ok_or_else(|| unknown("track", name, names))?] = true;
            }
            view = view.filter(|_, entry| kept[entry.track]);
        }
        let pairs = self.filters.iter().map(|filter| {
            filter.split_once('=').map_or(("show", filter.as_str()), |(key, value)| (key, value))
        });
        let known = ["show", "solver", "feature", "min-size", "max-size", "expected", "text"];
        if let Some((key, _)) = pairs.clone().find(|(key, _)| !known.contains(key)) {
            return Err(CliError::usage(format!("--filter: {key:?} is no key"))
                .with_hint(format!("the keys are {}", known.join(", "))));
        }
        let filter = Filter::parse(pairs, results)
            .map_err(|error| CliError::usage(format!("--filter: {error}")))?;
        if filter == Filter::default() { Ok(view) } else { Ok(filter.apply(view)) }
    }

    /// What was chosen, in words.
    pub fn words(&self) -> Vec<(String, String)> {
        let all = [("Sets", &self.sets), ("Tracks", &self.tracks), ("Filter", &self.filters)];
        let chosen = all.into_iter().filter(|(_, names)| !names.is_empty());
        chosen
            .map(|(name, names)| (format!("Only {}", name.to_lowercase()), names.join(", ")))
            .collect()
    }
}

/// Everything in a database. Features of instances of which nobody recorded them are looked up
/// in their texts if they are needed.
pub fn read(store: &Store, features: bool) -> Result<Results, CliError> {
    let mut results = load(store)?;
    if features {
        let mut line = Line::new();
        let mut finder = FeatureExtractor::new();
        let mut all = Vec::new();
        while let Some(found) = finder.next(store, &results, BATCH)? {
            all.extend(found);
            line.show(|| format!("operators of {}", counted(all.len(), "instance")));
        }
        line.clear();
        if !all.is_empty() {
            results = fill_features(&results, &all);
        }
    }
    Ok(results)
}

/// The solver with this label, or the only one with this name.
fn solver(results: &Results, name: &str) -> Result<usize, CliError> {
    let mut named = (0..results.solvers.len())
        .filter(|&solver| results.solvers[solver].configuration.name == name);
    let only = match (named.next(), named.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    let labels = || results.solvers.iter().map(|solver| solver.label.clone()).collect();
    results.solver(name).or(only).ok_or_else(|| unknown("solver", name, labels()))
}

fn track_name(results: &Results, track: usize) -> String {
    let track = &results.tracks[track];
    format!("{}/{}", results.sets[track.set].name, track.name)
}

fn unknown(what: &str, name: &str, names: Vec<String>) -> CliError {
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut list = names.into_iter().take(MOST_NAMES).collect::<Vec<_>>().join(", ");
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    CliError::usage(format!("there is no {what} {:?}", clean_name(name)))
        .with_hint(format!("the database has {list}"))
}
