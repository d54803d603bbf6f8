//! The list of instances of a site: what the page *Compare* filters, sorts and counts in the browser.
//!
//! The list is stored by columns, some thousand instances to a compressed data file, in the order of the
//! results. What many runs have in common, a *state*, is stored once: the cell that the server would show, with
//! marks where the number of the run and its time go, which filters keep it, and what it counts for. So
//! the script decides nothing about runs: it tests bits and adds numbers, and cells look like those of the
//! server because they are.

use std::collections::HashMap;

use luthier_report::measures::{Expected, Filter, FilterKind};
use luthier_report::{Entry, Results, RunInfo, View, figures};
use serde::Serialize;

use super::address::{COMPARE, INSTANCE, scatter_pairs};
use super::folder::Folder;
use super::pages::Crawler;
use super::rewrite::Rewriter;
use super::{Export, SiteError, compressed};
use crate::pages::{MOST_BY_DEFAULT, run_cell};
use crate::parts::{expected as expected_cell, is_bad};
use crate::text::visible;

/// How many instances a data file has.
const PER_FILE: usize = 10_000;
/// Sets beyond these have no scatter plot of their own.
const MOST_SETS: usize = 100;
/// The index of something that is not there.
const NOTHING: i64 = -1;

/// What the script reads first.
#[derive(Debug, Serialize)]
struct Index<'a> {
    solvers: Vec<Named<'a>>,
    /// How many solvers are compared if nobody chooses.
    by_default: usize,
    sets: Vec<Part<'a>>,
    tracks: Vec<TrackPart<'a>>,
    features: &'a [String],
    /// The names of filters; the bits of a state are in this order.
    kinds: Vec<&'static str>,
    expected: Vec<ExpectedState>,
    states: Vec<State>,
    /// Which features instances have, as indices.
    feature_sets: Vec<Vec<u32>>,
    /// The data files, with the indices of their instances.
    files: Vec<FilePart>,
    /// The selections that have a scatter plot: what the address would say.
    scatters: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Named<'a> {
    number: i64,
    name: std::borrow::Cow<'a, str>,
}

#[derive(Debug, Serialize)]
struct Part<'a> {
    number: i64,
    name: std::borrow::Cow<'a, str>,
    first: usize,
    end: usize,
}

#[derive(Debug, Serialize)]
struct TrackPart<'a> {
    #[serde(flatten)]
    part: Part<'a>,
    set: usize,
    /// What stands before the names of its files in a place.
    prefix: String,
}

#[derive(Debug, Serialize)]
struct FilePart {
    name: String,
    first: usize,
    end: usize,
}

/// The ground truth of an instance, as a cell and as a filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct ExpectedState {
    cell: String,
    name: &'static str,
}

/// What many runs have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct State {
    /// The cell, with `{instance}`, `{run}` and `{time}`.
    cell: String,
    /// The filters that keep an instance because of it.
    kinds: u32,
    /// Whether it counts: it is no fault of the set-up.
    scored: bool,
    /// `sat` or `unsat`, if the run that stands for its solver ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<&'static str>,
    /// Whether it is marked as wrong before the name of its instance.
    bad: bool,
    /// Its penalised time in microseconds; `null` if that is its own time.
    penalty: Option<u64>,
}

/// A data file.
#[derive(Debug, Default, Serialize)]
struct Columns {
    names: Vec<String>,
    numbers: Vec<i64>,
    sizes: Vec<u64>,
    expected: Vec<usize>,
    features: Vec<i64>,
    /// Places in this file of instances with evidence that contradicts other evidence.
    conflicts: Vec<usize>,
    /// For each solver.
    runs: Vec<RunColumns>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct RunColumns {
    states: Vec<i64>,
    times: Vec<u64>,
    numbers: Vec<i64>,
}

/// Different values in the order in which they come.
struct Interned<T> {
    places: HashMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    fn new() -> Self {
        Self { places: HashMap::new(), values: Vec::new() }
    }

    fn place(&mut self, value: T) -> usize {
        if let Some(&place) = self.places.get(&value) {
            return place;
        }
        self.places.insert(value.clone(), self.values.len());
        self.values.push(value);
        self.values.len() - 1
    }
}

/// Writes the list, and the scatter plots of selections that have one.
pub(super) async fn write(
    export: &Export,
    folder: &mut Folder,
    crawler: &mut Crawler,
) -> Result<(), SiteError> {
    let results = &*export.snapshot.results;
    let scatters = write_scatters(export, folder, crawler).await?;
    let (mut expected, mut states) = (Interned::new(), Interned::new());
    let mut feature_sets = Interned::new();
    let mut files = Vec::new();
    // A state is of one solver, so views of single solvers say which filters keep it.
    let views: Vec<View<'_>> = results
        .solvers_with_runs()
        .iter()
        .map(|&solver| View::all(results).with_solvers(vec![solver]))
        .collect();
    for first in (0..results.entries.len()).step_by(PER_FILE) {
        export.asker.go_on()?;
        let end = (first + PER_FILE).min(results.entries.len());
        let mut columns =
            Columns { runs: vec![RunColumns::default(); views.len()], ..Columns::default() };
        for (place, entry) in results.entries[first..end].iter().enumerate() {
            let content = &entry.judged.content;
            columns.names.push(visible(&entry.name).into_owned());
            columns.numbers.push(content.number);
            columns.sizes.push(content.size.0);
            columns.expected.push(expected.place(ExpectedState {
                cell: expected_cell(entry).into_string(),
                name: Expected::of(entry).name(),
            }));
            let features = content.features.as_deref();
            columns.features.push(features.map_or(NOTHING, |features| {
                feature_sets.place(features.to_vec()).cast_signed() as i64
            }));
            if entry.judged.truths.iter().any(|truth| !truth.conflicts.is_empty()) {
                columns.conflicts.push(place);
            }
            for (view, runs) in views.iter().zip(&mut columns.runs) {
                let run = view.run(entry, view.solvers[0]);
                let state = run.map(|run| states.place(state(view, entry, run)));
                runs.states.push(state.map_or(NOTHING, |state| state.cast_signed() as i64));
                runs.times.push(run.map_or(0, |run| micros(run.scored.cpu.0)));
                runs.numbers.push(run.map_or(NOTHING, |run| run.number));
            }
        }
        let name = format!("data/list-{first}.gz");
        folder.write(&name, &data(&columns)?)?;
        files.push(FilePart { name, first, end });
    }
    let index = Index {
        solvers: results
            .solvers_with_runs()
            .iter()
            .map(|&solver| &results.solvers[solver])
            .map(|info| Named { number: info.number, name: visible(&info.label) })
            .collect(),
        by_default: MOST_BY_DEFAULT,
        sets: results.sets.iter().map(|set| part(set.number, &set.name, &set.entries)).collect(),
        tracks: results
            .tracks
            .iter()
            .map(|track| TrackPart {
                part: part(track.number, &track.name, &track.entries),
                set: track.set,
                prefix: prefix(results, &track.entries),
            })
            .collect(),
        features: &results.features,
        kinds: FilterKind::ALL.map(FilterKind::name).to_vec(),
        expected: expected.values,
        states: states.values,
        feature_sets: feature_sets.values,
        files,
        scatters,
    };
    folder.write("data/list.gz", &data(&index)?)
}

/// The scatter plots of everything for each pair, and of each set for the usual pair.
async fn write_scatters(
    export: &Export,
    folder: &mut Folder,
    crawler: &mut Crawler,
) -> Result<Vec<String>, SiteError> {
    let results = &*export.snapshot.results;
    let number = |solver: usize| results.solvers[solver].number;
    let pairs = scatter_pairs(results);
    // The first pair is that of the page itself.
    let of_pairs = pairs.iter().skip(1).map(|&(x, y)| format!("x={}&y={}", number(x), number(y)));
    let of_sets = results.sets.iter().take(MOST_SETS).map(|set| format!("set={}", set.number));
    let of_sets = of_sets.filter(|_| !pairs.is_empty() && results.sets.len() > 1);
    let mut written = Vec::new();
    for query in of_pairs.chain(of_sets) {
        let page = export.asker.text(&format!("/compare?{query}")).await?;
        let start = "<section class=\"scatter\"";
        // Without any instance that both have, there is none.
        let Some((_, rest)) = page.split_once(start) else { continue };
        let Some((inner, _)) = rest.split_once("</section>") else { continue };
        let file = format!("data/scatter-{}.gz", query.replace(['=', '&'], "-"));
        let mut rewriter = Rewriter::new(&export.addresses, COMPARE, "/compare", None);
        let html = rewriter.rewrite(&format!("{start}{inner}</section>"));
        folder.write(&file, &compressed(html.as_bytes()).map_err(SiteError::System)?)?;
        for address in &rewriter.linked {
            crawler.add(&export.addresses, address);
        }
        written.push(query);
    }
    Ok(written)
}

fn data(value: &impl Serialize) -> Result<Vec<u8>, SiteError> {
    let json = serde_json::to_vec(value);
    let json = json.map_err(|error| SiteError::System(std::io::Error::other(error)))?;
    compressed(&json).map_err(SiteError::System)
}

fn part<'a>(number: i64, name: &'a str, entries: &std::ops::Range<usize>) -> Part<'a> {
    Part { number, name: visible(name), first: entries.start, end: entries.end }
}

/// What stands before the names of the entries of a track in their places.
fn prefix(results: &Results, entries: &std::ops::Range<usize>) -> String {
    let Some(entry) = results.entries.get(entries.start) else { return String::new() };
    let place = results.place_of(entry);
    visible(place.strip_suffix(&*entry.name).unwrap_or_default()).into_owned()
}

/// What a run has in common with others.
fn state(view: &View<'_>, entry: &Entry, run: &RunInfo) -> State {
    let keeps = |kind: FilterKind| {
        let filter = Filter { kind, ..Filter::default() };
        filter.keeps(view, entry)
    };
    let bits = FilterKind::ALL.into_iter().enumerate();
    let kinds = bits.filter(|&(_, kind)| keeps(kind)).fold(0, |kinds, (bit, _)| kinds | 1 << bit);
    let own = run.scored.is_scored() && run.scored.penalised() == run.scored.cpu;
    State {
        cell: cell(run),
        kinds,
        scored: run.scored.is_scored(),
        says: run.scored.class.is_decided().then(|| run.scored.class.name()),
        bad: is_bad(run),
        penalty: (!own).then(|| micros(run.scored.penalised().0)),
    }
}

/// The cell of the server with marks in the place of what is different from run to run.
fn cell(run: &RunInfo) -> String {
    let cell = run_cell(Some(run)).into_string();
    let link = format!("href=\"/run/{}\"", run.number);
    let time = format!(">{} s<", figures::time(run.scored.cpu.0));
    let cell = cell.replacen(&link, &format!("href=\"{INSTANCE}#{{instance}}.{{run}}\""), 1);
    cell.replacen(&time, ">{time} s<", 1)
}

fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use luthier_report::sample;

    #[test]
    fn states_are_shared_and_have_marks() {
        let table = "| a\n s/1 sat - | sat 1.5\n s/2 sat - | sat 2.5\n s/3 sat - | unsat 1";
        let results = sample::from_table(table).unwrap();
        let view = luthier_report::View::all(&results);
        let states: Vec<super::State> = results
            .entries
            .iter()
            .map(|entry| super::state(&view, entry, &entry.judged.runs[0]))
            .collect();
        assert_eq!(states[0], states[1]);
        assert!(
            states[0].cell.contains("#{instance}.{run}\"") && states[0].cell.contains(">{time} s<")
        );
        assert_eq!(states[0].penalty, None);
        assert!(states[2].bad && states[2].penalty.is_some() && states[2].kinds != states[0].kinds);
    }
}
