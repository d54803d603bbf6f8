//! What is known about a published set: a file `benchmarks/NAME.toml`.

use luthier_records::{Digest, Verdict};
use serde::Deserialize;

use crate::audit::Claim;

/// A description, field by field; docs/benchmarks.md explains them. A misspelt key is an error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Description {
    /// The name by which commands know it: lower-case letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// Its tracks: the folders of its files.
    pub tracks: Vec<String>,
    /// How many files it has.
    pub files: usize,
    /// Who made it, and from what.
    pub source: String,
    /// Under which licence it was published, as far as its files or authors say.
    pub licence: String,
    /// The publication to cite.
    pub citation: String,
    /// Where it can be fetched.
    pub get: String,
    /// The [digest of its contents](super::content_digest), as 64 hexadecimal digits.
    pub sha256: Option<String>,
    /// What is known about its labels, in a sentence.
    pub labels: Option<String>,
    /// Its row in the tables of the ZaligVinder paper, if it has one.
    pub zaligvinder: Option<PaperRow>,
    /// Answers that the names of folders claim.
    #[serde(default)]
    pub claim: Vec<FolderClaim>,
}

/// What the ZaligVinder paper says about a set (Tables 1 and 3).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperRow {
    /// Its name there.
    pub name: String,
    /// The number of its sets, which are called tracks here.
    pub sets: usize,
    /// The number of instances.
    pub instances: usize,
    /// The number of duplicates.
    pub duplicates: usize,
    /// The most used operators with their average occurrences, as printed: `len 44.31`.
    pub operators: Vec<String>,
}

/// A folder whose name claims an answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FolderClaim {
    /// The name of the folder.
    pub folder: String,
    /// `sat` or `unsat`.
    pub label: String,
}

impl Description {
    /// The digest of its contents.
    pub fn digest(&self) -> Option<Digest> {
        self.sha256.as_ref()?.parse().ok()
    }

    /// The answers that the names of folders claim.
    pub fn claims(&self) -> Vec<Claim> {
        let claims = self.claim.iter().filter_map(|claim| {
            Some(Claim { folder: claim.folder.clone(), verdict: verdict(&claim.label)? })
        });
        claims.collect()
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        if !is_name(&self.name) {
            return Some(format!(
                "`{}` cannot be the name of a set: letters, digits, `-`, `_` and `.` make one",
                self.name
            ));
        }
        if self.sha256.is_some() && self.digest().is_none() {
            return Some("sha256 has 64 hexadecimal digits".to_owned());
        }
        let wrong = self.claim.iter().find(|claim| verdict(&claim.label).is_none())?;
        Some(format!("`{}` is no label; a folder claims sat or unsat", wrong.label))
    }
}

/// Whether a set may be called so. A name is never taken for a path, since it has no slash.
pub(super) fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(letter)
}

fn verdict(label: &str) -> Option<Verdict> {
    match label {
        "sat" => Some(Verdict::Sat),
        "unsat" => Some(Verdict::Unsat),
        _ => None,
    }
}
