//! The instances of a comparison, each with what every solver did.

use luthier_records::{CoreOutcome, Judgement, ModelOutcome};
use luthier_report::measures::{Competitor, FilterKind, SortKey, Sorting, Standing, standings};
use luthier_report::{Results, RunInfo, View, figures};
use maud::{Markup, html};

use super::request::Request;
use crate::headings::{self, Heading, room};
use crate::pages::choice::{sort_sign, sorted_heading};
use crate::pages::set::has_bad_run;
use crate::pages::tables::solver_link;
use crate::parts::{
    self, EACH_SOLVER, EXPECTED, INSTANCE, SIZE, class, class_word, expected, wrong_mark,
};
use crate::text::{shorten, visible};

/// The table with these entries of the view.
pub(super) fn table(view: &View<'_>, request: &Request, shown: &[usize]) -> Markup {
    let results = view.results;
    html! {
        div.scroll.{ (room(25 + 10 * view.solvers.len())) } tabindex="0" role="region" aria-label="Instances" {
            table.instances.compared {
                caption { "Instances, and what each solver did" }
                thead {
                    tr {
                        (heading(results, request, &INSTANCE, SortKey::Place))
                        (heading(results, request, &SIZE, SortKey::Size))
                        (headings::head(&[EXPECTED]))
                        @for &solver in &view.solvers { (solver_heading(results, request, solver)) }
                    }
                    (totals(view, request))
                }
                tbody { @for &entry in shown { (row(view, entry)) } }
            }
        }
    }
}

/// Ways to sort that have no column of their own.
pub(super) fn orders(results: &Results, request: &Request) -> Markup {
    let mut ways = vec![(SortKey::Spread, "largest differences first".to_owned())];
    if let Some((x, y)) = request.axes {
        let label = |solver: usize| visible(&results.solvers[solver].label);
        let worst = |worse: usize, better: usize| {
            (
                SortKey::Ratio(worse, better),
                format!("{} slowest against {}", label(worse), label(better)),
            )
        };
        ways.extend([worst(x, y), worst(y, x)]);
    }
    html! {
        @if request.solvers.chosen.len() > 1 {
            p.orders {
                "Order: "
                @for (key, words) in ways {
                    @let sorting = Sorting { key, descending: true };
                    a href=(request.sorted(sorting).address(results))
                        aria-current=[(request.sorting == sorting).then_some("true")] { (words) }
                    " "
                }
            }
        }
    }
}

/// What the headings mean.
pub(super) fn help() -> Markup {
    headings::help(&[INSTANCE, SIZE, EXPECTED, EACH_SOLVER])
}

fn heading(results: &Results, request: &Request, heading: &Heading, key: SortKey) -> Markup {
    let words = html! { (heading.name) };
    sorted_heading(heading, words, direction(request, key), |descending| {
        request.sorted(Sorting { key, descending }).address(results)
    })
}

/// The name of a solver, which leads to its page, with a sign that sorts by its times.
fn solver_heading(results: &Results, request: &Request, solver: usize) -> Markup {
    let key = SortKey::Time(solver);
    let direction = direction(request, key);
    let (sort, sign) = sort_sign(direction);
    let next = request.sorted(Sorting { key, descending: direction == Some(false) });
    html! {
        th scope="col" title=(EACH_SOLVER.meaning) aria-sort=[sort] {
            (solver_link(results, solver)) " "
            a.sort href=(next.address(results))
                aria-label={ "Sort by the time of " (visible(&results.solvers[solver].label)) } {
                span.sign aria-hidden="true" { (sign) }
            }
        }
    }
}

/// Whether the table is sorted by this key, and then whether it descends.
fn direction(request: &Request, key: SortKey) -> Option<bool> {
    let Sorting { key: current, descending } = request.sorting;
    (key == current).then_some(descending)
}

/// What the solvers did on all instances that match, not only on those of this page.
fn totals(view: &View<'_>, request: &Request) -> Markup {
    let results = view.results;
    let standings = standings(view);
    let of_solvers = standings.iter().filter_map(|standing| match standing.competitor {
        Competitor::Solver(solver) => Some((standing, solver)),
        Competitor::VirtualBest => None,
    });
    // A list is of one kind; only that of everything can be narrowed further.
    let of = |kind: FilterKind, solver: Option<usize>| {
        (request.filter.kind == FilterKind::All)
            .then(|| request.of_kind(kind, solver).address(results))
    };
    html! {
        tr.totals {
            @let wrong = FilterKind::Refuted.count(view, None);
            th scope="row" {
                "all " (figures::count(view.entries.len() as u64)) " that match"
                @if wrong > 0 { br; (parts::wrong(wrong, of(FilterKind::Refuted, None))) " wrong" }
            }
            td {}
            td {}
            @for (standing, solver) in of_solvers { (total(standing, |kind| of(kind, Some(solver)))) }
        }
    }
}

fn total(standing: &Standing, address: impl Fn(FilterKind) -> Option<String>) -> Markup {
    let linked = |count: u64, kind: FilterKind| {
        html! {
            @match address(kind).filter(|_| count > 0) {
                Some(address) => { a href=(address) { (figures::count(count)) } }
                None => (figures::count(count)),
            }
        }
    };
    html! {
        td {
            (linked(standing.solved, FilterKind::Solved)) " solved "
            span.why { "(" (figures::share(standing.solved, standing.instances)) ")" }
            @if standing.refuted > 0 {
                br; (parts::wrong(standing.refuted, address(FilterKind::Refuted))) " wrong"
            }
            @if standing.missing > 0 {
                br; span.why { (linked(standing.missing, FilterKind::Missing)) " not run" }
            }
            br; span.why {
                "PAR2 mean " (figures::optional(standing.par2_mean(), figures::seconds)) " s"
            }
        }
    }
}

fn row(view: &View<'_>, entry: usize) -> Markup {
    let entry = &view.results.entries[entry];
    let content = &entry.judged.content;
    let place = view.results.place_of(entry);
    html! {
        tr {
            th scope="row" {
                (wrong_mark(has_bad_run(view, entry)))
                a href={ "/instance/" (content.number) } title=(visible(&place)) {
                    (visible(&shorten(&place, 90)))
                }
            }
            td.n { (content.size) }
            td { (expected(entry)) }
            @for &solver in &view.solvers { (cell(view.run(entry, solver))) }
        }
    }
}

/// Class, time, and what was found about the model and the core, with a sign and a word.
pub(crate) fn cell(run: Option<&RunInfo>) -> Markup {
    let Some(run) = run else { return html! { td.run.none { "not run" } } };
    let scored = &run.scored;
    html! {
        td.run.bad[scored.is_refuted()] {
            a href={ "/run/" (run.number) } {
                @if scored.is_wrong() {
                    strong.wrong { "✗ wrong " (class_word(scored.class)) }
                } @else {
                    (class(scored.class))
                }
            }
            " " span.time { (figures::time(scored.cpu.0)) " s" }
            @match scored.model {
                None => {}
                Some(ModelOutcome::Valid | ModelOutcome::Completed) => { " " span.right { "✓ model" } }
                Some(ModelOutcome::Incomplete) => { " " span.doubt { "◌ incomplete model" } }
                Some(ModelOutcome::Unsupported | ModelOutcome::Exceeded) => { " " span.doubt { "? model not checked" } }
                Some(ModelOutcome::Invalid) => { " " strong.wrong { "✗ invalid model" } }
            }
            @match scored.core {
                Some(CoreOutcome::Invalid) => { " " strong.wrong { "✗ invalid core" } }
                Some(CoreOutcome::Disputed) => { " " strong.doubt { "≠ core disputed" } }
                _ => {}
            }
            @if scored.judgement == Judgement::Disputed { " " strong.doubt { "≠ disputed" } }
        }
    }
}
