//! What changed: how many of each kind, and the instances.

use luthier_report::documents::csv_record;
use luthier_report::measures::{Change, ChangeKind, Changes};
use luthier_report::{Results, RunInfo, figures};
use maud::{Markup, html};

use super::request::{Order, Request};
use crate::headings::{self, Heading, room};
use crate::pages::choice::sorted_heading;
use crate::pages::compare::run_cell;
use crate::pages::csv::{figure, line, place};
use crate::parts::{INSTANCE, is_bad as is_bad_run, wrong_mark};
use crate::text::{shorten, visible};

/// How many there are of each kind, as links.
pub(super) fn tabs(results: &Results, request: &Request, found: &Changes<'_>) -> Markup {
    let link = |kind: Option<ChangeKind>, count: u64, words: &str| {
        let address = Request { kind, page: 1, ..*request }.address(results);
        let is_chosen = request.kind == kind;
        html! {
            li {
                @if count == 0 && !is_chosen {
                    span.none { b { "0" } (words) }
                } @else {
                    a.is-wrong[kind.is_some_and(is_bad)].chosen[is_chosen] href=(address)
                        aria-current=[is_chosen.then_some("true")] {
                        b { (figures::count(count)) }
                        (words)
                    }
                }
            }
        }
    };
    let changed = ChangeKind::ALL.into_iter().filter(|&kind| kind.is_change());
    html! {
        ul.counts.tabs {
            (link(None, changed.map(|kind| found.tally.count(kind)).sum(), "all changes"))
            @for kind in ChangeKind::ALL { (link(Some(kind), found.tally.count(kind), kind.words())) }
        }
    }
}

/// The changes that are asked for, in the order that is asked for.
pub(super) fn chosen<'c, 'a>(request: &Request, found: &'c Changes<'a>) -> Vec<&'c Change<'a>> {
    let is_asked = |change: &&Change<'_>| match request.kind {
        Some(kind) => change.kind == kind,
        None => change.kind.is_change(),
    };
    let mut list: Vec<&Change<'_>> = found.list.iter().filter(is_asked).collect();
    match request.order {
        // Both sorts are stable, so that what is equal stays in the order of places.
        Order::Kind => list.sort_by_key(|change| change.kind),
        Order::Place => {}
        Order::Ratio => {
            let mut rated: Vec<_> =
                list.into_iter().map(|change| (change.ratio(), change)).collect();
            rated.sort_by(|(left, _), (right, _)| match (left, right) {
                (Some(left), Some(right)) if request.descending => right.total_cmp(left),
                (Some(left), Some(right)) => left.total_cmp(right),
                // What has none comes last in both directions.
                (left, right) => left.is_none().cmp(&right.is_none()),
            });
            return rated.into_iter().map(|(_, change)| change).collect();
        }
    }
    if request.descending {
        list.reverse();
    }
    list
}

/// The columns of the table of changes.
pub(super) const HEADINGS: [Heading; 5] = [
    Heading::text("change", "What is different after, by kind."),
    INSTANCE,
    Heading::text("before", "What the run before ended with and its CPU time in seconds."),
    Heading::text("after", "What the run after ended with and its CPU time in seconds."),
    Heading::number(
        "time",
        "The penalised time after divided by that before: × 2.00 is twice as long, ÷ 2.00 half as long.",
    ),
];

/// The table of these changes.
pub(super) fn table(results: &Results, request: &Request, shown: &[&Change<'_>]) -> Markup {
    let sorted = |heading: &Heading, order: Order| {
        let direction = (request.order == order).then_some(request.descending);
        sorted_heading(heading, html! { (heading.name) }, direction, |descending| {
            Request { order, descending, page: 1, ..*request }.address(results)
        })
    };
    html! {
        div.scroll.{ (room(60)) } tabindex="0" role="region" aria-label="Changes" {
            table.instances {
                caption { "Instances, with the run before and the run after" }
                thead {
                    tr {
                        (sorted(&HEADINGS[0], Order::Kind))
                        (sorted(&HEADINGS[1], Order::Place))
                        (headings::head(&HEADINGS[2..4]))
                        (sorted(&HEADINGS[4], Order::Ratio))
                    }
                }
                tbody { @for change in shown { (row(results, change)) } }
            }
        }
    }
}

/// These changes as CSV.
pub(super) fn csv(results: &Results, listed: &[&Change<'_>]) -> String {
    let names = ["kind", "set", "track", "name", "instance", "before_run", "before_class"];
    let more = ["before_cpu_seconds", "after_run", "after_class", "after_cpu_seconds", "ratio"];
    let mut text = csv_record(names.into_iter().chain(more));
    let side = |run: Option<&RunInfo>| match run {
        None => [String::new(), String::new(), String::new()],
        Some(run) => [
            run.number.to_string(),
            run.scored.class.name().to_owned(),
            figures::exact_seconds(run.scored.cpu.0).to_string(),
        ],
    };
    for change in listed {
        let mut cells = vec![change.kind.name().to_owned()];
        cells.extend(place(results, &results.entries[change.entry]));
        cells.extend(side(change.before));
        cells.extend(side(change.after));
        cells.push(figure(change.ratio()));
        text.push_str(&line(&cells));
    }
    text
}

fn row(results: &Results, change: &Change<'_>) -> Markup {
    let entry = &results.entries[change.entry];
    let place = results.place_of(entry);
    html! {
        tr {
            td.change { (sign(change.kind)) }
            th scope="row" {
                (wrong_mark(change.before.into_iter().chain(change.after).any(is_bad_run)))
                a href={ "/instance/" (entry.judged.content.number) } title=(visible(&place)) {
                    (visible(&shorten(&place, 90)))
                }
            }
            (run_cell(change.before))
            (run_cell(change.after))
            td.n { (figures::optional(change.ratio(), times)) }
        }
    }
}

/// How many times as long, or how many times as short: `0.00` would say nothing.
fn times(ratio: f64) -> String {
    if ratio < 1.0 {
        format!("÷ {}", figures::ratio(ratio.recip()))
    } else {
        format!("× {}", figures::ratio(ratio))
    }
}

fn sign(kind: ChangeKind) -> Markup {
    match kind {
        ChangeKind::BecameWrong => html! { strong.wrong { "✗ " (kind.words()) } },
        ChangeKind::VerdictChanged => html! { strong.doubt { "≠ " (kind.words()) } },
        ChangeKind::Lost | ChangeKind::Slower => html! { span.doubt { "▼ " (kind.words()) } },
        ChangeKind::New | ChangeKind::Faster => html! { span.right { "▲ " (kind.words()) } },
        ChangeKind::NoLongerWrong => html! { span.right { "✓ " (kind.words()) } },
        _ => html! { (kind.words()) },
    }
}

fn is_bad(kind: ChangeKind) -> bool {
    kind == ChangeKind::BecameWrong
}
