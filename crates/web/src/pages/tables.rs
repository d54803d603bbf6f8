//! The table of standings, which several pages have.

use luthier_report::measures::{Competitor, Standing};
use luthier_report::{Prominence, Results, Score, ScoreField, ScoreUnit, figures};
use maud::{Markup, html};

use crate::parts::{bad_count, count};
use crate::text::visible;

/// Which columns are shown that not every table has: those that are not empty in all rows of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// Columns that say that somebody was wrong, beside that of wrong answers.
    bad: Vec<&'static ScoreField>,
    rare: Vec<&'static ScoreField>,
}

/// Wrong answers, which have a column in every table.
const WRONG: &str = "wrong";

/// The classes that have a column in every table, after what is solved and wrong.
fn classes() -> impl Iterator<Item = &'static ScoreField> {
    let is_class = |field: &&ScoreField| field.unit == ScoreUnit::Runs && field.name != "total";
    Score::on_screen(Prominence::Always).filter(is_class)
}

impl Columns {
    /// The columns that these standings need.
    pub fn of<'a>(standings: impl IntoIterator<Item = &'a Standing>) -> Self {
        let scores: Vec<&Score> = standings.into_iter().map(|standing| &standing.score).collect();
        let is_needed = |field: &&ScoreField| scores.iter().any(|score| field.count(score) > 0);
        let needed = |prominence| Score::on_screen(prominence).filter(is_needed);
        Self {
            bad: needed(Prominence::Bad).filter(|field| field.name != WRONG).collect(),
            rare: needed(Prominence::Rare).collect(),
        }
    }

    /// The cells of the head after those that say whose row it is.
    pub fn head(&self) -> Markup {
        let title = |field: &ScoreField| {
            html! { th.n scope="col" title=(field.meaning) { (field.title) } }
        };
        html! {
            th.n scope="col" { "rank" }
            th.n scope="col" { "solved" }
            th.n scope="col" { "unique" }
            th.n scope="col" title="mean CPU time; what is not solved counts twice its limit" {
                "PAR2 mean, s"
            }
            @if let Some(field) = Score::field(WRONG) { (title(field)) }
            @for field in &self.bad { (title(field)) }
            @for field in classes() { (title(field)) }
            @for field in &self.rare { (title(field)) }
            th.n scope="col" { "missing" }
            th.n scope="col" { "runs" }
            th.n scope="col" { "CPU, s" }
        }
    }

    /// The cells of a row after those that say whose row it is.
    pub fn row(&self, standing: &Standing) -> Markup {
        let score = &standing.score;
        html! {
            (rank(standing))
            (count(standing.solved)) (count(standing.unique))
            td.n { (figures::optional(standing.par2_mean(), figures::seconds)) }
            (bad_count(score.wrong))
            @for field in &self.bad { (bad_count(field.count(score))) }
            @for field in classes() { (count(field.count(score))) }
            @for field in &self.rare { (count(field.count(score))) }
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
                        tr.best[row.competitor == Competitor::VirtualBest] {
                            th scope="row" { (contestant(results, row.competitor)) }
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
pub(crate) fn contestant(results: &Results, who: Competitor) -> Markup {
    html! { (visible(who.label(results))) }
}

fn rank(standing: &Standing) -> Markup {
    match standing.rank {
        Some(rank) if standing.comparable => html! { td.n data-sort=(rank) { (rank) } },
        Some(rank) => html! { td.n data-sort=(rank) { (rank) span.why { "*" } } },
        None => html! { td.n.zero data-sort="999999" { (figures::NOTHING) } },
    }
}
