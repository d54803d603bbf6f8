//! Scatter plot of two solvers: one point per instance, with the CPU times of both.

use std::collections::BTreeSet;
use std::sync::Arc;

use luthier_charts::{
    Axis, Chart, Guide, Kind, Look, Marker, Note, Notes, Point, PointGroup, colours,
};
use luthier_records::{Class, CpuTime, place_text};

use super::{FLOOR, chart, instances, label, refuted_look};
use crate::figures;
use crate::measures::Side;
use crate::{RunInfo, TrackInfo, View};

/// More limits than these are not drawn as lines, only the largest.
const MOST_LIMITS: usize = 3;

/// The groups of points, in the order in which they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Sat,
    Unsat,
    Unsolved,
    Contradicted,
    Refuted,
}

/// Where a point leads, by the number of its instance.
pub type Link = fn(i64) -> String;

/// The CPU times of two solvers on every entry that has scored runs of both. What a solver did not
/// solve, or what is refuted, stands at the limit of that run. Points lead to where `link` says.
pub fn scatter(view: &View<'_>, left: usize, right: usize, link: Option<Link>) -> Chart {
    let side = |solver| Side { solver, campaign: None };
    scatter_of_sides(view, side(left), side(right), link)
}

/// The same for two sides, which may be the same solver in two campaigns.
pub fn scatter_of_sides(view: &View<'_>, left: Side, right: Side, link: Option<Link>) -> Chart {
    let mut groups = groups();
    let mut pairs: Vec<Vec<Pair>> = groups.iter().map(|_| Vec::new()).collect();
    let mut limits = [BTreeSet::new(), BTreeSet::new()];
    let labels = [name_of(view, left), name_of(view, right)];
    let mut without_pair = 0;
    let (mut lowest, mut highest) = (f64::MAX, FLOOR);
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        let run = |side: Side| side.run(view, entry).filter(|run| run.scored.is_scored());
        let (Some(x), Some(y)) = (run(left), run(right)) else {
            without_pair += 1;
            continue;
        };
        limits[0].insert(x.scored.cpu_limit);
        limits[1].insert(y.scored.cpu_limit);
        let point = Point { x: place(x), y: place(y), marker: None };
        lowest = lowest.min(point.x).min(point.y);
        highest = highest.max(point.x).max(point.y);
        let group = group_of(x, y) as usize;
        groups[group].points.push(point);
        pairs[group].push(Pair {
            name: Arc::clone(&entry.name),
            track: entry.track,
            instance: entry.judged.content.number,
            said: [Outcome::of(x), Outcome::of(y)],
        });
    }
    let teller = Arc::new(Tooltips { places: places(view), labels: labels.clone(), link });
    for (group, pairs) in groups.iter_mut().zip(pairs) {
        let teller = Arc::clone(&teller);
        group.notes = Notes::lazy(move |index| {
            pairs.get(index).map(|pair| teller.about(pair)).unwrap_or_default()
        });
    }
    let mut guides = vec![
        Guide::Factor(1.0, String::new()),
        Guide::Factor(10.0, "×10".to_owned()),
        Guide::Factor(0.1, "×0.1".to_owned()),
    ];
    for (axis, limits) in limits.iter().enumerate() {
        let skipped = if limits.len() > MOST_LIMITS { limits.len() - 1 } else { 0 };
        for limit in limits.iter().skip(skipped) {
            let seconds = limit.as_secs_f64();
            let name = limit_name(*limit);
            highest = highest.max(seconds);
            guides.push(match axis {
                0 => Guide::Vertical(seconds, name),
                _ => Guide::Horizontal(seconds, name),
            });
        }
    }
    // Both axes are the same, so that the diagonal is one; limits do not stand at the edge.
    let (low, high) = (lowest.clamp(FLOOR, highest), highest * 1.5);
    let axis = |name: &str| {
        let title = format!("CPU time of {name} (s)");
        Axis::log(title, FLOOR).reaching(low.min(high / 10.0), high)
    };
    let counts = groups.iter().map(|group| format!("{} {}", group.name, group.points.len()));
    let mut description = format!(
        "One point per instance; below the diagonal {} is faster, above it {}. {}.",
        labels[1],
        labels[0],
        counts.collect::<Vec<_>>().join(", ")
    );
    if without_pair > 0 {
        let left_out = instances(without_pair);
        description.push_str(&format!(" Not shown: {left_out} without runs of both."));
    }
    chart(
        format!("{} against {}", labels[0], labels[1]),
        description,
        axis(&labels[0]),
        axis(&labels[1]),
        Kind::Points { groups, guides },
    )
}

fn groups() -> Vec<PointGroup> {
    let look = |colour, marker| Look::nth(0).in_colour(colour).with_marker(marker);
    let all = [
        (Group::Sat, "both sat", look(colours::BLUE, Marker::Circle)),
        (Group::Unsat, "both unsat", look(colours::GREEN, Marker::Square)),
        (Group::Unsolved, "not solved by both", look(colours::GREY, Marker::Ring)),
        (Group::Contradicted, "contradict each other", look(colours::OCHRE, Marker::Triangle)),
        (Group::Refuted, "refuted", refuted_look()),
    ];
    debug_assert!(all.iter().enumerate().all(|(index, (group, ..))| *group as usize == index));
    let group = |(_, name, look): (Group, &str, Look)| PointGroup {
        name: name.to_owned(),
        look: Some(look),
        ..PointGroup::default()
    };
    all.into_iter().map(group).collect()
}

fn group_of(x: &RunInfo, y: &RunInfo) -> Group {
    let (x, y) = (&x.scored, &y.scored);
    if x.is_refuted() || y.is_refuted() {
        Group::Refuted
    } else if !x.is_solved() || !y.is_solved() {
        Group::Unsolved
    } else if x.class != y.class {
        Group::Contradicted
    } else if x.class == Class::Sat {
        Group::Sat
    } else {
        Group::Unsat
    }
}

/// The label of the solver, with the campaign if only that is looked at.
fn name_of(view: &View<'_>, side: Side) -> String {
    let solver = label(view, side.solver);
    match side.campaign {
        Some(campaign) => {
            format!("{solver} (campaign {})", view.results.campaigns[campaign].number)
        }
        None => solver.to_owned(),
    }
}

fn place(run: &RunInfo) -> f64 {
    let time = if run.scored.is_solved() { run.scored.cpu } else { run.scored.cpu_limit };
    time.as_secs_f64()
}

/// The data of a tooltip, before it is formatted: there may be a hundred thousand of these,
/// and few of them are drawn.
struct Pair {
    name: Arc<str>,
    track: usize,
    instance: i64,
    said: [Outcome; 2],
}

/// What a solver did.
struct Outcome {
    class: Class,
    is_refuted: bool,
    cpu: CpuTime,
}

/// What is the same for all points.
struct Tooltips {
    /// The names of set and track, by track.
    places: Vec<(String, String)>,
    labels: [String; 2],
    link: Option<Link>,
}

impl Outcome {
    fn of(run: &RunInfo) -> Self {
        let scored = &run.scored;
        Outcome { class: scored.class, is_refuted: scored.is_refuted(), cpu: scored.cpu }
    }
}

impl Tooltips {
    /// `demo/1.smt2: z3 sat 0.120 s, cvc5 timeout 10.000 s`.
    fn about(&self, pair: &Pair) -> Note {
        let (set, track) = &self.places[pair.track];
        let did = self.labels.iter().zip(&pair.said).map(|(label, said)| {
            let refuted = if said.is_refuted { " (refuted)" } else { "" };
            format!("{label} {}{refuted} {} s", said.class.name(), figures::time(said.cpu.0))
        });
        let did = did.collect::<Vec<_>>().join(", ");
        Note {
            link: self.link.map(|link| link(pair.instance)),
            tooltip: Some(format!("{}: {did}", place_text(set, track, &pair.name))),
        }
    }
}

fn places(view: &View<'_>) -> Vec<(String, String)> {
    let results = view.results;
    let names = |track: &TrackInfo| (results.sets[track.set].name.clone(), track.name.clone());
    results.tracks.iter().map(names).collect()
}

fn limit_name(limit: CpuTime) -> String {
    format!("limit {} s", limit.as_secs_f64())
}
