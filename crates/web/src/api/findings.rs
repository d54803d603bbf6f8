//! Endpoint of findings: wrong answers, invalid models and cores, conflicts, crashes.

use std::collections::BTreeMap;

use luthier_records::{FindingKind, Verdict};
use luthier_report::measures::{self, Finding};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::parameters::{Kind, Parameter};
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{self, CAMPAIGN, SET, SOLVERS, TRACK};
use super::types::{Named, PlaceOf, solver};

/// The findings.
#[derive(Debug, Serialize, JsonSchema)]
struct FindingsDetails {
    /// How many findings there are of each kind.
    counts: BTreeMap<&'static str, u64>,
    /// The findings of the kinds that are asked for, the worst kind first.
    findings: Page<FindingRow>,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
struct FindingRow {
    /// What it is.
    kind: &'static str,
    /// Whether an answer, a model or a core is certainly wrong.
    wrong: bool,
    /// The number of the instance.
    instance: i64,
    /// Where it stands.
    place: PlaceOf,
    /// Which query of the instance, from 1.
    query: usize,
    /// The solver; null if it is about a query only.
    solver: Option<Named>,
    /// The number of the first run that shows it.
    run: Option<i64>,
    /// How many runs of the solver show it.
    runs: u64,
    /// The verdict of that run on the query.
    said: Option<&'static str>,
}

const KIND: Parameter = Parameter::query(
    "kind",
    Kind::Choice(FindingKind::filter_names),
    "Only findings of this kind; wrong-verdict stands for wrong-unsat and wrong-sat.",
);

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let findings = Endpoint::new(
        Family::Version1,
        "/api/v1/findings",
        "findings",
        "Wrong answers, invalid models and cores, conflicts, crashes",
        Content::Json(schema::<FindingsDetails>),
        findings,
    );
    vec![
        findings
            .with(&[KIND, SET, TRACK, SOLVERS, CAMPAIGN, LIMIT, OFFSET])
            .paged()
            .from(Source::Costly),
    ]
}

fn findings(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = scope::view(request)?;
    let results = view.results;
    let found = measures::findings(&view, usize::MAX);
    let kinds = request.values.text("kind").map(FindingKind::named);
    let is_wanted =
        |finding: &&Finding| kinds.as_ref().is_none_or(|kinds| kinds.contains(&finding.kind));
    let total = found.list.iter().filter(is_wanted).count();
    let rows = found.list.iter().filter(is_wanted).skip(offset(request)).map(|finding| {
        let entry = &results.entries[finding.entry];
        FindingRow {
            kind: finding.kind.name(),
            wrong: finding.kind.is_wrong(),
            instance: entry.judged.content.number,
            place: PlaceOf::of(results, entry),
            query: finding.query + 1,
            solver: finding.solver.map(|index| solver(results, index)),
            run: finding.run,
            runs: finding.runs,
            said: finding.said.map(Verdict::name),
        }
    });
    let page = Page::of(request, total, rows);
    let next = page.next.clone();
    let details = FindingsDetails {
        counts: FindingKind::observed().map(|kind| (kind.name(), found.count(kind))).collect(),
        findings: page,
    };
    Ok(Reply::json(&details)?.with_part(total, next.as_deref()))
}
