//! Stacked bars of the outcomes of each solver's runs.

use luthier_charts::{Axis, Bars, Cell, Chart, Colour, Hatch, Kind, Look, Stacking, colours};
use luthier_records::Class;

use super::{chart, instances, label, run};
use crate::{RunInfo, View};

/// The outcome of an entry, as a piece of a bar. Wrong answers come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Wrong,
    InvalidModel,
    Ended(Class),
    NoRun,
}

/// All pieces, from left to right.
const PIECES: [(Piece, &str, Colour, Hatch); 12] = [
    (Piece::Wrong, "wrong answer", colours::RED, Hatch::Crossed),
    (Piece::InvalidModel, "invalid model", colours::RED, Hatch::Horizontal),
    (Piece::Ended(Class::Sat), "sat", colours::BLUE, Hatch::Plain),
    (Piece::Ended(Class::Unsat), "unsat", colours::GREEN, Hatch::Rising),
    (Piece::Ended(Class::Unknown), "unknown", colours::OCHRE, Hatch::Dotted),
    (Piece::Ended(Class::Unsupported), "unsupported", colours::PURPLE, Hatch::Falling),
    (Piece::Ended(Class::Malformed), "malformed", colours::SKY, Hatch::Horizontal),
    (Piece::Ended(Class::Timeout), "timeout", colours::GREY, Hatch::Plain),
    (Piece::Ended(Class::Memout), "memout", colours::GREY, Hatch::Vertical),
    (Piece::Ended(Class::Crash), "crash", colours::VERMILION, Hatch::Grid),
    (Piece::Ended(Class::FrameworkError), "framework error", colours::GREY, Hatch::Dotted),
    (Piece::NoRun, "not run", colours::GREY, Hatch::Rising),
];

/// A bar per solver with one piece per class. Answers that are refuted are pieces of their own, so
/// that *sat* and *unsat* are what is solved.
pub fn distribution(view: &View<'_>, stacking: Stacking) -> Chart {
    let mut counts = vec![[0_u32; PIECES.len()]; view.solvers.len()];
    for entry in view.iter() {
        for (&solver, counts) in view.solvers.iter().zip(&mut counts) {
            let piece = piece(run(view, entry, solver));
            let index = PIECES.iter().position(|(other, ..)| *other == piece);
            counts[index.unwrap_or(PIECES.len() - 1)] += 1;
        }
    }
    let series = PIECES.iter().enumerate().map(|(index, &(_, name, colour, hatch))| Bars {
        name: name.to_owned(),
        cells: counts.iter().map(|counts| Cell::of(f64::from(counts[index]))).collect(),
        look: Some(Look::nth(0).in_colour(colour).with_hatch(hatch)),
    });
    let names = view.solvers.iter().map(|&solver| label(view, solver).to_owned()).collect();
    let axis = match stacking {
        Stacking::Shares => Axis::linear("share of instances (%)"),
        Stacking::Counts => Axis::linear("instances"),
    };
    let description = format!(
        "One bar per solver for {}, made of what its runs ended with; answers that are wrong and \
         models that are invalid come first.",
        instances(view.entries.len())
    );
    let kind = Kind::Stacked { series: series.collect(), stacking };
    let title = "Runs by outcome".to_owned();
    chart(title, description, axis, Axis::categories("", names), kind)
}

fn piece(run: Option<&RunInfo>) -> Piece {
    match run {
        None => Piece::NoRun,
        Some(run) if run.scored.is_wrong() => Piece::Wrong,
        Some(run) if run.scored.is_refuted() => Piece::InvalidModel,
        Some(run) => Piece::Ended(run.scored.class),
    }
}
