//! The audit of the sets: what their files are, which are copies, which operators they use, and which annotated
//! answers are wrong. The tables are those of `luthier bench audit`; lists of files lead to instances and runs.

use std::time::Duration;

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_corpus::audit::{RejectedFile, SetAudit, WrongClaim};
use luthier_records::Evidence;
use luthier_report::documents::{self, Row, Table, Value};
use luthier_report::{Results, figures};
use luthier_results::{DatabaseAudit, audit_record, source_name};
use maud::{Markup, html};

use super::{Context, answer, answer_with_page, csv};
use crate::address::{Parameters, number};
use crate::audit::{AuditState, KeptAudit};
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::layout::{Page, Place, Step};
use crate::parts::{self, Slice};
use crate::site::MOST_PAGES;
use crate::state::App;
use crate::text::visible;

mod tables;

/// How long a page waits for the audit, so that those of small databases are there at once.
const PATIENCE: Duration = Duration::from_millis(120);
/// How long a download waits.
const PATIENCE_OF_DOWNLOADS: Duration = Duration::from_secs(5);
/// How many rejected files and wrong annotations are on one page.
const PER_PAGE: usize = 100;

const REJECTED: [Heading; 5] = [
    Heading::text("file", "The file, which leads to its text."),
    Heading::text("cause", "The code of its first error."),
    Heading::number("line", "Where that error is, from 1."),
    Heading::number("column", "Where in the line, from 1."),
    Heading::text("message", "What is wrong."),
];

const WRONG: [Heading; 7] = [
    Heading::text("file", "The file, which leads to its text and all runs on it."),
    Heading::text("claimed", "The annotated answer."),
    Heading::text("by", "Who claims it: the :status of the file, or the name of its folder."),
    Heading::text("proven", "The answer that is proven."),
    Heading::text(
        "evidence",
        "What proves it. A model leads to the values of all subterms under it.",
    ),
    Heading::text("solvers", "Who printed the model, or who agrees."),
    Heading::number("query", "Which query of the script, from 1."),
];

/// The audit as a page.
pub(crate) async fn audit(app: App, query: String) -> Response {
    answer_with_page(app, move |context| {
        let parameters = Parameters::parse(&query);
        parameters.only(&["set", "page", "rejected"])?;
        let set = chosen(&context.snapshot.results, &parameters)?;
        let pages = (parameters.page("page")?, parameters.page("rejected")?);
        let body = match ask(context, PATIENCE)? {
            Ok((kept, is_current)) => {
                View { context, kept: &kept, is_current, set }.body(pages, &parameters)
            }
            Err((done, all)) => examining(done, all),
        };
        let mut path = Vec::new();
        let mut title = "Audit".to_owned();
        if let Some(set) = set {
            path.push(Step { name: title, address: "/audit".to_owned() });
            title = format!("Audit of {}", context.snapshot.results.sets[set].name);
        }
        Ok(Page { title, place: Place::Audit, path, body })
    })
    .await
}

/// The whole audit as JSON: that of `luthier bench audit --json`.
pub(crate) async fn audit_json(app: App) -> Response {
    answer(app, |context| {
        let kept = whole(context)?;
        let text = serde_json::to_vec(&audit_record(&kept.audit.audit, true))
            .map_err(|error| PageError::failed(error.to_string()))?;
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"audit.json\""),
        ];
        Ok((headers, text).into_response())
    })
    .await
}

/// A table of the audit as CSV, with all rows.
pub(crate) async fn audit_csv(app: App, file: String) -> Response {
    answer(app, move |context| {
        let missing = || PageError::not_found("There is no page at this address.");
        let name = file.strip_suffix(".csv").ok_or_else(missing)?;
        if !TABLES.contains(&name) {
            return Err(missing());
        }
        let kept = whole(context)?;
        let table = kept.tables.iter().find(|table| table.name == name).ok_or_else(missing)?;
        Ok(csv::file(&format!("audit-{name}"), documents::csv(table)))
    })
    .await
}

/// The tables that can be downloaded.
const TABLES: [&str; 9] = [
    "sets",
    "operators",
    "uses",
    "dialects",
    "ill_formed",
    "legacy",
    "answers",
    "rejected",
    "wrong",
];

/// The set that is looked at.
fn chosen(results: &Results, parameters: &Parameters) -> Result<Option<usize>, PageError> {
    let Some(text) = parameters.get("set") else { return Ok(None) };
    let wanted = number(text, "a set")?;
    let position = results.sets.iter().position(|set| set.number == wanted);
    let missing = || PageError::not_found(format!("There is no set {wanted} here."));
    position.map(Some).ok_or_else(missing)
}

/// The audit and whether it is of the current results, or how many contents are examined, and of how many.
type Asked = Result<(std::sync::Arc<KeptAudit>, bool), (usize, usize)>;

fn ask(context: &Context, patience: Duration) -> Result<Asked, PageError> {
    match context.app.shared.audit.ask(&context.snapshot, patience) {
        AuditState::Ready { audit, is_current } => Ok(Ok((audit, is_current))),
        AuditState::Examining { done, all } => Ok(Err((done, all))),
        AuditState::Failed(reason) => Err(PageError::failed(reason)),
    }
}

/// The audit for a download.
fn whole(context: &Context) -> Result<std::sync::Arc<KeptAudit>, PageError> {
    match ask(context, PATIENCE_OF_DOWNLOADS)? {
        Ok((kept, _)) => Ok(kept),
        Err((done, all)) => Err(PageError::not_yet(format!(
            "The audit is being made: {} of {} contents are examined. Try again soon.",
            figures::count(done as u64),
            figures::count(all as u64),
        ))),
    }
}

fn examining(done: usize, all: usize) -> Markup {
    html! {
        p.lead data-unfinished {
            "The contents of the database are being examined"
            @if all > 0 {
                ": " (figures::count(done as u64)) " of " (figures::count(all as u64)) " are done"
            }
            ". The figures appear when all are; without script, reload the page then."
        }
        @if all > 0 {
            progress max=(all) value=(done) aria-label="Examined contents" {}
        }
    }
}

/// A page of an audit.
struct View<'a> {
    context: &'a Context,
    kept: &'a KeptAudit,
    is_current: bool,
    set: Option<usize>,
}

impl View<'_> {
    fn results(&self) -> &Results {
        &self.context.snapshot.results
    }

    fn audit(&self) -> &DatabaseAudit {
        &self.kept.audit
    }

    /// The name of the set of the page.
    fn chosen(&self) -> Option<&str> {
        self.set.map(|set| self.results().sets[set].name.as_str())
    }

    /// The sets of the page, with their places in the audit, which may be of earlier results with other sets.
    fn sets(&self) -> impl Iterator<Item = (usize, &SetAudit)> {
        let all = self.audit().audit.sets.iter().enumerate();
        all.filter(|(_, set)| self.chosen().is_none_or(|chosen| chosen == set.name))
    }

    fn body(&self, (page, rejected): (usize, usize), parameters: &Parameters) -> Markup {
        let unreadable: Vec<&String> = self.sets().flat_map(|(_, set)| &set.unreadable).collect();
        html! {
            p.lead {
                "What the files of the sets are, by " code { "luthier bench audit" } ": each content is examined once, \
                 in the dialect in which it was registered; what is proven follows from the "
                (figures::count(self.kept.runs as u64)) " runs."
            }
            @if !self.is_current {
                p.note data-unfinished { "Results were added since; the next audit is being made." }
            }
            (self.section("sets", "Files and duplicates", &["sets"]))
            @if self.set.is_some() {
                (self.section("operators", "Operators", &["uses"]))
            } @else {
                (self.section("operators", "Most used string operators", &["operators"]))
                @if self.table("uses").is_some_and(|table| !table.rows.is_empty()) { (csv::link("/audit/uses.csv", "all operators of all sets")) }
            }
            (self.section("reading", "Reading", &["dialects", "ill_formed", "legacy"]))
            (self.section("answers", "Annotated answers", &["answers"]))
            (self.wrong(page, parameters))
            (self.rejected(rejected, parameters))
            (self.section("published", "Published figures that differ", &["published"]))
            @if !unreadable.is_empty() {
                section aria-labelledby="unreadable" {
                    h2 #unreadable { "Without text (" (figures::count(unreadable.len() as u64)) ")" }
                    p.why { "These files are in no figure above: the database does not have their texts." }
                    ul.notes {
                        @for one in unreadable.iter().take(PER_PAGE) { li { (visible(one)) } }
                        @if unreadable.len() > PER_PAGE {
                            li { "and " (figures::count((unreadable.len() - PER_PAGE) as u64)) " more" }
                        }
                    }
                }
            }
            p.download { "Download: " a href="/audit.json" download { "JSON" } " of the audit of all sets" }
        }
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.kept.tables.iter().find(|table| table.name == name)
    }

    /// Some tables below a heading; nothing if none has rows.
    fn section(&self, id: &str, heading: &str, names: &[&str]) -> Markup {
        let chosen = self.chosen();
        let tables: Vec<Table> = names
            .iter()
            .filter_map(|name| self.table(name))
            .map(|table| tables::of_set(table, chosen))
            .filter(|table| !table.rows.is_empty())
            .collect();
        html! {
            @if !tables.is_empty() {
                section aria-labelledby=(id) {
                    h2 id=(id) { (heading) }
                    @for table in &tables {
                        @if tables.len() > 1 { h3 { (table.caption) } }
                        (tables::table(table, |row, column| self.cell(table, row, column)))
                        @if TABLES.contains(&table.name.as_str()) {
                            (csv::link(&format!("/audit/{}.csv", table.name), "this table, with all sets"))
                        }
                        (tables::help(table))
                        @for note in &table.notes { p.note.why { (note) } }
                    }
                }
            }
        }
    }

    /// Where a cell leads; nothing if it is only a figure.
    fn cell(&self, table: &Table, row: &Row, column: usize) -> Option<String> {
        let Value::Text(name) = &row.cells[0] else { return None };
        let of_set = self.results().sets.iter().find(|set| set.name == *name);
        match table.columns[column].name.as_str() {
            "set" => of_set.map(|set| match self.set {
                Some(_) => format!("/set/{}", set.number),
                None => format!("/audit?set={}", set.number),
            }),
            "rejected" => Some(self.list_address(of_set.map(|set| set.number), "rejected")),
            "wrong" => Some(self.list_address(of_set.map(|set| set.number), "wrong")),
            _ => None,
        }
    }

    fn list_address(&self, set: Option<i64>, list: &str) -> String {
        match set {
            Some(set) if self.set.is_none() => format!("/audit?set={set}#{list}"),
            _ => format!("#{list}"),
        }
    }

    fn slice(&self, total: usize, page: usize) -> Slice {
        let slice = Slice::of(total, page, PER_PAGE);
        if self.context.snapshot.medium.is_site() { slice.up_to(MOST_PAGES) } else { slice }
    }

    fn rejected(&self, page: usize, parameters: &Parameters) -> Markup {
        let all: Vec<(usize, &SetAudit, &str, &RejectedFile)> = self
            .sets()
            .flat_map(|(index, set)| {
                let files = set.rejected.iter();
                files.flat_map(move |(code, files)| {
                    files.iter().map(move |file| (index, set, *code, file))
                })
            })
            .collect();
        let slice = self.slice(all.len(), page);
        let row = |(index, set, code, one): &(usize, &SetAudit, &str, &RejectedFile)| {
            html! {
                tr {
                    (self.file(*index, set, &one.file, ""))
                    td { code { (code) } }
                    (parts::count(one.rejection.line as u64))
                    (parts::count(one.rejection.column as u64))
                    td.code { (visible(&one.rejection.message)) }
                }
            }
        };
        let parameters = Parameters::parse(parameters.with("page", None).trim_start_matches('?'));
        html! {
            @if !all.is_empty() {
                section aria-labelledby="rejected" {
                    h2 #rejected { "Rejected files (" (figures::count(all.len() as u64)) ")" }
                    (slice.pager(&parameters, "rejected"))
                    (list("Rejected files", &REJECTED, all[slice.first..slice.end].iter().map(row)))
                    (csv::link("/audit/rejected.csv", "all rejected files of all sets"))
                    (headings::help(&REJECTED))
                }
            }
        }
    }

    fn wrong(&self, page: usize, parameters: &Parameters) -> Markup {
        let all: Vec<(usize, &SetAudit, &WrongClaim)> = self
            .sets()
            .flat_map(|(index, set)| set.wrong.iter().map(move |one| (index, set, one)))
            .collect();
        let slice = self.slice(all.len(), page);
        let row = |(index, set, one): &(usize, &SetAudit, &WrongClaim)| {
            html! {
                tr {
                    (self.file(*index, set, &one.file, "✗ "))
                    td { (parts::verdict(one.claimed)) }
                    td { (source_name(one.source)) }
                    td { (parts::verdict(one.proven.verdict)) }
                    td { (self.evidence(*index, one)) }
                    td.code { (visible(&one.proven.by.join(", "))) }
                    (parts::count(one.query as u64 + 1))
                }
            }
        };
        let parameters =
            Parameters::parse(parameters.with("rejected", None).trim_start_matches('?'));
        html! {
            @if !all.is_empty() {
                section aria-labelledby="wrong" {
                    h2 #wrong { "Wrong annotations (" (figures::count(all.len() as u64)) ")" }
                    (slice.pager(&parameters, "page"))
                    (list("Wrong annotations", &WRONG, all[slice.first..slice.end].iter().map(row)))
                    (csv::link("/audit/wrong.csv", "all wrong annotations of all sets"))
                    (headings::help(&WRONG))
                }
            }
        }
    }

    /// The name of a file, after its set if there are several on the page.
    fn file(&self, index: usize, set: &SetAudit, file: &str, sign: &str) -> Markup {
        let name = match self.set {
            Some(_) => file.to_owned(),
            None => format!("{}/{file}", set.name),
        };
        html! {
            th scope="row" {
                @if !sign.is_empty() { strong.wrong title="a wrong annotation" { (sign) } }
                @match self.audit().listed(index, file) {
                    Some(listed) => { a href={ "/instance/" (listed.instance) } { (visible(&name)) } }
                    None => (visible(&name)),
                }
            }
        }
    }

    /// What proves an answer; a model leads to the values under it, from which anybody can see that it is one.
    fn evidence(&self, index: usize, one: &WrongClaim) -> Markup {
        let words = one.proven.evidence.words();
        let listed = self.audit().listed(index, &one.file);
        let run = listed.and_then(|listed| listed.witnesses.get(one.query).copied().flatten());
        match (listed, run) {
            (Some(listed), Some(run)) if one.proven.evidence == Evidence::Model => html! {
                a href={ "/instance/" (listed.instance) "?run=" (run) "&query=" (one.query + 1) "#evaluation" } {
                    (words)
                }
            },
            _ => html! { (words) },
        }
    }
}

/// A list of files.
fn list(label: &str, headings: &[Heading], rows: impl Iterator<Item = Markup>) -> Markup {
    html! {
        div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label=(label) {
            table.sortable.instances {
                thead { tr { (headings::head(headings)) } }
                tbody { @for row in rows { (row) } }
            }
        }
    }
}
