//! Endpoints of the audit: the figures of `luthier bench audit` for the sets of the database, its rejected files
//! and its wrong annotations.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use luthier_corpus::audit::SetAudit;
use luthier_records::Evidence;
use luthier_report::figures;
use luthier_results::source_name;
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{SET, find_set};
use super::types::{Named, set};
use crate::audit::{AuditState, KeptAudit};

/// How long an answer waits for the audit.
const PATIENCE: Duration = Duration::from_secs(5);

/// The audit.
#[derive(Debug, Serialize, JsonSchema)]
struct AuditDetails {
    /// How many runs there were when it was made.
    runs: usize,
    /// Whether it is of all results; if not, the next one is being made.
    current: bool,
    /// The sets.
    sets: Vec<SetRow>,
    /// All sets as if they were one; null if there is only one, or if one is asked for.
    total: Option<SetFigures>,
}

/// The audit of a set.
#[derive(Debug, Serialize, JsonSchema)]
struct SetRow {
    /// The set.
    set: Named,
    /// Its figures.
    figures: SetFigures,
}

/// The figures of a set.
#[derive(Debug, Serialize, JsonSchema)]
struct SetFigures {
    /// Folders with files.
    tracks: usize,
    /// Files that the database has the text of.
    files: usize,
    /// Their bytes.
    bytes: u64,
    /// Files that the database does not have the text of; they are in no other figure.
    without_text: usize,
    /// Files that cannot be read as scripts.
    rejected: usize,
    /// Those files by the code of their first error.
    rejections: BTreeMap<&'static str, usize>,
    /// Different contents.
    contents: usize,
    /// Files with the same bytes as another file, every member of a group.
    duplicates: usize,
    /// Different canonical forms.
    forms: usize,
    /// Files that are the same as another file up to renaming, reordering and dialect.
    duplicates_up_to_renaming: usize,
    /// Files for which such a duplicate may be missed.
    limited_forms: usize,
    /// Files by dialect.
    dialects: BTreeMap<&'static str, usize>,
    /// Files with a quantifier.
    quantifiers: usize,
    /// Files with ill-formed uses that a generous reader accepts, by code.
    ill_formed: BTreeMap<&'static str, usize>,
    /// Files with legacy writing, by code.
    legacy: BTreeMap<&'static str, usize>,
    /// The operators of the theory of strings, the most used first.
    operators: Vec<OperatorRow>,
    /// Annotated answers.
    status: AnnotationRow,
}

/// How an operator is used.
#[derive(Debug, Serialize, JsonSchema)]
struct OperatorRow {
    /// Its standard name.
    name: &'static str,
    /// How many files mention it.
    files: usize,
    /// How often, in all files together.
    occurrences: u64,
    /// Occurrences per file of the set.
    average: f64,
}

/// Annotated answers, as numbers of files.
#[derive(Debug, Serialize, JsonSchema)]
struct AnnotationRow {
    /// Files with `(set-info :status sat)`.
    sat: usize,
    /// Files with `(set-info :status unsat)`.
    unsat: usize,
    /// Files with `(set-info :status unknown)`.
    unknown: usize,
    /// Files in a folder that is named after `sat`.
    folder_sat: usize,
    /// Files in a folder that is named after `unsat`.
    folder_unsat: usize,
    /// Files with an annotated answer of either kind.
    claimed: usize,
    /// Those of them for which an answer is proven.
    decided: usize,
    /// Those of them whose annotation is refuted.
    wrong: usize,
    /// Those refuted by a checked model or a planted answer.
    wrong_by_proof: usize,
}

/// A file that cannot be read as a script.
#[derive(Debug, Serialize, JsonSchema)]
struct RejectedRow {
    /// The set.
    set: Named,
    /// The file.
    file: String,
    /// The number of the instance.
    instance: Option<i64>,
    /// The code of its first error.
    cause: &'static str,
    /// The line of that error, from 1.
    line: usize,
    /// The column, from 1.
    column: usize,
    /// What is wrong.
    message: String,
}

/// An annotated answer that is refuted.
#[derive(Debug, Serialize, JsonSchema)]
struct WrongRow {
    /// The set.
    set: Named,
    /// The file.
    file: String,
    /// The number of the instance.
    instance: Option<i64>,
    /// The SHA-256 of the file.
    sha256: String,
    /// Which query of the script, from 1.
    query: usize,
    /// Who claims it: `status` or `folder`.
    source: &'static str,
    /// What is claimed.
    claimed: &'static str,
    /// What is proven.
    proven: &'static str,
    /// By what: `planted`, `model` or `agreement`.
    evidence: &'static str,
    /// Who printed the model, or who agrees.
    by: Vec<String>,
    /// The run that printed the model.
    run: Option<i64>,
}

const MEANWHILE: &str = "The audit is made in the background when it is first asked for. Until it is there the \
    status is 503, with the code `not-yet` and a header `Retry-After`.";

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let endpoint = |path, id, summary, content, make| {
        let endpoint = Endpoint::new(Family::Version1, path, id, summary, content, make);
        endpoint.with_description(MEANWHILE).with(&[SET]).from(Source::Audit)
    };
    let figures = endpoint(
        "/api/v1/audit",
        "audit",
        "What the files of the sets are: copies, dialects, operators, annotated answers",
        Content::Json(schema::<AuditDetails>),
        audit,
    );
    let rejected = endpoint(
        "/api/v1/audit/rejected",
        "auditRejected",
        "Files that cannot be read as scripts",
        Content::Json(schema::<Page<RejectedRow>>),
        rejected,
    );
    let wrong = endpoint(
        "/api/v1/audit/wrong",
        "auditWrong",
        "Annotated answers that are refuted, with the evidence",
        Content::Json(schema::<Page<WrongRow>>),
        wrong,
    );
    vec![figures, rejected.with(&[LIMIT, OFFSET]).paged(), wrong.with(&[LIMIT, OFFSET]).paged()]
}

fn kept(request: &ApiRequest<'_>) -> Result<(Arc<KeptAudit>, bool), ApiError> {
    // The snapshot is shared; the audit is made of it in the background.
    let snapshot = request.app.snapshot();
    match request.app.shared.audit.ask(&snapshot, PATIENCE) {
        AuditState::Ready { audit, is_current } => Ok((audit, is_current)),
        AuditState::Examining { done, all } => Err(ApiError::not_yet(format!(
            "the audit is being made: {} of {} contents are examined",
            figures::count(done as u64),
            figures::count(all as u64),
        ))),
        AuditState::Failed(reason) => Err(ApiError::failed(reason)),
    }
}

/// A set that is asked for.
struct Asked<'a> {
    /// As the results have it.
    named: Named,
    /// Its place in the audit.
    index: usize,
    audit: &'a SetAudit,
}

/// The sets that are asked for. The audit may be of earlier results, which had other sets.
fn sets<'a>(request: &ApiRequest<'_>, kept: &'a KeptAudit) -> Result<Vec<Asked<'a>>, ApiError> {
    let results = request.results();
    let wanted = request.values.text("set").map(|name| find_set(results, name)).transpose()?;
    let all = kept.audit.audit.sets.iter().enumerate();
    Ok(all
        .filter_map(|(index, audit)| {
            let position = results.sets.iter().position(|set| set.name == audit.name)?;
            let is_wanted = wanted.is_none_or(|wanted| wanted == position);
            is_wanted.then(|| Asked { named: set(results, position), index, audit })
        })
        .collect())
}

fn audit(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let (kept, current) = kept(request)?;
    let sets = sets(request, &kept)?
        .into_iter()
        .map(|one| SetRow { set: one.named, figures: SetFigures::of(one.audit) });
    let total = kept.audit.audit.total.as_ref();
    let total = total.filter(|_| request.values.text("set").is_none()).map(SetFigures::of);
    Reply::json(&AuditDetails { runs: kept.runs, current, sets: sets.collect(), total })
}

fn rejected(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let (kept, _) = kept(request)?;
    let sets = sets(request, &kept)?;
    let total = sets.iter().map(|one| one.audit.counts.rejected).sum();
    let all = sets.iter().flat_map(|set| {
        let files = set.audit.rejected.iter();
        files.flat_map(move |(cause, files)| files.iter().map(move |file| (set, *cause, file)))
    });
    let rows = all.skip(offset(request)).map(|(set, cause, one)| RejectedRow {
        set: set.named.clone(),
        file: one.file.clone(),
        instance: kept.audit.listed(set.index, &one.file).map(|listed| listed.instance),
        cause,
        line: one.rejection.line,
        column: one.rejection.column,
        message: one.rejection.message.clone(),
    });
    Page::of(request, total, rows).reply()
}

fn wrong(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let (kept, _) = kept(request)?;
    let sets = sets(request, &kept)?;
    let total = sets.iter().map(|one| one.audit.wrong.len()).sum();
    let all = sets.iter().flat_map(|set| set.audit.wrong.iter().map(move |one| (set, one)));
    let rows = all.skip(offset(request)).map(|(set, one)| {
        let listed = kept.audit.listed(set.index, &one.file);
        let is_model = one.proven.evidence == Evidence::Model;
        let run = listed.and_then(|listed| listed.witnesses.get(one.query).copied().flatten());
        WrongRow {
            set: set.named.clone(),
            file: one.file.clone(),
            instance: listed.map(|listed| listed.instance),
            sha256: one.digest.to_string(),
            query: one.query + 1,
            source: source_name(one.source),
            claimed: one.claimed.name(),
            proven: one.proven.verdict.name(),
            evidence: one.proven.evidence.name(),
            by: one.proven.by.clone(),
            run: run.filter(|_| is_model),
        }
    });
    Page::of(request, total, rows).reply()
}

impl SetFigures {
    fn of(one: &SetAudit) -> Self {
        let (counts, status) = (one.counts, one.status);
        let operators = one.operators.iter().map(|operator| OperatorRow {
            name: operator.name,
            files: operator.files,
            occurrences: operator.occurrences,
            average: operator.average(counts.files),
        });
        Self {
            tracks: counts.tracks,
            files: counts.files,
            bytes: counts.bytes,
            without_text: one.unreadable.len(),
            rejected: counts.rejected,
            rejections: one.rejected.iter().map(|(code, files)| (*code, files.len())).collect(),
            contents: counts.contents,
            duplicates: counts.duplicates,
            forms: counts.forms,
            duplicates_up_to_renaming: counts.duplicates_up_to_renaming,
            limited_forms: counts.limited_forms,
            dialects: one.dialects.clone(),
            quantifiers: counts.quantifiers,
            ill_formed: one.ill_formed.clone(),
            legacy: one.legacy.clone(),
            operators: operators.collect(),
            status: AnnotationRow {
                sat: status.annotated.sat,
                unsat: status.annotated.unsat,
                unknown: status.annotated.unknown,
                folder_sat: status.by_folder.sat,
                folder_unsat: status.by_folder.unsat,
                claimed: status.claimed,
                decided: status.decided,
                wrong: status.wrong,
                wrong_by_proof: status.wrong_by_proof,
            },
        }
    }
}
