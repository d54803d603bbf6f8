//! Small building blocks of pages: counts, tags of classes, judgements, cells, pagers.

use luthier_charts::{Chart, Variant, to_svg};
use luthier_records::{Class, CoreOutcome, Judgement, ModelOutcome, Verdict};
use luthier_report::{Entry, RunInfo, figures};
use maud::{Markup, PreEscaped, html};

use crate::address::Parameters;
use crate::headings::Heading;
use crate::pages::Query;
use crate::text::visible;

/// A count in a table; what is zero is quiet.
pub(crate) fn count(count: u64) -> Markup {
    html! { td.n.zero[count == 0] data-sort=(count) { (figures::count(count)) } }
}

/// A count that leads to what it counts, if there is an address and anything to see.
pub(crate) fn linked_count(count: u64, address: Option<String>) -> Markup {
    html! {
        td.n.zero[count == 0] data-sort=(count) {
            @match address.filter(|_| count > 0) {
                Some(address) => { a href=(address) { (figures::count(count)) } }
                None => (figures::count(count)),
            }
        }
    }
}

/// A count of something bad: striking unless it is zero. It leads to what it counts.
pub(crate) fn bad_count(count: u64, address: Option<String>) -> Markup {
    html! {
        td.n.zero[count == 0] data-sort=(count) {
            @if count > 0 { (wrong(count, address)) } @else { "0" }
        }
    }
}

/// How many are wrong, with a sign, since colour alone says nothing.
pub(crate) fn wrong(count: u64, address: Option<String>) -> Markup {
    html! {
        @match address {
            Some(address) => { a.wrong href=(address) { "✗\u{a0}" (figures::count(count)) } }
            None => { strong.wrong { "✗\u{a0}" (figures::count(count)) } }
        }
    }
}

/// Whether an answer, a model or a core of a run is certainly wrong.
pub(crate) fn is_bad(run: &RunInfo) -> bool {
    run.scored.is_refuted() || run.scored.core == Some(CoreOutcome::Invalid)
}

/// Stands before the name of a row with a wrong answer, so that it is seen before the
/// columns of the solvers are.
pub(crate) fn wrong_mark(is_wrong: bool) -> Markup {
    html! { @if is_wrong { strong.wrong title="a wrong answer, an invalid model or an invalid core" { "✗" } " " } }
}

/// The class of a run, as a word that has a colour.
pub(crate) fn class(class: Class) -> Markup {
    html! { span.tag.{ "c-" (class.name()) } { (class_word(class)) } }
}

/// The word for a class.
pub(crate) fn class_word(class: Class) -> &'static str {
    match class {
        Class::FrameworkError => "framework error",
        Class::Memout => "out of memory",
        other => other.name(),
    }
}

/// A verdict.
pub(crate) fn verdict(verdict: Verdict) -> Markup {
    html! { span.tag.{ "c-" (verdict.name()) } { (verdict.name()) } }
}

/// A judgement with its sign and its evidence; nothing where there is nothing to judge.
pub(crate) fn judgement(judgement: Judgement) -> Markup {
    match judgement {
        Judgement::Right(evidence) => html! {
            span.right { "✓ right" } " " span.why { "(" (evidence.words()) ")" }
        },
        Judgement::Wrong(evidence) => html! {
            strong.wrong { "✗ wrong" } " " span.why { "(" (evidence.words()) ")" }
        },
        Judgement::Disputed => html! { strong.doubt { "≠ disputed" } },
        Judgement::Unjudged => html! { span.why { "not judged" } },
        Judgement::NoClaim => html! {},
    }
}

/// What the referee found about a model.
pub(crate) fn model(outcome: ModelOutcome) -> Markup {
    match outcome {
        ModelOutcome::Valid => html! { span.right { "✓ valid model" } },
        ModelOutcome::Completed => html! { span.right { "✓ valid with default values" } },
        ModelOutcome::Incomplete => html! { span.doubt { "◌ incomplete model" } },
        ModelOutcome::Invalid => html! { strong.wrong { "✗ invalid model" } },
        ModelOutcome::Unsupported => html! { span.doubt { "? model not checked" } },
        ModelOutcome::Exceeded => html! { span.doubt { "? model beyond the limits" } },
    }
}

/// What was found about a core.
pub(crate) fn core(outcome: CoreOutcome) -> Markup {
    match outcome {
        CoreOutcome::Minimal => html! { span.right { "✓ minimal core" } },
        CoreOutcome::Larger => html! { span.right { "✓ core, larger than needed" } },
        CoreOutcome::Confirmed => html! { span.right { "✓ core confirmed" } },
        CoreOutcome::Unconfirmed => html! { span.why { "core not confirmed" } },
        CoreOutcome::Disputed => html! { strong.doubt { "≠ core disputed" } },
        CoreOutcome::Invalid => html! { strong.wrong { "✗ invalid core" } },
    }
}

/// The run of a solver in a table of instances: its class and its time, and what is wrong.
pub(crate) fn run_cell(run: Option<&RunInfo>) -> Markup {
    let Some(run) = run else { return html! { td.run.none { "not run" } } };
    let scored = &run.scored;
    let is_bad = scored.is_refuted();
    html! {
        td.run.bad[is_bad] data-sort=(scored.cpu.0.as_micros()) {
            a href={ "/run/" (run.number) } {
                @if scored.is_wrong() {
                    strong.wrong { "✗ wrong " (class_word(scored.class)) }
                } @else if is_bad {
                    strong.wrong { "✗ " (class_word(scored.class)) ", invalid model" }
                } @else {
                    (class(scored.class))
                }
            }
            " " span.time { (figures::time(scored.cpu.0)) " s" }
            @if scored.core == Some(CoreOutcome::Invalid) { " " strong.wrong { "✗ core" } }
            @if scored.judgement == Judgement::Disputed { " " strong.doubt { "≠ disputed" } }
        }
    }
}

/// The ground truth of an entry in a table of instances.
pub(crate) fn expected(entry: &Entry) -> Markup {
    match entry.judged.expected() {
        Some((expected, _)) => verdict(expected),
        None if entry.judged.content.is_unreadable => html! { span.doubt { "unreadable" } },
        None => html! { span.why { "open" } },
    }
}

/// The column with the expected answer.
pub(crate) const EXPECTED: Heading = Heading::text(
    "expected",
    "The ground truth: the planted answer, a checked model, a label from a table, the status of the \
     file or agreement of independent solvers, in this order. Open if nothing decides.",
);
/// The column with the names of instances.
pub(crate) const INSTANCE: Heading = Heading::text(
    "instance",
    "A benchmark; it leads to its formula and all runs on it. ✗ stands before one on which a solver \
     has a wrong answer, an invalid model or an invalid core.",
);
/// The column with the sizes of instances.
pub(crate) const SIZE: Heading = Heading::number("size", "The length of the file.");
/// The columns with the runs of solvers on instances.
pub(crate) const EACH_SOLVER: Heading = Heading::text(
    "each solver",
    "What the run of this solver ended with and its CPU time in seconds, which lead to the run. ✗ is \
     a wrong answer, an invalid model or an invalid core, ≠ an answer that others dispute.",
);

/// A line for a shell, with a button that copies it.
pub(crate) fn command(line: &str) -> Markup {
    html! {
        div.command {
            code { (visible(line)) }
            button type="button" hidden data-copy=(line) { "Copy" }
        }
    }
}

/// How wide charts are drawn; pages scale them to the room there is.
const CHART_WIDTH: u32 = 680;
/// How wide they are drawn for phones, where the wide drawing would be scaled until nobody can read
/// it. The style sheet shows one of the two.
const NARROW_WIDTH: u32 = 370;

/// A chart in the page. What draws it escapes what it is given.
pub(crate) fn chart(chart: &Chart, picture: &Picture) -> Markup {
    let wide = to_svg(chart, chart.natural_size(CHART_WIDTH), Variant::Page);
    let narrow = to_svg(chart, chart.natural_size(NARROW_WIDTH), Variant::Page);
    html! {
        figure.chart {
            div.wide { (PreEscaped(wide)) }
            div.narrow { (PreEscaped(narrow)) }
            (picture.links())
        }
    }
}

/// A chart with a link at every point. There may be thousands, so it is drawn once; on phones its
/// box scrolls.
pub(crate) fn chart_of_points(chart: &Chart, picture: &Picture) -> Markup {
    let svg = to_svg(chart, chart.natural_size(CHART_WIDTH), Variant::Page);
    html! {
        figure.chart.points {
            div.pan tabindex="0" role="region" aria-label="Chart" { (PreEscaped(svg)) }
            (picture.links())
        }
    }
}

/// Where a chart is as a file: the same path with `.svg`, `.png` and `.csv`.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    path: String,
    query: Query,
}

impl Picture {
    /// One of the charts of REST.
    pub fn of_chart(name: &str, query: Query) -> Self {
        Self { path: format!("/api/v1/charts/{name}"), query }
    }

    /// The chart of a page.
    pub fn of_page(path: &str, query: Query) -> Self {
        Self { path: path.to_owned(), query }
    }

    fn links(&self) -> Markup {
        let address = |ending: &str| self.query.address(&format!("{}.{ending}", self.path));
        html! {
            figcaption.download {
                "Download: "
                a href=(address("svg")) download { "SVG" } " "
                a href=(address("png")) download { "PNG" } " "
                a href=(address("csv")) download { "CSV" }
            }
        }
    }
}

/// Which part of a long list is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// From 1.
    pub page: usize,
    /// How many pages there are, at least 1.
    pub pages: usize,
    /// The first element.
    pub first: usize,
    /// One past the last element.
    pub end: usize,
    /// All elements.
    pub total: usize,
}

impl Slice {
    /// A page of a list; one beyond the end is the last.
    pub fn of(total: usize, page: usize, per_page: usize) -> Self {
        let pages = total.div_ceil(per_page).max(1);
        let page = page.clamp(1, pages);
        let first = (page - 1) * per_page;
        Self { page, pages, first, end: (first + per_page).min(total), total }
    }

    /// The first pages only; what is beyond them is told, and stands in a table as CSV.
    pub fn up_to(self, pages: usize) -> Self {
        Self { pages: self.pages.min(pages), ..self }
    }

    /// Links to the other pages.
    pub fn pager(&self, parameters: &Parameters, name: &str) -> Markup {
        if self.pages == 1 {
            return self.beginning();
        }
        let link = |page: usize, word: &str, rel: Option<&str>| {
            let address = match parameters.with(name, Some(&page.to_string())) {
                _ if page == 1 => match parameters.with(name, None) {
                    none if none.is_empty() => "?".to_owned(),
                    some => some,
                },
                query => query,
            };
            html! { a href=(address) rel=[rel] { (word) } }
        };
        html! {
            nav.pager aria-label="Pages of the list" {
                span {
                    (figures::count(self.first as u64 + 1)) "–" (figures::count(self.end as u64))
                    " of " (figures::count(self.total as u64))
                }
                @if self.page > 1 {
                    (link(1, "« first", None)) (link(self.page - 1, "‹ previous", Some("prev")))
                }
                span aria-current="page" { "page " (self.page) " of " (self.pages) }
                @if self.page < self.pages {
                    (link(self.page + 1, "next ›", Some("next"))) (link(self.pages, "last »", None))
                }
            }
            @if self.page == self.pages { (self.beginning()) }
        }
    }

    /// Says that there is more than can be shown here; nothing on the last page of a whole list.
    pub fn beginning(&self) -> Markup {
        html! {
            @if self.page == self.pages && self.end < self.total {
                p.note.why {
                    "These are the first " (figures::count(self.end as u64)) " of "
                    (figures::count(self.total as u64)) "."
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slice;

    #[test]
    fn pages_beyond_the_end_are_the_last() {
        let slice = Slice::of(250, 99, 100);
        assert_eq!((slice.page, slice.first, slice.end), (3, 200, 250));
        let empty = Slice::of(0, 1, 100);
        assert_eq!((empty.pages, empty.first, empty.end), (1, 0, 0));
        assert_eq!(Slice::of(100, usize::MAX, 100).page, 1);
    }
}
