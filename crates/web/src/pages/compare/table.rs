//! The instances of a comparison, each with what every solver did.

use luthier_records::{CoreOutcome, Judgement, ModelOutcome};
use luthier_report::measures::{Contestant, FilterKind, SortKey, Sorting, Standing, standings};
use luthier_report::{Results, RunInfo, View, figures};
use maud::{Markup, html};

use super::request::Request;
use crate::pages::choice::sorted_heading;
use crate::pages::set::has_bad_run;
use crate::parts::{EXPECTED, class, class_word, verdict, wrong_mark};
use crate::text::{shorten, visible};

/// The table with these entries of the view.
pub(super) fn table(view: &View<'_>, request: &Request, shown: &[usize]) -> Markup {
    let results = view.results;
    html! {
        div.scroll tabindex="0" role="region" aria-label="Instances" {
            table.instances.compared {
                caption { "Instances, and what each solver did" }
                thead {
                    tr {
                        (heading(results, request, html! { "instance" }, SortKey::Place))
                        (heading(results, request, html! { "size" }, SortKey::Size))
                        th scope="col" title=(EXPECTED) { "expected" }
                        @for &solver in &view.solvers {
                            @let label = html! { (visible(&results.solvers[solver].label)) };
                            (heading(results, request, label, SortKey::Time(solver)))
                        }
                    }
                    (totals(view))
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

fn heading(results: &Results, request: &Request, words: Markup, key: SortKey) -> Markup {
    let Sorting { key: current, descending } = request.sorting;
    let direction = (key == current).then_some(descending);
    sorted_heading(words, key == SortKey::Size, direction, |descending| {
        request.sorted(Sorting { key, descending }).address(results)
    })
}

/// What the solvers did on all instances that match, not only on those of this page.
fn totals(view: &View<'_>) -> Markup {
    let standings = standings(view);
    let of_solvers = standings.iter().filter(|standing| standing.who != Contestant::VirtualBest);
    html! {
        tr.totals {
            @let wrong = FilterKind::Refuted.count(view, None);
            th scope="row" {
                "all " (figures::count(view.entries.len() as u64)) " that match"
                @if wrong > 0 { br; strong.wrong { "✗ " (figures::count(wrong)) " wrong" } }
            }
            td {}
            td {}
            @for standing in of_solvers { (total(standing)) }
        }
    }
}

fn total(standing: &Standing) -> Markup {
    html! {
        td {
            (figures::count(standing.solved)) " solved "
            span.why { "(" (figures::share(standing.solved, standing.instances)) ")" }
            @if standing.refuted > 0 {
                br; strong.wrong { "✗ " (figures::count(standing.refuted)) " wrong" }
            }
            @if standing.missing > 0 {
                br; span.why { (figures::count(standing.missing)) " not run" }
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
            td {
                @match entry.judged.expected() {
                    Some((expected, _)) => (verdict(expected)),
                    None if content.is_unreadable => span.doubt { "unreadable" },
                    None => span.why { "open" },
                }
            }
            @for &solver in &view.solvers { (cell(view.run(entry, solver))) }
        }
    }
}

/// Class, time, and what was found about the model and the core, with a sign and a word.
pub(in crate::pages) fn cell(run: Option<&RunInfo>) -> Markup {
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
