//! The table of standings, which several pages have.

use luthier_report::measures::{Competitor, FilterKind, Standing};
use luthier_report::{Prominence, Results, Score, ScoreField, ScoreUnit, figures};
use maud::{Markup, html};

use super::behind::Behind;
use super::csv;
use crate::headings::{self, Heading, number_width};
use crate::parts::{bad_count, count, linked_count, wrong_mark};
use crate::text::visible;

/// Which columns are shown that not every table has: those that are not empty in all rows of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// Columns of unsoundness beside that of wrong answers: invalid models and cores.
    bad: Vec<&'static ScoreField>,
    rare: Vec<&'static ScoreField>,
    /// How many letters the longest count has.
    letters: usize,
}

/// The column that says whose row it is.
pub(crate) const SOLVER: Heading = Heading::text(
    "solver",
    "A release with its configuration; it leads to its page. ✗ stands before one that has a wrong \
     answer, an invalid model or an invalid core. The virtual best takes the best run on each \
     instance.",
);
/// The column with the names of sets.
pub(crate) const SET: Heading = Heading::text("set", "A set of benchmarks; it leads to its page.");

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
            letters: scores
                .iter()
                .map(|score| figures::count(score.total).len())
                .max()
                .unwrap_or(0),
        }
    }

    /// The cells of the head after those that say whose row it is.
    pub fn head(&self) -> Markup {
        headings::head(&self.headings())
    }

    /// The class of the box around a table with these columns after others of this width, in rem.
    pub fn room(&self, others: usize) -> &'static str {
        let widths = self.headings().into_iter().map(|one| number_width(one.name, self.letters));
        headings::room(others + widths.sum::<usize>().div_ceil(16))
    }

    /// Stands before the name of a row with a wrong answer, an invalid model or an invalid core.
    pub fn mark(&self, standing: &Standing) -> Markup {
        let score = &standing.score;
        wrong_mark(score.wrong > 0 || self.bad.iter().any(|field| field.count(score) > 0))
    }

    /// The headings with what they mean. Wrong answers come early, where they are seen on phones.
    fn headings(&self) -> Vec<Heading> {
        let of_standing =
            |heading: &'static str| Heading::number(heading, Standing::meaning(heading));
        let of_score = |field: &&'static ScoreField| Heading::number(field.title, field.meaning);
        let mut headings = vec![of_standing("rank"), of_standing("solved")];
        headings.extend(Score::field(WRONG).iter().map(of_score));
        headings.extend(self.bad.iter().map(of_score));
        headings.extend(["PAR2 mean, s", "unique"].map(of_standing));
        headings.extend(classes().map(|field| of_score(&field)));
        headings.extend(self.rare.iter().map(of_score));
        headings.extend(["missing", "runs", "CPU, s"].map(of_standing));
        headings
    }

    /// What the headings mean, after those of the columns before them.
    pub fn help(&self, others: &[Heading]) -> Markup {
        let mut all = others.to_vec();
        all.extend(self.headings());
        headings::help(&all)
    }

    /// The cells of a row after those that say whose row it is.
    pub fn row(&self, standing: &Standing, behind: &Behind<'_>) -> Markup {
        let score = &standing.score;
        // The runs of the virtual best are those of others; only what it solved can be listed.
        let (solver, is_solver) = match standing.competitor {
            Competitor::Solver(solver) => (Some(solver), true),
            Competitor::VirtualBest => (None, false),
        };
        let of = |kind: FilterKind| Some(behind.address(solver, kind));
        let of_score = |field: &ScoreField| {
            let kind = FilterKind::of_score(field.name).filter(|_| is_solver)?;
            Some(behind.address(solver, kind))
        };
        html! {
            (rank(standing))
            (linked_count(standing.solved, of(FilterKind::Solved)))
            @if let Some(field) = Score::field(WRONG) { (bad_count(score.wrong, of_score(field))) }
            @for field in &self.bad { (bad_count(field.count(score), of_score(field))) }
            td.n { (figures::optional(standing.par2_mean(), figures::seconds)) }
            (linked_count(standing.unique, of(FilterKind::Unique)))
            @for field in classes() { (linked_count(field.count(score), of_score(field))) }
            @for field in &self.rare { (linked_count(field.count(score), of_score(field))) }
            (linked_count(standing.missing, of(FilterKind::Missing).filter(|_| is_solver)))
            (count(score.total))
            td.n { (figures::sum_seconds(score.cpu.as_secs_f64())) }
        }
    }
}

/// One table for all rows.
pub(crate) fn standings(results: &Results, rows: &[Standing], behind: &Behind<'_>) -> Markup {
    let columns = Columns::of(rows);
    html! {
        div.scroll.{ (columns.room(11)) } tabindex="0" role="region" aria-label="Scores" {
            table.sortable {
                thead { tr { (headings::head(&[SOLVER])) (columns.head()) } }
                tbody {
                    @for row in rows {
                        tr.best[row.competitor == Competitor::VirtualBest] {
                            th scope="row" data-sort=(visible(row.competitor.label(results))) {
                                (columns.mark(row)) (contestant(results, row.competitor))
                            }
                            (columns.row(row, behind))
                        }
                    }
                }
            }
        }
        (csv::link(&behind.query().address("/scores.csv"), "all scores"))
        (columns.help(&[SOLVER]))
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
    html! {
        @match who {
            Competitor::Solver(solver) => (solver_link(results, solver)),
            Competitor::VirtualBest => (visible(who.label(results))),
        }
    }
}

/// The name of a solver, which leads to its page.
pub(crate) fn solver_link(results: &Results, solver: usize) -> Markup {
    let info = &results.solvers[solver];
    html! { a.solver href={ "/solver/" (info.number) } { (visible(&info.label)) } }
}

fn rank(standing: &Standing) -> Markup {
    match standing.rank {
        Some(rank) if standing.comparable => html! { td.n data-sort=(rank) { (rank) } },
        Some(rank) => html! { td.n data-sort=(rank) { (rank) span.why { "*" } } },
        None => html! { td.n.zero data-sort="999999" { (figures::NOTHING) } },
    }
}
