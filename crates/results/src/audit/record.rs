//! An audit as JSON.

use std::collections::BTreeMap;

use luthier_corpus::audit::{
    Audit, ClaimSource, RejectedFile, SetAudit, StatusCounts, VerdictCounts, WrongClaim,
};
use serde::Serialize;

/// The JSON of an audit.
#[derive(Serialize)]
pub struct AuditRecord {
    sets: Vec<SetRecord>,
    /// All sets as if they were one; `null` if there is only one.
    total: Option<SetRecord>,
}

#[derive(Serialize)]
struct SetRecord {
    name: String,
    tracks: usize,
    files: usize,
    bytes: u64,
    /// Files that cannot be read as scripts.
    rejected: usize,
    /// Those files by the code of their first error.
    rejections: BTreeMap<&'static str, Vec<RejectionRecord>>,
    /// What could not be opened, and why.
    unreadable: Vec<String>,
    /// Different contents.
    contents: usize,
    /// Files with the same bytes as another file of the set.
    duplicates: usize,
    /// Different canonical forms.
    forms: usize,
    /// Files that are the same as another file of the set up to renaming, reordering and dialect.
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
    /// The most frequent first.
    operators: Vec<OperatorRecord>,
    status: StatusRecord,
}

#[derive(Serialize)]
struct RejectionRecord {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

#[derive(Serialize)]
struct OperatorRecord {
    name: &'static str,
    files: usize,
    occurrences: u64,
    /// Occurrences per file of the set.
    average: f64,
}

#[derive(Serialize)]
struct StatusRecord {
    /// Files by `(set-info :status …)`.
    sat: usize,
    unsat: usize,
    unknown: usize,
    /// Files by the folder that claims an answer.
    folder_sat: usize,
    folder_unsat: usize,
    /// Files with a claim of either kind.
    claimed: usize,
    /// `null` without --db.
    evidence: Option<EvidenceRecord>,
}

#[derive(Serialize)]
struct EvidenceRecord {
    /// Files with a claim for which an answer is proven.
    decided: usize,
    /// Files whose claim is refuted.
    wrong: usize,
    /// Those refuted by a checked model or a planted answer.
    wrong_by_proof: usize,
    wrong_claims: Vec<WrongRecord>,
}

#[derive(Serialize)]
struct WrongRecord {
    file: String,
    sha256: String,
    /// From 1.
    query: usize,
    /// `status` or `folder`.
    source: &'static str,
    claimed: String,
    proven: String,
    evidence: &'static str,
    by: Vec<String>,
}

/// An audit as JSON. Without history, nothing is said about what is proven.
pub fn audit_record(audit: &Audit, has_history: bool) -> AuditRecord {
    let of = |set: &SetAudit| set_record(set, has_history);
    AuditRecord { sets: audit.sets.iter().map(of).collect(), total: audit.total.as_ref().map(of) }
}

fn set_record(set: &SetAudit, has_history: bool) -> SetRecord {
    let counts = set.counts;
    let rejection = |one: &RejectedFile| RejectionRecord {
        file: one.file.clone(),
        line: one.rejection.line,
        column: one.rejection.column,
        message: one.rejection.message.clone(),
    };
    let rejections =
        set.rejected.iter().map(|(code, files)| (*code, files.iter().map(rejection).collect()));
    let operators = set.operators.iter().map(|one| OperatorRecord {
        name: one.name,
        files: one.files,
        occurrences: one.occurrences,
        average: one.average(counts.files),
    });
    SetRecord {
        name: set.name.clone(),
        tracks: counts.tracks,
        files: counts.files,
        bytes: counts.bytes,
        rejected: counts.rejected,
        rejections: rejections.collect(),
        unreadable: set.unreadable.clone(),
        contents: counts.contents,
        duplicates: counts.duplicates,
        forms: counts.forms,
        duplicates_up_to_renaming: counts.duplicates_up_to_renaming,
        limited_forms: counts.limited_forms,
        dialects: set.dialects.clone(),
        quantifiers: counts.quantifiers,
        ill_formed: set.ill_formed.clone(),
        legacy: set.legacy.clone(),
        operators: operators.collect(),
        status: status(&set.status, &set.wrong, has_history),
    }
}

fn status(status: &StatusCounts, wrong: &[WrongClaim], has_history: bool) -> StatusRecord {
    let VerdictCounts { sat, unsat, unknown } = status.annotated;
    let evidence = has_history.then(|| EvidenceRecord {
        decided: status.decided,
        wrong: status.wrong,
        wrong_by_proof: status.wrong_by_proof,
        wrong_claims: wrong.iter().map(wrong_record).collect(),
    });
    StatusRecord {
        sat,
        unsat,
        unknown,
        folder_sat: status.by_folder.sat,
        folder_unsat: status.by_folder.unsat,
        claimed: status.claimed,
        evidence,
    }
}

fn wrong_record(one: &WrongClaim) -> WrongRecord {
    WrongRecord {
        file: one.file.clone(),
        sha256: one.digest.to_string(),
        query: one.query + 1,
        source: source_name(one.source),
        claimed: one.claimed.to_string(),
        proven: one.proven.verdict.to_string(),
        evidence: one.proven.evidence.name(),
        by: one.proven.by.clone(),
    }
}

/// The word for who claims an answer.
pub fn source_name(source: ClaimSource) -> &'static str {
    match source {
        ClaimSource::Status => "status",
        ClaimSource::Folder => "folder",
    }
}
