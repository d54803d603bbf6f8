//! How a comparison came out, set by set: the table, the reasons and the conditions that
//! `luthier compare` prints.

use luthier_report::Results;
use luthier_report::documents::{
    Value, comparison_notes, comparison_reasons, comparison_table, csv_record,
};
use luthier_report::measures::{Comparison, Outcome};
use maud::{Markup, html};

use super::request::Request;
use crate::headings::{self, Heading, room};
use crate::pages::choice::Scope;
use crate::pages::csv;
use crate::text::visible;

/// The columns of the table, in the order of [`comparison_table`].
const HEADINGS: [Heading; 14] = [
    Heading::text("set", "The set, which leads to its changes only."),
    Heading::number("compared", "Instances with results on both sides."),
    Heading::number("solved before", "Of these, instances solved before."),
    Heading::number("after", "Instances solved after."),
    Heading::number("new", "Solved after and not before."),
    Heading::number("lost", "Solved before and not after."),
    Heading::number(
        "near the limit",
        "Lost by a timeout, where the time before was within a factor of 1.5 of the limit: noise may explain it.",
    ),
    Heading::number("became wrong", "A wrong answer or an invalid model, where there was none."),
    Heading::number("no longer wrong", "Wrong or invalid before, and not after."),
    Heading::number(
        "verdict changed",
        "One side says sat and the other unsat, and nothing decides.",
    ),
    Heading::number("slower", "Solved on both sides, slower beyond noise."),
    Heading::number("faster", "Solved on both sides, faster beyond noise."),
    Heading::text(
        "CPU time, after/before",
        "The median ratio over instances that both sides solved, with its 99 % confidence interval.",
    ),
    Heading::text("outcome", "What of it counts; luthier compare ends with the same outcome."),
];

/// The outcome and the table of sets.
pub(super) fn section(results: &Results, request: &Request, comparison: &Comparison<'_>) -> Markup {
    if comparison.sets.is_empty() {
        return html! {};
    }
    let table = comparison_table(results, comparison);
    let shown = table.for_people();
    let is_shown = |name: &str| shown.columns.iter().any(|column| column.name == name);
    let columns: Vec<usize> =
        (0..table.columns.len()).filter(|&index| is_shown(&table.columns[index].name)).collect();
    let heads: Vec<Heading> = columns.iter().map(|&index| HEADINGS[index]).collect();
    let outcome = comparison.outcome();
    html! {
        section aria-labelledby="sets" {
            h2 #sets { "By set" }
            p {
                @match outcome {
                    Outcome::BecameWrong => strong.wrong { "✗ " (outcome.words()) },
                    Outcome::Worse => strong.doubt { "▼ " (outcome.words()) },
                    Outcome::Better => strong.right { "▲ " (outcome.words()) },
                    Outcome::Same => strong { (outcome.words()) },
                }
                @for reason in comparison_reasons(results, comparison) { "; " (visible(&reason)) }
            }
            @for note in comparison_notes(comparison) { p.why.note { (note) "." } }
            div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="By set" {
                table {
                    caption { "What changed, by set" }
                    thead { tr { (headings::head(&heads)) } }
                    tbody {
                        @for (number, row) in table.rows.iter().enumerate() {
                            tr {
                                @let set = comparison.sets.get(number).map(|(set, _)| *set);
                                @for &column in &columns {
                                    (cell(results, request, set, column, &row.cells[column]))
                                }
                            }
                        }
                    }
                }
            }
            @let all = Request { is_default: false, kind: None, page: 1, ..*request };
            (csv::link(&all.query(results).address("/changes/sets.csv"), "this table"))
            (headings::help(&heads))
        }
    }
}

/// The table with all its columns.
pub(super) fn csv(results: &Results, comparison: &Comparison<'_>) -> String {
    let table = comparison_table(results, comparison);
    let mut text = csv_record(table.columns.iter().map(|column| column.name.as_str()));
    for row in &table.rows {
        let cells: Vec<String> = row.cells.iter().map(Value::shown).collect();
        text.push_str(&csv::line(&cells));
    }
    text
}

fn cell(
    results: &Results,
    request: &Request,
    set: Option<usize>,
    column: usize,
    value: &Value,
) -> Markup {
    let shown = value.shown();
    let of_set = |set: usize| {
        let scope = Scope { set: Some(set), track: None };
        Request { scope, page: 1, ..*request }.address(results)
    };
    html! {
        @match (column, set) {
            (0, Some(set)) => th scope="row" { a href=(of_set(set)) { (visible(&shown)) } },
            (0, None) => th scope="row" { (visible(&shown)) },
            _ => td.n[HEADINGS[column].is_number] { (shown) },
        }
    }
}

#[cfg(test)]
mod tests {
    use luthier_report::documents::comparison_table;
    use luthier_report::measures::{Side, Thresholds, compare};
    use luthier_report::{View, sample};

    #[test]
    fn headings_are_those_of_the_table() {
        let results = sample::from_table("| a | b\n s/1 sat - | sat 1 | sat 1").unwrap();
        let side = |solver| Side { solver, campaign: None };
        let view = View::all(&results);
        let found = compare(&view, side(0), side(1), &Thresholds::default());
        let table = comparison_table(&results, &found);
        let titles: Vec<&str> = table.columns.iter().map(|column| &*column.title).collect();
        assert_eq!(titles, super::HEADINGS.map(|heading| heading.name));
    }
}
