//! Sets against solvers: what each solved of each set, and where it is wrong.

use luthier_report::measures::{Competitor, FilterKind, Standing, by_rank, standings};
use luthier_report::{Results, View, figures};
use maud::{Markup, html};

use super::behind::Behind;
use super::choice::Scope;
use super::csv;
use super::tables::{SET, solver_link};
use crate::headings::{self, Heading, room, width};
use crate::parts::{bad_count, wrong};
use crate::text::visible;

/// A matrix has at most so many cells; of further sets only the names are shown.
const MOST_CELLS: usize = 3_000;

/// How many instances of a set or a track somebody got wrong.
pub(super) const ANY_WRONG: Heading = Heading::number(
    "wrong",
    "Instances on which some solver has a wrong answer or an invalid model.",
);
/// The columns of the solvers.
const SOLVED: Heading = Heading::number(
    "each solver",
    "Instances that this solver solved, of all instances of the set. ✗ counts its instances with a \
     wrong answer or an invalid model. Not run: it has no run on the set.",
);

/// How many letters of the name of a solver stand in one line at least.
const NAME: usize = 11;

/// The standings in each of the first sets, as many as the matrix shows.
pub(super) fn standings_by_set(results: &Results, all: &View<'_>) -> Vec<Vec<Standing>> {
    let most = (MOST_CELLS / all.solvers.len().max(1)).max(1);
    let sets = results.sets.iter().take(most);
    sets.map(|set| standings(&View { entries: set.entries.clone().collect(), ..all.clone() }))
        .collect()
}

/// The matrix, solvers by their rank over everything.
pub(super) fn matrix(view: &View<'_>, all: &[Standing], by_set: &[Vec<Standing>]) -> Markup {
    let results = view.results;
    let ranked = by_rank(all.to_vec());
    let solvers: Vec<usize> = ranked.iter().filter_map(solver_of).collect();
    // Two counts and a slash.
    let cell = width((2 * figures::count(results.entries.len() as u64).len() + 1).max(NAME));
    html! {
        section aria-labelledby="sets" {
            h2 #sets { "Sets and solvers" }
            p.why.note {
                "Solved of all instances of a set, the solver with the best rank first. ✗ counts \
                 instances with a wrong answer or an invalid model, which are not solved. Every \
                 count leads to its instances."
            }
            div.scroll.{ (room(16 + (solvers.len() * cell).div_ceil(16))) } tabindex="0" role="region" aria-label="Sets and solvers" {
                table.matrix.sortable {
                    thead {
                        tr {
                            (headings::head(&[SET, ANY_WRONG]))
                            @for &solver in &solvers {
                                th.n scope="col" title=(SOLVED.meaning) { (solver_link(results, solver)) }
                            }
                        }
                    }
                    tbody {
                        @if results.sets.len() > 1 {
                            tr.all {
                                th scope="row" {
                                    a href="/compare" { "all sets" } " "
                                    span.why { (figures::count(results.entries.len() as u64)) }
                                }
                                (row(all, &solvers, view, &Behind::of(results, Scope::default())))
                            }
                        }
                        @for (index, standings) in by_set.iter().enumerate() {
                            @let set = &results.sets[index];
                            tr {
                                th.set scope="row" {
                                    a href={ "/set/" (set.number) } { (visible(&set.name)) } " "
                                    span.why { (figures::count(set.entries.len() as u64)) }
                                }
                                @let entries = set.entries.clone().collect();
                                (row(standings, &solvers, &View { entries, ..view.clone() }, &Behind::of_set(results, index)))
                            }
                        }
                    }
                }
            }
            (csv::link("/scores.csv", "all scores, over everything and by set"))
            (headings::help(&[SET, ANY_WRONG, SOLVED]))
            @if results.sets.len() > by_set.len() {
                h3 { "Further sets" }
                ul.names {
                    @for set in &results.sets[by_set.len()..] {
                        li { a href={ "/set/" (set.number) } { (visible(&set.name)) } }
                    }
                }
            }
        }
    }
}

fn solver_of(standing: &Standing) -> Option<usize> {
    match standing.competitor {
        Competitor::Solver(solver) => Some(solver),
        Competitor::VirtualBest => None,
    }
}

fn row(standings: &[Standing], solvers: &[usize], view: &View<'_>, behind: &Behind<'_>) -> Markup {
    let instances = view.entries.len();
    let of =
        |solver: usize| standings.iter().find(|one| one.competitor == Competitor::Solver(solver));
    html! {
        (bad_count(
            FilterKind::Refuted.count(view, None),
            Some(behind.address(None, FilterKind::Refuted))
        ))
        @for &solver in solvers {
            @match of(solver) {
                Some(standing) if standing.missing < instances as u64 => {
                    (cell(standing, solver, instances, behind))
                }
                _ => { td.n.none data-sort="-1" { "not run" } }
            }
        }
    }
}

fn cell(standing: &Standing, solver: usize, instances: usize, behind: &Behind<'_>) -> Markup {
    html! {
        td.n.bad[standing.refuted > 0] data-sort=(standing.solved) {
            a href=(behind.address(Some(solver), FilterKind::Solved)) {
                (figures::count(standing.solved))
            }
            span.why { "/" (figures::count(instances as u64)) }
            @if standing.refuted > 0 {
                " " (wrong(standing.refuted, Some(behind.address(Some(solver), FilterKind::Refuted))))
            }
        }
    }
}
