//! The figures of a set, from the facts of its files.

use std::collections::{BTreeMap, BTreeSet};

use luthier_records::{Digest, Evidence, ProvenAnswer, Verdict};
use luthier_smtlib::Code;
use rustc_hash::FxHashMap;

use super::{
    AuditedSet, Contents, ExaminedSet, Facts, Member, ProvenAnswers, Rejection, operator_names,
};

/// A folder whose files are said to have this answer, by those who published the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The name of a folder, anywhere in the path of a file.
    pub folder: String,
    /// The answer.
    pub verdict: Verdict,
}

/// The audit of one set.
#[derive(Clone, Debug, Default)]
pub struct SetAudit {
    /// Its name.
    pub name: String,
    /// What was counted.
    pub counts: Counts,
    /// Files that cannot be read as scripts, by the code of their first error.
    pub rejected: BTreeMap<&'static str, Vec<RejectedFile>>,
    /// What could not be opened, and why.
    pub unreadable: Vec<String>,
    /// Files by dialect.
    pub dialects: BTreeMap<&'static str, usize>,
    /// Files with ill-formed uses that a generous reader accepts, by code.
    pub ill_formed: BTreeMap<&'static str, usize>,
    /// Files with names and escapes from before the standard, and uses whose meaning has changed, by code.
    pub legacy: BTreeMap<&'static str, usize>,
    /// The operators that occur, the most frequent first.
    pub operators: Vec<OperatorUse>,
    /// What files and folders claim about answers.
    pub status: StatusCounts,
    /// Claims that are wrong: by a checked model, by a planted answer, or by the agreement of solvers.
    pub wrong: Vec<WrongClaim>,
}

/// The counts of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Folders with files.
    pub tracks: usize,
    /// Files that were read.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files that cannot be read as scripts.
    pub rejected: usize,
    /// Different contents.
    pub contents: usize,
    /// Files with the same bytes as another file of the set.
    pub duplicates: usize,
    /// Different canonical forms.
    pub forms: usize,
    /// Files with the same canonical form as another file of the set.
    pub duplicates_up_to_renaming: usize,
    /// Files whose canonical form is limited, so that a duplicate may be missed.
    pub limited_forms: usize,
    /// Files with a quantifier.
    pub quantifiers: usize,
}

/// A file that cannot be read as a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedFile {
    /// Its name below the path of the set.
    pub file: String,
    /// Why.
    pub rejection: Rejection,
}

/// How an operator is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorUse {
    /// Its standard name.
    pub name: &'static str,
    /// How many files mention it.
    pub files: usize,
    /// How often, in all files together.
    pub occurrences: u64,
}

impl OperatorUse {
    /// Occurrences per file of the set.
    pub fn average(&self, files: usize) -> f64 {
        if files == 0 { 0.0 } else { self.occurrences as f64 / files as f64 }
    }

    /// Whether it is an operation on strings; the others make regular expressions. The tables of the
    /// ZaligVinder paper list only these.
    pub fn is_string_operation(&self) -> bool {
        !self.name.starts_with("re.")
    }
}

/// Claims about answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// Files by their `(set-info :status …)`, at any query.
    pub annotated: VerdictCounts,
    /// Files by the folder in which they are.
    pub by_folder: VerdictCounts,
    /// Files with a claim of either kind.
    pub claimed: usize,
    /// Those of them for which an answer is proven.
    pub decided: usize,
    /// Those of them whose claim is refuted.
    pub wrong: usize,
    /// Those refuted by a model that the referee accepts, or by a planted answer.
    pub wrong_by_proof: usize,
}

/// Files by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// `sat`
    pub sat: usize,
    /// `unsat`
    pub unsat: usize,
    /// `unknown`
    pub unknown: usize,
}

impl VerdictCounts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Sat => self.sat += 1,
            Verdict::Unsat => self.unsat += 1,
            Verdict::Unknown => self.unknown += 1,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
    }
}

/// Who claims an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimSource {
    /// `(set-info :status …)` in the file.
    Status,
    /// The name of its folder.
    Folder,
}

/// A claim that is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongClaim {
    /// The file, below the path of the set.
    pub file: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The query, from 0.
    pub query: usize,
    /// Who claims it.
    pub source: ClaimSource,
    /// What is claimed.
    pub claimed: Verdict,
    /// What is proven.
    pub proven: ProvenAnswer,
}

/// Codes of legacy writing, which says nothing about the quality of a file: names and escapes of its time,
/// and uses that solvers of its time understood differently.
fn is_legacy(code: Code) -> bool {
    matches!(code, Code::LegacyName | Code::LegacyEscape | Code::EscapesDisagree)
        || code.name().starts_with("meaning-")
}

/// The figures of one set.
pub(super) fn set(examined: &ExaminedSet, contents: &Contents, proven: &ProvenAnswers) -> SetAudit {
    let ExaminedSet { set, members, unreadable } = examined;
    let unreadable = unreadable.clone();
    let mut audit = SetAudit { name: set.name.clone(), unreadable, ..SetAudit::default() };
    let mut tracks = BTreeSet::new();
    let mut operators = vec![(0_usize, 0_u64); operator_names().len()];
    for member in members {
        let facts = contents.of(member);
        audit.add_file(member, facts);
        tracks.insert(member.name.rsplit_once('/').map_or("", |(folder, _)| folder));
        for &(operator, count) in &facts.operators {
            let (files, occurrences) = &mut operators[usize::from(operator)];
            *files += 1;
            *occurrences += u64::from(count);
        }
        let digest = contents.digests[member.content];
        let answers = proven.get(&(digest, facts.dialect)).map(Vec::as_slice);
        audit.add_claims(set, member, digest, facts, answers.unwrap_or_default());
    }
    audit.counts.tracks = tracks.len();
    audit.count_duplicates(members, contents);
    let names = operator_names().iter().zip(operators);
    let used = names.filter(|(_, (files, _))| *files > 0);
    audit.operators = used
        .map(|(&name, (files, occurrences))| OperatorUse { name, files, occurrences })
        .collect();
    audit.sort_operators();
    audit
}

/// All sets as if they were one: sums, but for duplicates, which are counted across sets.
pub(super) fn total(sets: &[SetAudit], examined: &[ExaminedSet], contents: &Contents) -> SetAudit {
    let mut total = SetAudit { name: "all sets".to_owned(), ..SetAudit::default() };
    let mut operators: BTreeMap<&'static str, OperatorUse> = BTreeMap::new();
    for set in sets {
        let counts = &mut total.counts;
        counts.tracks += set.counts.tracks;
        counts.files += set.counts.files;
        counts.bytes += set.counts.bytes;
        counts.rejected += set.counts.rejected;
        counts.limited_forms += set.counts.limited_forms;
        counts.quantifiers += set.counts.quantifiers;
        let named = |name: &str| format!("{}/{name}", set.name);
        for (code, files) in &set.rejected {
            let files =
                files.iter().map(|one| RejectedFile { file: named(&one.file), ..one.clone() });
            total.rejected.entry(code).or_default().extend(files);
        }
        total.unreadable.extend(set.unreadable.iter().cloned());
        for (into, from) in [
            (&mut total.dialects, &set.dialects),
            (&mut total.ill_formed, &set.ill_formed),
            (&mut total.legacy, &set.legacy),
        ] {
            from.iter().for_each(|(name, count)| *into.entry(name).or_default() += count);
        }
        for one in &set.operators {
            let unused = OperatorUse { name: one.name, files: 0, occurrences: 0 };
            let sum = operators.entry(one.name).or_insert(unused);
            sum.files += one.files;
            sum.occurrences += one.occurrences;
        }
        let (status, of_set) = (&mut total.status, &set.status);
        status.annotated.merge(&of_set.annotated);
        status.by_folder.merge(&of_set.by_folder);
        status.claimed += of_set.claimed;
        status.decided += of_set.decided;
        status.wrong += of_set.wrong;
        status.wrong_by_proof += of_set.wrong_by_proof;
        let wrong = set.wrong.iter();
        total.wrong.extend(wrong.map(|one| WrongClaim { file: named(&one.file), ..one.clone() }));
    }
    total.count_duplicates(examined.iter().flat_map(|one| &one.members), contents);
    total.operators = operators.into_values().collect();
    total.sort_operators();
    total
}

impl SetAudit {
    fn add_file(&mut self, member: &Member, facts: &Facts) {
        let counts = &mut self.counts;
        counts.files += 1;
        counts.bytes += facts.bytes;
        counts.quantifiers += usize::from(facts.has_quantifiers);
        counts.limited_forms += usize::from(facts.form.is_some_and(|form| form.is_limited));
        *self.dialects.entry(facts.dialect.name()).or_default() += 1;
        if let Some(rejection) = &facts.rejection {
            counts.rejected += 1;
            let rejected = RejectedFile { file: member.name.clone(), rejection: rejection.clone() };
            self.rejected.entry(rejection.code.name()).or_default().push(rejected);
        }
        for &code in &facts.codes {
            let is_rejection = facts.rejection.as_ref().is_some_and(|one| one.code == code);
            let codes = if is_legacy(code) { &mut self.legacy } else { &mut self.ill_formed };
            if !is_rejection {
                *codes.entry(code.name()).or_default() += 1;
            }
        }
    }

    /// Counts what is claimed about a file, and what of it is refuted.
    fn add_claims(
        &mut self,
        set: &AuditedSet,
        member: &Member,
        digest: Digest,
        facts: &Facts,
        answers: &[Option<ProvenAnswer>],
    ) {
        let decided = |verdict: &Verdict| *verdict != Verdict::Unknown;
        let status = &mut self.status;
        let first = facts.statuses.iter().copied().flatten();
        if let Some(verdict) = first.clone().find(decided).or_else(|| first.clone().next()) {
            status.annotated.add(verdict);
        }
        let folders = || member.name.split('/').rev().skip(1);
        let of_folder = set.claims.iter().find(|claim| folders().any(|name| name == claim.folder));
        if let Some(claim) = of_folder {
            status.by_folder.add(claim.verdict);
        }
        let by_status = facts.statuses.iter().enumerate().filter_map(|(query, verdict)| {
            Some((ClaimSource::Status, query, verdict.filter(|one| decided(one))?))
        });
        // A folder says one answer for a file.
        let one_query = facts.statuses.len() == 1;
        let by_folder = of_folder
            .filter(|_| one_query)
            .map(|claim| (ClaimSource::Folder, 0, claim.verdict))
            .into_iter();
        let claims: Vec<(ClaimSource, usize, Verdict)> = by_status.chain(by_folder).collect();
        if claims.is_empty() {
            return;
        }
        status.claimed += 1;
        let answer = |query: usize| answers.get(query).and_then(Option::as_ref);
        if claims.iter().all(|(_, query, _)| answer(*query).is_some()) {
            status.decided += 1;
        }
        let before = self.wrong.len();
        for (source, query, claimed) in claims {
            if let Some(proven) = answer(query).filter(|proven| proven.verdict != claimed) {
                let (file, proven) = (member.name.clone(), proven.clone());
                self.wrong.push(WrongClaim { file, digest, query, source, claimed, proven });
            }
        }
        let wrong = &self.wrong[before..];
        status.wrong += usize::from(!wrong.is_empty());
        let is_proof = |one: &WrongClaim| one.proven.evidence != Evidence::Agreement;
        status.wrong_by_proof += usize::from(wrong.iter().any(is_proof));
    }

    fn count_duplicates<'a>(
        &mut self,
        members: impl IntoIterator<Item = &'a Member>,
        contents: &Contents,
    ) {
        // By digest: a content that was read in two dialects was examined twice.
        let mut by_content: FxHashMap<Digest, usize> = FxHashMap::default();
        let mut by_form: FxHashMap<Digest, usize> = FxHashMap::default();
        for member in members {
            let digest = contents.digests[member.content];
            *by_content.entry(digest).or_default() += 1;
            // What cannot be read is equal only to its copies.
            let form = contents.of(member).form.map(|form| form.digest);
            *by_form.entry(form.unwrap_or(digest)).or_default() += 1;
        }
        let counts = &mut self.counts;
        counts.contents = by_content.len();
        counts.duplicates = by_content.values().filter(|count| **count > 1).sum();
        counts.forms = by_form.len();
        counts.duplicates_up_to_renaming = by_form.values().filter(|count| **count > 1).sum();
    }

    fn sort_operators(&mut self) {
        self.operators.sort_by(|one, other| {
            (other.occurrences, one.name).cmp(&(one.occurrences, other.name))
        });
    }
}
