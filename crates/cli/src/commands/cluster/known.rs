//! Known clusters: a TOML file that people keep, edit and share.
//!
//! ```toml
//! [[cluster]]
//! signature = "z3: unsound sat: str.<="
//! name = "str.<= has no axioms in z3str3"
//! first-seen = "2026-11-18"
//! note = "https://github.com/…"
//! ```
//!
//! A cluster is known if its signature is in the file. Name and note are the user's: what is there is
//! written back as it is, new clusters are added at the end.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::time::SystemTime;

use luthier_records::Timestamp;
use serde::Deserialize;

use super::record::ClusterRecord;
use crate::error::CliError;

/// The known clusters of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownClusters {
    #[serde(default)]
    cluster: Vec<KnownCluster>,
    /// The file as it was read.
    #[serde(skip)]
    text: String,
    /// How many of the clusters are in that text.
    #[serde(skip)]
    written: usize,
}

/// A known cluster.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownCluster {
    pub signature: String,
    pub name: String,
    pub first_seen: String,
    #[serde(default)]
    pub note: String,
}

impl KnownClusters {
    /// Reads a file. It need not be there if clusters are to be remembered.
    pub fn read(path: &Path, may_be_missing: bool) -> Result<Self, CliError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && may_be_missing => String::new(),
            Err(error) => {
                return Err(CliError::usage(format!("{}: {error}", path.display()))
                    .with_hint("--remember makes the file"));
            }
        };
        let mut known: Self = toml::from_str(&text).map_err(|error| {
            CliError::usage(format!("{}: {}", path.display(), error.to_string().trim_end()))
        })?;
        known.written = known.cluster.len();
        known.text = text;
        Ok(known)
    }

    /// The cluster with this signature.
    pub fn find(&self, signature: &str) -> Option<&KnownCluster> {
        self.cluster.iter().find(|one| one.signature == signature)
    }

    /// Adds the clusters that are not known.
    pub fn remember(&mut self, clusters: &[ClusterRecord]) {
        let now = luthier_report::documents::moment(Timestamp::of(SystemTime::now()));
        let today: String = now.unwrap_or_default().chars().take(10).collect();
        for one in clusters.iter().filter(|one| !one.known) {
            self.cluster.push(KnownCluster {
                signature: one.signature.clone(),
                name: one.signature.clone(),
                first_seen: today.clone(),
                note: String::new(),
            });
        }
    }

    /// Writes the file: the text that was read, and new clusters at its end.
    pub fn write(&self, path: &Path) -> Result<(), CliError> {
        let mut text = self.text.clone();
        if text.is_empty() {
            text.push_str("# Known clusters of luthier cluster. Names and notes are yours.\n");
        } else if !text.ends_with('\n') {
            text.push('\n');
        }
        for one in &self.cluster[self.written..] {
            let entries = [
                ("signature", &one.signature),
                ("name", &one.name),
                ("first-seen", &one.first_seen),
                ("note", &one.note),
            ];
            text.push_str("\n[[cluster]]\n");
            for (key, value) in entries {
                // The escapes of JSON strings are those of basic strings in TOML.
                let value = serde_json::to_string(value)
                    .map_err(|error| CliError::Bug { message: format!("no text: {error}") })?;
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        std::fs::write(path, text)
            .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))
    }
}
