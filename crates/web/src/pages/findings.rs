//! What a person should look at, by kind.

use std::collections::HashMap;

use axum::http::StatusCode;
use axum::response::Response;
use luthier_records::{Class, FindingKind};
use luthier_report::documents::csv_record;
use luthier_report::measures::{Finding, Findings, findings as find};
use luthier_report::{Results, View, figures};
use luthier_store::{RunId, StoredRun};
use maud::{Markup, html};

use super::choice::choice_link;
use super::query::Query;
use super::tables::solver_link;
use super::{Context, answer, answer_with_store, csv};
use crate::address::{Parameters, number};
use crate::error::PageError;
use crate::headings::{self, Heading, room};
use crate::layout::{self, Page, Place, Step};
use crate::parts::{self, Slice};
use crate::site::MOST_PAGES;
use crate::state::App;
use crate::stores::Turn;
use crate::text::{shorten, visible};

/// How many findings of one kind a page lists.
const PER_PAGE: usize = 100;
/// How many of each kind are shown if all kinds are.
const OF_EACH: usize = 10;

/// What is looked for.
struct Wanted {
    /// Only these kinds; all if empty.
    kinds: Vec<FindingKind>,
    set: Option<usize>,
    solver: Option<usize>,
    page: usize,
}

/// The findings.
pub(crate) async fn findings(app: App, query: String) -> Response {
    answer_with_store(app, move |context, turn| {
        let results = &context.snapshot.results;
        let parameters = Parameters::parse(&query);
        let wanted = Wanted::read(results, &parameters)?;
        let view = wanted.view(results);
        let body = body(context, turn, &view, &wanted, &parameters)?;
        let mut path = Vec::new();
        if let Some(set) = wanted.set {
            let set = &results.sets[set];
            path.push(Step { name: set.name.clone(), address: format!("/set/{}", set.number) });
        }
        let page = Page { title: "Findings".to_owned(), place: Place::Findings, path, body };
        Ok(layout::respond(context, StatusCode::OK, &page))
    })
    .await
}

/// All findings that are asked for, as CSV. What only the database knows, the details, is left out.
pub(crate) async fn findings_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let wanted = Wanted::read(results, &Parameters::parse(&query))?;
        let found = find(&wanted.view(results), usize::MAX);
        let names = ["kind", "set", "track", "name", "instance", "query", "solver", "answer"];
        let mut text = csv_record(names.into_iter().chain(["expected", "run", "runs"]));
        let is_wanted =
            |one: &&Finding| wanted.kinds.is_empty() || wanted.kinds.contains(&one.kind);
        for finding in found.list.iter().filter(is_wanted) {
            let entry = &results.entries[finding.entry];
            let expected = entry.judged.truths.get(finding.query).and_then(|one| one.verdict);
            let solver = finding.solver.map(|solver| results.solvers[solver].label.clone());
            let mut cells = vec![finding.kind.name().to_owned()];
            cells.extend(csv::place(results, entry));
            cells.extend([
                (finding.query + 1).to_string(),
                solver.unwrap_or_default(),
                finding.said.map(|said| said.name().to_owned()).unwrap_or_default(),
                expected.map(|(verdict, _)| verdict.name().to_owned()).unwrap_or_default(),
                finding.run.map(|run| run.to_string()).unwrap_or_default(),
                finding.runs.to_string(),
            ]);
            text.push_str(&csv::line(&cells));
        }
        Ok(csv::file("findings", text))
    })
    .await
}

/// How many there are of each kind, as links; for everything, for a set with this number or for a
/// solver with this label.
pub(crate) fn counts(view: &View<'_>, set: Option<i64>, solver: Option<&str>) -> Markup {
    let found = find(view, 0);
    let query = Query::default().maybe("set", set).maybe("solver", solver).address("");
    let parameters = Parameters::parse(query.trim_start_matches('?'));
    cards(&found, &parameters, &[])
}

impl Wanted {
    fn read(results: &Results, parameters: &Parameters) -> Result<Self, PageError> {
        let kinds = parameters.get("kind").map(|name| {
            let kinds = FindingKind::named(name);
            let refusal = || PageError::bad_request(format!("“{name}” is no kind of finding"));
            if kinds.is_empty() { Err(refusal()) } else { Ok(kinds) }
        });
        let set = parameters.get("set").map(|text| {
            let wanted = number(text, "a set")?;
            let position = results.sets.iter().position(|set| set.number == wanted);
            position.ok_or_else(|| PageError::not_found(format!("There is no set {wanted} here.")))
        });
        let solver = parameters.get("solver").map(|label| {
            results.solver(label).ok_or_else(|| {
                PageError::not_found(format!("There is no solver called “{label}” here."))
            })
        });
        Ok(Self {
            kinds: kinds.transpose()?.unwrap_or_default(),
            set: set.transpose()?,
            solver: solver.transpose()?,
            page: parameters.page("page")?,
        })
    }

    /// What is looked at.
    fn view<'a>(&self, results: &'a Results) -> View<'a> {
        let mut view = View::all(results);
        if let Some(set) = self.set {
            view = view.of_set(set);
        }
        if let Some(solver) = self.solver {
            view = view.with_solvers(vec![solver]);
        }
        view
    }

    /// The kind whose findings are listed page by page; of several kinds each shows its first ones.
    fn only_kind(&self) -> Option<FindingKind> {
        match self.kinds.as_slice() {
            [kind] => Some(*kind),
            _ => None,
        }
    }
}

fn body(
    context: &Context,
    turn: &Turn,
    view: &View<'_>,
    wanted: &Wanted,
    parameters: &Parameters,
) -> Result<Markup, PageError> {
    let only = wanted.only_kind();
    let medium = context.snapshot.medium;
    let most = match only {
        Some(_) => wanted.page.saturating_mul(PER_PAGE),
        None => OF_EACH,
    };
    let found = find(view, most);
    let mut sections = Vec::new();
    for kind in found.kinds().filter(|kind| wanted.kinds.is_empty() || wanted.kinds.contains(kind))
    {
        let total = usize::try_from(found.count(kind)).unwrap_or(usize::MAX);
        let slice = match only {
            Some(_) if medium.is_site() => {
                Slice::of(total, wanted.page, PER_PAGE).up_to(MOST_PAGES)
            }
            Some(_) => Slice::of(total, wanted.page, PER_PAGE),
            None => Slice::of(total, 1, OF_EACH),
        };
        let list: Vec<Finding> =
            found.of_kind(kind).skip(slice.first).take(slice.end - slice.first).copied().collect();
        // A page beyond the end is the last one, for which the list may not have been long enough.
        let list = if list.is_empty() {
            let all = find(view, slice.end);
            all.of_kind(kind).skip(slice.first).copied().collect()
        } else {
            list
        };
        let runs = read_runs(context, turn, &list)?;
        sections.push(html! {
            section aria-labelledby=(kind.name()) {
                h2 id=(kind.name()) { (kind.title()) " (" (figures::count(total as u64)) ")" }
                p.why { (kind.meaning()) }
                @if only.is_some() { (slice.pager(parameters, "page")) }
                (table(view.results, kind.title(), &list, &runs))
                @if only.is_some() {
                    (slice.pager(parameters, "page"))
                } @else if total > list.len() {
                    p { a href={ "/findings" (parameters.with("kind", Some(kind.name()))) } {
                        "All " (figures::count(total as u64)) " of this kind"
                    } }
                }
                @let of_kind = parameters.with("kind", Some(kind.name()));
                @let of_kind = Parameters::parse(of_kind.trim_start_matches('?'));
                (csv::link(&format!("/findings.csv{}", of_kind.with("page", None)), "all findings of this kind"))
            }
        });
    }
    let without_page = Parameters::parse(parameters.with("page", None).trim_start_matches('?'));
    Ok(html! {
        @if medium.is_site() { (choices(view.results, wanted)) } @else { (filter(view.results, wanted)) }
        (cards(&found, &without_page, &wanted.kinds))
        @for section in &sections { (section) }
        @if !sections.is_empty() { (headings::help(&HEADINGS)) }
        @if sections.len() > 1 {
            (csv::link(&format!("/findings.csv{}", parameters.with("page", None)), "all of these findings"))
        }
    })
}

/// Runs with what the results in memory do not have: details.
fn read_runs(
    context: &Context,
    turn: &Turn,
    list: &[Finding],
) -> Result<HashMap<i64, StoredRun>, PageError> {
    context.stores().read(turn, |store| {
        let mut runs = HashMap::new();
        for number in list.iter().filter_map(|finding| finding.run) {
            if let Some(run) = store.run(RunId(number))? {
                runs.insert(number, run);
            }
        }
        Ok(runs)
    })
}

fn cards(found: &Findings, parameters: &Parameters, chosen: &[FindingKind]) -> Markup {
    let kinds: Vec<FindingKind> = found.kinds().collect();
    html! {
        @if kinds.is_empty() {
            p.right { "✓ No findings: no wrong answer, no invalid model or core, no conflict, no crash." }
        } @else {
            ul.counts {
                @for kind in kinds {
                    li {
                        a.is-wrong[kind.is_wrong()].is-doubt[!kind.is_wrong()].chosen[chosen.contains(&kind)]
                            href={ "/findings" (parameters.with("kind", Some(kind.name()))) }
                            aria-current=[chosen.contains(&kind).then_some("true")] {
                            b { @if kind.is_wrong() { "✗ " } (figures::count(found.count(kind))) }
                            (kind.title())
                        }
                    }
                }
            }
        }
    }
}

/// What the form chooses, as links.
fn choices(results: &Results, wanted: &Wanted) -> Markup {
    let only_kind = wanted.only_kind().map(FindingKind::name);
    let link = |query: Query, words: &str, is_chosen: bool| {
        let address = query.maybe("kind", only_kind).address("/findings");
        choice_link(&address, words, is_chosen)
    };
    let is_everything = wanted.set.is_none() && wanted.solver.is_none();
    html! {
        nav.choices aria-label="Which findings" {
            ul {
                (link(Query::default(), "everything", is_everything))
                @for (index, solver) in results.solvers.iter().enumerate() {
                    (link(Query::default().with("solver", &solver.label), &solver.label, wanted.solver == Some(index)))
                }
            }
            ul {
                @for (index, set) in results.sets.iter().enumerate() {
                    (link(Query::default().with("set", set.number), &set.name, wanted.set == Some(index)))
                }
            }
            @if wanted.only_kind().is_some() {
                ul {
                    @let query = Query::default().maybe("set", wanted.set.map(|set| results.sets[set].number))
                        .maybe("solver", wanted.solver.map(|solver| &results.solvers[solver].label));
                    (choice_link(&query.address("/findings"), "all kinds", false))
                }
            }
        }
    }
}

fn filter(results: &Results, wanted: &Wanted) -> Markup {
    html! {
        form.filter method="get" action="/findings" {
            label { "Kind"
                select name="kind" {
                    option value="" { "all" }
                    @for kind in FindingKind::observed() {
                        option value=(kind.name()) selected[wanted.only_kind() == Some(kind)] { (kind.title()) }
                    }
                }
            }
            label { "Set"
                select name="set" {
                    option value="" { "all" }
                    @for (index, set) in results.sets.iter().enumerate() {
                        option value=(set.number) selected[wanted.set == Some(index)] { (visible(&set.name)) }
                    }
                }
            }
            label { "Solver"
                select name="solver" {
                    option value="" { "all" }
                    @for (index, solver) in results.solvers.iter().enumerate() {
                        option value=(solver.label) selected[wanted.solver == Some(index)] {
                            (visible(&solver.label))
                        }
                    }
                }
            }
            button type="submit" { "Show" }
        }
    }
}

/// The columns of a table of findings.
const HEADINGS: [Heading; 6] = [
    parts::INSTANCE,
    Heading::text("solver", "Whose run it is; of a dispute, who gave which answer."),
    Heading::text("answer", "What the solver answered to the query, or what its run ended with."),
    parts::EXPECTED,
    Heading::text("evidence", "What the referee found, or which evidence contradicts which."),
    Heading::text("run", "The first run that shows it."),
];

fn table(
    results: &Results,
    name: &str,
    list: &[Finding],
    runs: &HashMap<i64, StoredRun>,
) -> Markup {
    html! {
        div.scroll.{ (room(60)) } tabindex="0" role="region" aria-label=(name) {
            table.sortable {
                thead { tr { (headings::head(&HEADINGS)) } }
                tbody {
                    @for finding in list { (row(results, finding, finding.run.and_then(|run| runs.get(&run)))) }
                }
            }
        }
    }
}

fn row(results: &Results, finding: &Finding, run: Option<&StoredRun>) -> Markup {
    let entry = &results.entries[finding.entry];
    let place = results.place_of(entry);
    html! {
        tr {
            th scope="row" {
                a href={ "/instance/" (entry.judged.content.number) } title=(visible(&place)) {
                    (visible(&shorten(&place, 90)))
                }
            }
            td {
                @if let Some(solver) = finding.solver { (solver_link(results, solver)) }
                @else { (who_said_what(results, finding)) }
            }
            td {
                @if let Some(said) = finding.said { (parts::verdict(said)) }
                @else if let Some(run) = run { (parts::class(run.class)) }
                @if entry.judged.truths.len() > 1 { " " span.why { "(query " (finding.query + 1) ")" } }
            }
            td {
                @match entry.judged.truths.get(finding.query).and_then(|truth| truth.verdict) {
                    Some((verdict, evidence)) => {
                        (parts::verdict(verdict)) " "
                        span.why { "(" (evidence.words()) ")" }
                    }
                    None => span.why { "open" },
                }
            }
            td { (reason(results, finding, run)) }
            td { @if let Some(run) = finding.run { a href={ "/run/" (run) } { (run) } } }
        }
    }
}

/// For what is about nobody in particular: both verdicts with those who gave them. Of a dispute these
/// are the disputed answers to its query; otherwise runs that ended with this verdict.
fn who_said_what(results: &Results, finding: &Finding) -> Markup {
    let entry = &results.entries[finding.entry];
    let sides = finding.sides(results);
    let is_dispute = sides.iter().any(|side| !side.is_empty());
    let labels = |class: Class, side: &[usize]| -> Vec<&str> {
        let runs = entry.judged.runs.iter().filter(|run| run.scored.class == class);
        let mut solvers: Vec<usize> = match is_dispute {
            true => side.to_vec(),
            false => runs.map(|run| run.solver).collect(),
        };
        solvers.dedup();
        solvers.iter().map(|&solver| results.solvers[solver].label.as_str()).collect()
    };
    html! {
        @for (class, side) in [Class::Sat, Class::Unsat].into_iter().zip(&sides) {
            @let labels = labels(class, side);
            @if !labels.is_empty() {
                div { (parts::class(class)) " " (visible(&shorten(&labels.join(", "), 120))) }
            }
        }
    }
}

fn reason(results: &Results, finding: &Finding, run: Option<&StoredRun>) -> Markup {
    let detail = run.and_then(|run| luthier_results::detail(finding, run));
    let truths = &results.entries[finding.entry].judged.truths;
    let conflicts = truths.get(finding.query).map(|truth| truth.conflicts.as_slice());
    html! {
        @if let Some(detail) = detail { (visible(&shorten(&detail, 240))) }
        @else if finding.solver.is_none() {
            @for conflict in conflicts.unwrap_or_default() { div { (conflict.words()) } }
        }
    }
}
