//! Where an address of the server leads on a static site: the one place that knows.
//!
//! Pages write the addresses of the server (`/set/3`, `/compare?kind=wrong&of=2`). When they are exported,
//! [`target`] says what becomes of each: the name of a file that the export makes, a view that the
//! site's script shows from data files, a text that the script saves, or nothing. The exporter
//! makes the file of every link that it meets, so that no link of a site leads nowhere.
//!
//! | address | on the site |
//! |---|---|
//! | a page or file without free choice (`/`, `/set/3`, `/findings?kind=crash&set=1`) | a file: its path and its parameters, `findings/kind-crash_set-1.html` |
//! | `/compare?…` | `compare.html#…`: the script filters, sorts and lists |
//! | `/instance/17`, `/run/33` | `instance.html#17`, `instance.html#17.33`: a part of a data file |
//! | orders, campaigns, REST, tables of a single instance | nothing: the page says what it can without them |
//!
//! File names have lower-case letters, digits, `-`, `.` and `_` only, so that every file system and server
//! keeps them apart; [`plain`] escapes everything else.

use std::collections::{HashMap, HashSet};

use luthier_report::Results;

use crate::address::Parameters;

/// Pages of a list of findings beyond these are in the table as CSV only.
pub(crate) const MOST_PAGES: usize = 20;
/// Pairs of solvers that are compared run against run, beyond the usual pair.
const MOST_PAIRS: usize = 42;
/// Views of pairs in single sets.
const MOST_PAIRS_IN_SETS: usize = 300;
/// More tracks than these have no views of their own beside their pages.
const MOST_TRACKS: usize = 200;
/// Scatter plots of pairs of solvers.
const MOST_SCATTERS: usize = 28;

/// The page that shows instances and runs.
pub(super) const INSTANCE: &str = "instance.html";
/// The page that lists instances.
pub(crate) const COMPARE: &str = "compare.html";

/// What becomes of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A file that the server's answer to the address is written to.
    File {
        /// Its name below the folder of the site.
        name: String,
        /// Whether it is compressed.
        compressed: bool,
    },
    /// A view of a page that the script makes: the page, and what stands after `#`.
    View(&'static str, String),
    /// A text of the instance or run that is shown, which the script saves: `input`, `stdout`, `stderr`.
    Text(&'static str),
    /// Nothing.
    None,
}

/// What decides which views are files.
#[derive(Debug)]
pub(super) struct Addresses {
    /// The instance of each run.
    runs: HashMap<i64, i64>,
    labels: HashMap<String, i64>,
    pairs: HashSet<(String, String)>,
    pairs_in_sets: bool,
    few_tracks: bool,
}

impl Addresses {
    /// The addresses of these results.
    pub fn new(results: &Results) -> Self {
        let mut runs = HashMap::new();
        for entry in &results.entries {
            for run in &entry.judged.runs {
                runs.insert(run.number, entry.judged.content.number);
            }
        }
        let number = |solver: usize| results.solvers[solver].number.to_string();
        let text = |(one, other): (usize, usize)| (number(one), number(other));
        let pairs: HashSet<_> = change_pairs(results).into_iter().map(text).collect();
        Self {
            runs,
            labels: results.solvers.iter().map(|one| (one.label.clone(), one.number)).collect(),
            pairs_in_sets: pairs.len() * results.sets.len() <= MOST_PAIRS_IN_SETS,
            pairs,
            few_tracks: results.tracks.len() <= MOST_TRACKS,
        }
    }

    /// What becomes of an address on the page of an instance or run (`within`), or on another.
    pub fn target(&self, address: &str, within: Option<&str>) -> Target {
        let (address, fragment) = match address.split_once('#') {
            Some((address, fragment)) => (address, Some(fragment)),
            None => (address, None),
        };
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let Some(path) = path.strip_prefix('/') else { return Target::None };
        let parts: Vec<&str> = path.split('/').collect();
        let parameters = Parameters::parse(query);
        let anchor = fragment.map(|fragment| format!(":{fragment}")).unwrap_or_default();
        match parts.as_slice() {
            ["instance", number] if query.is_empty() => {
                Target::View(INSTANCE, format!("{number}{anchor}"))
            }
            // The values under the model of a run stand on the page of the run.
            ["instance", number] => match parameters.get("run") {
                Some(run) => Target::View(INSTANCE, format!("{number}.{run}{anchor}")),
                None => Target::None,
            },
            ["instance", _, "input"] => Target::Text("input"),
            ["run", number] => self.run(number, &anchor),
            ["run", number, stream @ ("stdout" | "stderr")] => {
                let stream = if *stream == "stdout" { "stdout" } else { "stderr" };
                // On another page than that of the run, its page comes first.
                match self.run(number, "") {
                    Target::View(_, view) if within == Some(view.as_str()) => Target::Text(stream),
                    _ => self.run(number, &format!(":{stream}")),
                }
            }
            ["compare"] if !query.is_empty() => Target::View(COMPARE, query.to_owned()),
            _ => self.file(path, &parameters),
        }
    }

    fn run(&self, number: &str, anchor: &str) -> Target {
        let instance = number.parse().ok().and_then(|run| self.runs.get(&run));
        match instance {
            Some(instance) => Target::View(INSTANCE, format!("{instance}.{number}{anchor}")),
            None => Target::None,
        }
    }

    fn file(&self, path: &str, parameters: &Parameters) -> Target {
        let given: Vec<&str> = parameters.pairs().map(|(name, _)| name).collect();
        let is = |allowed: &[&str]| given.iter().all(|name| allowed.contains(name));
        let is_scope = || is(&["set"]) || is(&["track"]);
        let parts: Vec<&str> = path.split('/').collect();
        let is_file = match parts.as_slice() {
            [""]
            | ["solver" | "track", _]
            | ["clusters.csv" | "solvers.csv" | "campaigns.csv"]
            | ["audit.json"]
            | ["audit", _] => is(&[]),
            ["assets", _] => true,
            ["set", _] => is(&["tracks"]),
            ["scores.csv" | "intervals.csv"] => is_scope(),
            ["compare.csv"] => is_scope() || is(&["solver"]),
            ["compare"] => is(&[]),
            ["compare.svg"] => is(&["set"]) || is(&["x", "y"]),
            ["compare.png"] => is(&[]),
            ["operators" | "operators.csv"] => {
                is(&["set"]) || is(&["solver"]) || (self.few_tracks && is(&["track"]))
            }
            ["audit"] => {
                (is(&["set", "page"]) || is(&["set", "rejected"]))
                    && ["page", "rejected"]
                        .iter()
                        .all(|name| parameters.page(name).is_ok_and(|page| page <= MOST_PAGES))
            }
            ["findings"] => {
                (is(&["kind", "set", "page"]) || is(&["kind", "solver", "page"]))
                    && parameters.page("page").is_ok_and(|page| page <= MOST_PAGES)
            }
            ["findings.csv"] => is(&["kind", "set"]) || is(&["kind", "solver"]),
            ["changes" | "changes.csv"] => self.is_change(parameters),
            // Pictures of parts are on their pages; as files they would be most of a site.
            ["changes.svg"] => self.is_change(parameters) && is(&["before", "after", "set"]),
            ["changes.png"] => self.is_change(parameters) && is(&["before", "after"]),
            ["changes", "totals.csv" | "sets.csv"] => self.is_change(parameters),
            ["clusters"] | ["cluster", _] => is(&["page"]),
            ["cluster", _, _] => is(&[]),
            ["api", "v1", "charts", name] => !name.ends_with(".png") || !given.contains(&"track"),
            _ => false,
        };
        if !is_file {
            return Target::None;
        }
        // They have a line for each run.
        let compressed = match parts.as_slice() {
            ["compare.csv" | "changes.csv"] => true,
            ["api", "v1", "charts", name] => *name == "cactus.csv",
            _ => false,
        };
        let path = path.strip_prefix("api/v1/").unwrap_or(path);
        let path = if path.is_empty() { "index" } else { path };
        let (stem, ending) = match path.rsplit_once('.') {
            Some((stem, ending)) if ending.len() <= 4 => (stem, ending),
            _ => (path, "html"),
        };
        // The same view by another address is the same file.
        let mut pairs: Vec<(&str, &str)> = parameters.pairs().collect();
        pairs.sort_by_key(|(key, _)| *key);
        let words = pairs.into_iter().map(|(key, value)| {
            let label = (key == "solver").then(|| self.labels.get(value)).flatten();
            let value = label.map_or_else(|| value.to_owned(), i64::to_string);
            format!("{}-{}", plain(key), plain(&value))
        });
        let words: Vec<String> = words.collect();
        let gz = if compressed { ".gz" } else { "" };
        // Views of a page are in a folder of its name.
        let folder = if words.is_empty() { "" } else { "/" };
        Target::File { name: format!("{stem}{folder}{}.{ending}{gz}", words.join("_")), compressed }
    }

    /// The usual pair or one of [`change_pairs`], over everything or in a set, all changes or those of a kind.
    fn is_change(&self, parameters: &Parameters) -> bool {
        let known = ["set", "track", "before", "after", "kind"];
        if !parameters.pairs().all(|(name, _)| known.contains(&name)) {
            return false;
        }
        let (before, after) = (parameters.get("before"), parameters.get("after"));
        let in_part = parameters.get("set").or(parameters.get("track")).is_some();
        if parameters.get("track").is_some() && !self.few_tracks {
            return false;
        }
        // The kinds of a set are told on its page; the list of all its changes has them in order.
        if in_part && parameters.get("kind").is_some() {
            return false;
        }
        match (before, after) {
            (Some(before), Some(after)) => {
                let is_pair = self.pairs.contains(&(before.to_owned(), after.to_owned()));
                is_pair && (!in_part || (self.pairs_in_sets && parameters.get("track").is_none()))
            }
            (None, None) => true,
            _ => parameters.get("kind").is_none() && !in_part,
        }
    }
}

/// The pairs of solvers whose runs are compared: all if there are few solvers, else those of one family.
pub(crate) fn change_pairs(results: &Results) -> Vec<(usize, usize)> {
    let solvers = results.solvers_with_runs();
    let family = |solver: usize| results.solvers[solver].configuration.family.as_str();
    let all = || {
        let pairs = solvers.iter().flat_map(|&one| solvers.iter().map(move |&other| (one, other)));
        pairs.filter(|(one, other)| one != other)
    };
    if all().count() <= MOST_PAIRS {
        return all().collect();
    }
    // The newest releases are what is asked for most.
    let mut pairs: Vec<_> = all().filter(|&(one, other)| family(one) == family(other)).collect();
    pairs.sort_by_key(|&(one, other)| (std::cmp::Reverse(one.max(other)), one, other));
    pairs.truncate(MOST_PAIRS);
    pairs.sort_unstable();
    pairs
}

/// The pairs of solvers, each once, that have a scatter plot on the site.
pub(crate) fn scatter_pairs(results: &Results) -> Vec<(usize, usize)> {
    let solvers = results.solvers_with_runs();
    let later = |place: usize| solvers.iter().skip(place + 1);
    let pairs = solvers
        .iter()
        .enumerate()
        .flat_map(|(place, &one)| later(place).map(move |&other| (one, other)));
    pairs.take(MOST_SCATTERS).collect()
}

/// A text as a part of a file name; two texts never have the same. A single `_` stands between
/// parameters, a double one before the digits of an escaped byte.
fn plain(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' => name.push(char::from(byte)),
            _ => name.push_str(&format!("__{byte:02x}")),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use luthier_report::sample;

    use super::{Addresses, Target};

    /// Two solvers, of which the second has a label that is no file name.
    fn addresses() -> Addresses {
        let table = "| a | B<>\n s/1 sat - | sat 1 | sat 1\n s/2 sat - | unsat 1 | sat 2";
        Addresses::new(&sample::from_table(table).unwrap())
    }

    fn file(address: &str) -> Option<String> {
        match addresses().target(address, None) {
            Target::File { name, .. } => Some(name),
            _ => None,
        }
    }

    #[test]
    fn pages_and_downloads_have_plain_names() {
        for (address, name) in [
            ("/", "index.html"),
            ("/set/3", "set/3.html"),
            ("/set/3?tracks=2", "set/3/tracks-2.html"),
            ("/findings?set=1&kind=wrong-unsat", "findings/kind-wrong-unsat_set-1.html"),
            ("/findings?kind=wrong-unsat&set=1", "findings/kind-wrong-unsat_set-1.html"),
            ("/api/v1/charts/cactus.svg?set=1", "charts/cactus/set-1.svg"),
            ("/compare.csv?set=1", "compare/set-1.csv.gz"),
            ("/changes/totals.csv?before=1&after=2", "changes/totals/after-2_before-1.csv"),
            (
                "/api/v1/charts/timeline.svg?family=Z3%2F_x",
                "charts/timeline/family-__5a3__2f__5fx.svg",
            ),
            ("/assets/style.css", "assets/style.css"),
        ] {
            assert_eq!(file(address).as_deref(), Some(name), "{address}");
        }
        let label = file("/findings?solver=B%3C%3E").unwrap();
        assert!(label.strip_prefix("findings/solver-").unwrap().ends_with(".html"), "{label}");
        assert!(
            label.bytes().all(|byte| byte.is_ascii_lowercase() || b"0123456789/.-".contains(&byte))
        );
    }

    #[test]
    fn free_choices_are_views_and_the_rest_is_nothing() {
        let addresses = addresses();
        let view = |address: &str| match addresses.target(address, None) {
            Target::View(page, view) => format!("{page}#{view}"),
            other => format!("{other:?}"),
        };
        assert_eq!(view("/compare?kind=wrong&of=2"), "compare.html#kind=wrong&of=2");
        assert_eq!(view("/instance/17#L4"), "instance.html#17:L4");
        let (run, instance) = addresses.runs.iter().next().unwrap();
        assert_eq!(view(&format!("/run/{run}")), format!("instance.html#{instance}.{run}"));
        assert_eq!(
            view(&format!("/run/{run}/stdout")),
            format!("instance.html#{instance}.{run}:stdout")
        );
        let own = format!("{instance}.{run}");
        let text = addresses.target(&format!("/run/{run}/stdout"), Some(&own));
        assert_eq!(text, Target::Text("stdout"));
        for address in [
            "/run/999999",
            "/api/v1/openapi.json",
            "/operators?sort=-uses",
            "/changes?sort=place",
            "/changes?before=1&after=77",
            "/changes?before_campaign=1",
            "/instance/1/runs.csv",
            "/events",
            "/findings?page=21",
            "/set/1?page=2",
            "elsewhere",
            "",
        ] {
            assert_eq!(addresses.target(address, None), Target::None, "{address}");
        }
    }
}
