//! The table of standings, which several pages have.

use luthier_report::measures::{Contestant, Standing};
use luthier_report::{Results, Score, figures};
use maud::{Markup, html};

use crate::parts::{bad_count, count};
use crate::text::visible;

/// Which of the rare columns are shown: those that are not empty in all rows of a page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    shown: [bool; RARE],
}

const RARE: usize = 10;

const RARE_NAMES: [&str; RARE] = [
    "memory out",
    "crash",
    "unsupported",
    "malformed",
    "our fault",
    "disputed",
    "incomplete model",
    "unchecked model",
    "invalid model",
    "invalid core",
];

/// Those from here on are bad.
const FIRST_BAD: usize = 8;

impl Columns {
    /// The columns that these standings need.
    pub fn of<'a>(standings: impl IntoIterator<Item = &'a Standing>) -> Self {
        let mut columns = Self::default();
        for standing in standings {
            for (shown, value) in columns.shown.iter_mut().zip(rare(&standing.score)) {
                *shown |= value > 0;
            }
        }
        columns
    }

    /// The cells of the head after those that say whose row it is.
    pub fn head(&self) -> Markup {
        html! {
            th.n scope="col" { "rank" }
            th.n scope="col" { "solved" }
            th.n scope="col" { "unique" }
            th.n scope="col" title="mean CPU time; what is not solved counts twice its limit" {
                "PAR2 mean, s"
            }
            th.n scope="col" { "wrong" }
            @for (index, name) in RARE_NAMES.iter().enumerate().skip(FIRST_BAD) {
                @if self.shown[index] { th.n scope="col" { (name) } }
            }
            th.n scope="col" { "sat" }
            th.n scope="col" { "unsat" }
            th.n scope="col" { "unknown" }
            th.n scope="col" { "timeout" }
            @for (index, name) in RARE_NAMES.iter().enumerate().take(FIRST_BAD) {
                @if self.shown[index] { th.n scope="col" { (name) } }
            }
            th.n scope="col" { "missing" }
            th.n scope="col" { "runs" }
            th.n scope="col" { "CPU, s" }
        }
    }

    /// The cells of a row after those that say whose row it is.
    pub fn row(&self, standing: &Standing) -> Markup {
        let score = &standing.score;
        let rare = rare(score);
        html! {
            (rank(standing))
            (count(standing.solved)) (count(standing.unique))
            td.n { (figures::optional(standing.par2_mean(), figures::seconds)) }
            (bad_count(score.wrong))
            @for index in FIRST_BAD..RARE { @if self.shown[index] { (bad_count(rare[index])) } }
            (count(score.sat)) (count(score.unsat)) (count(score.unknown)) (count(score.timeout))
            @for index in 0..FIRST_BAD { @if self.shown[index] { (count(rare[index])) } }
            (count(standing.missing)) (count(score.total))
            td.n { (figures::sum_seconds(score.cpu.as_secs_f64())) }
        }
    }
}

/// One table for all rows.
pub(crate) fn standings(results: &Results, rows: &[Standing]) -> Markup {
    let columns = Columns::of(rows);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Scores" {
            table.sortable {
                thead { tr { th scope="col" { "solver" } (columns.head()) } }
                tbody {
                    @for row in rows {
                        tr.best[row.who == Contestant::VirtualBest] {
                            th scope="row" { (contestant(results, row.who)) }
                            (columns.row(row))
                        }
                    }
                }
            }
        }
        (legend(rows))
    }
}

/// What the signs in a table of standings mean, if there are any.
pub(crate) fn legend<'a>(standings: impl IntoIterator<Item = &'a Standing>) -> Markup {
    let mut ranked = standings.into_iter().filter(|standing| standing.rank.is_some());
    html! {
        @if ranked.any(|standing| !standing.comparable) {
            p.note.why {
                "Ranks are by PAR2. * is over fewer instances than there are: on the others it has no \
                 result, which counts neither for nor against it."
            }
        }
    }
}

/// The name of a row.
pub(crate) fn contestant(results: &Results, who: Contestant) -> Markup {
    html! { (visible(who.label(results))) }
}

fn rank(standing: &Standing) -> Markup {
    match standing.rank {
        Some(rank) if standing.comparable => html! { td.n data-sort=(rank) { (rank) } },
        Some(rank) => html! { td.n data-sort=(rank) { (rank) span.why { "*" } } },
        None => html! { td.n.zero data-sort="999999" { (figures::NOTHING) } },
    }
}

fn rare(score: &Score) -> [u64; RARE] {
    [
        score.memout,
        score.crash,
        score.unsupported,
        score.malformed,
        score.framework_error,
        score.disputed,
        score.incomplete_model,
        score.unchecked_model,
        score.invalid_model,
        score.invalid_core,
    ]
}
