//! Writes one chart of each kind, as SVG, PNG and TeX, into a folder:
//! `cargo run -p luthier-charts --example gallery -- FOLDER`.

use std::error::Error;
use std::path::PathBuf;

use luthier_charts::{
    Axis, Bars, Cell, Chart, ChartError, Guide, Hatch, Histogram, Kind, Line, Look, Marker, Note,
    Notes, Point, PointGroup, Shape, Stacking, Variant, colours, tikz_document, to_png, to_svg,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("give the folder to write to")?;
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    let charts = [
        ("cactus", cactus(4)?),
        ("cactus-40", cactus(40)?),
        ("scatter", scatter(400)?),
        ("scatter-100000", scatter(100_000)?),
        ("distribution", distribution()?),
        ("operators", operators()?),
        ("histogram", histogram()?),
        ("timeline", timeline(9)?),
        ("timeline-60", timeline(60)?),
        ("names", names()?),
        ("empty", empty()?),
    ];
    for (name, chart) in charts {
        let size = chart.natural_size(720);
        let path = |ending: &str| folder.join(format!("{name}.{ending}"));
        std::fs::write(path("svg"), to_svg(&chart, size, Variant::Standalone))?;
        std::fs::write(path("png"), to_png(&chart, size, 1.5)?)?;
        std::fs::write(path("tex"), tikz_document(&chart))?;
    }
    Ok(())
}

/// Numbers between 0 and 1 that look as if they were random, the same on every run.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn cactus(solvers: usize) -> Result<Chart, ChartError> {
    let line = |solver: usize| {
        let mut noise = noise(solver as u64 + 1);
        let solved = 900 - 17 * solver;
        let mut times: Vec<f64> = (0..solved).map(|_| 10f64.powf(noise() * 5.5 - 4.0)).collect();
        times.retain(|time| *time < 10.0);
        times.sort_by(f64::total_cmp);
        let points = times.iter().enumerate().map(|(n, time)| (n as f64 + 1.0, *time));
        Line { name: format!("solver_{solver}@1.{solver}"), points: points.collect(), look: None }
    };
    Chart::new(
        "Instances solved within a time",
        "One line per solver; further right is better.",
        Axis::linear("instances solved"),
        Axis::log("CPU time (s)", 0.001),
        Kind::Lines { series: (0..solvers).map(line).collect(), shape: Shape::Steps },
    )
}

fn scatter(count: usize) -> Result<Chart, ChartError> {
    let mut noise = noise(7);
    let names = ["sat", "unsat", "unsolved by one", "refuted"];
    let mut groups: Vec<PointGroup> =
        names.map(|name| PointGroup { name: name.to_owned(), ..PointGroup::default() }).into();
    groups[2].look = Some(Look::nth(6).with_marker(Marker::Ring));
    groups[3].look = Some(Look::nth(0).in_colour(colours::RED).with_marker(Marker::Cross));
    let mut notes = vec![Vec::new(); groups.len()];
    for number in 0..count {
        let x = 10f64.powf(noise() * 4.2 - 3.2);
        let y = (x * 10f64.powf(noise() * 2.0 - 1.0)).min(10.0);
        let group = match (y, number % 100) {
            (_, 99) => 3,
            (10.0, _) => 2,
            (_, odd) => odd % 2,
        };
        groups[group].points.push(Point { x: x.min(10.0), y, marker: None });
        notes[group].push(Note {
            link: Some(format!("/instances/{number}")),
            tooltip: Some(format!("set/track/instance-{number:05}.smt2: {x:.3} s, {y:.3} s")),
        });
    }
    for (group, notes) in groups.iter_mut().zip(notes) {
        group.notes = Notes::of(notes);
    }
    let guides = vec![
        Guide::Factor(1.0, String::new()),
        Guide::Factor(10.0, "×10".to_owned()),
        Guide::Factor(0.1, "×0.1".to_owned()),
        Guide::Vertical(10.0, "limit 10 s".to_owned()),
        Guide::Horizontal(10.0, "limit 10 s".to_owned()),
    ];
    Chart::new(
        "z3@4.13 against cvc5@1.2",
        "One point per instance; above the diagonal the first solver is faster.",
        Axis::log("CPU time of z3@4.13 (s)", 0.001).reaching(0.001, 15.0),
        Axis::log("CPU time of cvc5@1.2 (s)", 0.001).reaching(0.001, 15.0),
        Kind::Points { groups, guides },
    )
}

fn distribution() -> Result<Chart, ChartError> {
    let solvers = ["z3@4.8.9+z3str3", "cvc5@1.2.0", "a solver with a very long name and <options>"];
    let wrong = Look::nth(0).in_colour(colours::RED).with_hatch(Hatch::Crossed);
    let series = [
        ("wrong", [12.0, 0.0, 3.0], Some(wrong)),
        ("sat", [420.0, 512.0, 388.0], None),
        ("unsat", [300.0, 310.0, 95.0], None),
        ("unknown", [45.0, 3.0, 200.0], None),
        ("timeout", [200.0, 175.0, 310.0], None),
        ("crash", [23.0, 0.0, 4.0], None),
    ];
    let series = series.map(|(name, values, look)| Bars { look, ..Bars::of(name, values) });
    Chart::new(
        "Runs by outcome",
        "One bar per solver, made of classes.",
        Axis::linear("share of instances (%)"),
        Axis::categories("", solvers.map(str::to_owned).into()),
        Kind::Stacked { series: series.into(), stacking: Stacking::Shares },
    )
}

fn operators() -> Result<Chart, ChartError> {
    let names =
        ["str.++", "str.len", "str.in_re", "str.replace_all", "str.indexof", "re.*", "str.to_int"];
    let mut noise = noise(3);
    let series = ["z3@4.13", "cvc5@1.2", "ostrich@1.4"].map(|name| {
        let values: Vec<f64> = names.iter().map(|_| (noise() * 100.0).round()).collect();
        Bars::of(name, values)
    });
    Chart::new(
        "Instances solved by operator",
        "One group of bars per operator.",
        Axis::linear("instances solved (%)").reaching(0.0, 100.0),
        Axis::categories("operator", names.map(str::to_owned).into()),
        Kind::Grouped { series: series.into() },
    )
}

fn histogram() -> Result<Chart, ChartError> {
    let mut edges = vec![0.0];
    for exponent in -3..2 {
        edges.extend([1.0, 2.0, 5.0].map(|factor| factor * 10f64.powi(exponent)));
    }
    edges.retain(|edge| *edge <= 10.0);
    let mut noise = noise(11);
    let series = ["z3@4.13", "cvc5@1.2"].map(|name| {
        let values: Vec<f64> = (0..edges.len() + 1).map(|_| (noise() * 90.0).floor()).collect();
        Bars::of(name, values)
    });
    let extras = vec!["not solved".to_owned(), "refuted".to_owned()];
    Chart::new(
        "CPU times of runs",
        "One group of bars per range of time.",
        Axis::linear("CPU time (s)"),
        Axis::linear("instances"),
        Kind::Histogram(Histogram { edges, first_is_open: true, extras, series: series.into() }),
    )
}

fn timeline(releases: usize) -> Result<Chart, ChartError> {
    let versions = (0..releases).map(|n| format!("4.{}.{}", 8 + n / 5, n % 5)).collect();
    let mut noise = noise(5);
    let series = ["z3", "z3+z3str3"].map(|name| {
        let cells = (0..releases).map(|n| match (n, name) {
            (3, _) | (6, "z3") => Cell::default(),
            _ => Cell::of((500.0 + 12.0 * n as f64 + noise() * 60.0).round()),
        });
        Bars { name: name.to_owned(), cells: cells.collect(), look: None }
    });
    Chart::new(
        "Solved over releases of z3",
        "One line per variant; a gap where a release was not run.",
        Axis::categories("release", versions),
        Axis::linear("instances solved"),
        Kind::Timeline { series: series.into() },
    )
}

/// Names in several scripts; the font lacks the last.
fn names() -> Result<Chart, ChartError> {
    let names = ["Löser ñandú", "λύτης στοιχειοσειρών", "решатель строк", "Wave AV To", "漢字"];
    let series = ["×10 ≤ ∞ → ∀x∈Σ*", "e\u{301}clair"].map(|name| {
        let values: Vec<f64> = (1..=names.len()).map(|n| n as f64 * 7.0).collect();
        Bars::of(name, values)
    });
    Chart::new(
        "Zeichen außerhalb von ASCII: naïve œuvre",
        "One group of bars per script.",
        Axis::linear("μs per ½ instance"),
        Axis::categories("", names.map(str::to_owned).into()),
        Kind::Grouped { series: series.into() },
    )
}

fn empty() -> Result<Chart, ChartError> {
    let kind = Kind::Lines { series: Vec::new(), shape: Shape::Steps };
    Chart::new("Nothing yet", "", Axis::linear("x"), Axis::log("y (s)", 0.001), kind)
}
