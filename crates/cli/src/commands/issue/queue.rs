//! The queue of reports: a JSON file that remembers what was sent and when.

use std::path::{Path, PathBuf};

use luthier_records::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::whole_file::WholeFile;

const WEEK_IN_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1000;
/// The version of the file.
const FORMAT: u32 = 1;

/// What was sent.
pub struct Queue {
    path: PathBuf,
    sent: Vec<Sent>,
    now: i64,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    sent: Vec<Sent>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sent {
    /// The reduced formula and the solver.
    key: String,
    title: String,
    /// Milliseconds since 1970.
    at: i64,
}

impl Queue {
    /// Opens a queue; a file that is not there is an empty one.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let now = Timestamp::of(std::time::SystemTime::now()).0;
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), sent: Vec::new(), now });
            }
            Err(error) => return Err(CliError::usage(format!("{shown}: {error}"))),
        };
        let file: File = serde_json::from_str(&text).map_err(|error| {
            CliError::usage(format!("{shown}: this is no queue of reports: {error}"))
                .with_hint("name another file with --queue; a new one is made if it is not there")
        })?;
        if file.format != FORMAT {
            let message = format!("{shown}: format {} is not known, only {FORMAT}", file.format);
            return Err(CliError::usage(message));
        }
        Ok(Self { path: path.to_owned(), sent: file.sent, now })
    }

    /// How many reports may still be sent if `most` may be sent within seven days.
    pub fn left(&self, most: usize) -> usize {
        let recent = self.sent.iter().filter(|one| self.now - one.at < WEEK_IN_MILLISECONDS);
        most.saturating_sub(recent.count())
    }

    /// Whether a report was sent before, ever.
    pub fn was_sent(&self, key: &str) -> bool {
        self.sent.iter().any(|one| one.key == key)
    }

    /// Remembers a report as sent now.
    pub fn add(&mut self, key: String, title: String) {
        self.sent.push(Sent { key, title, at: self.now });
    }

    /// Writes the file, whole or not at all.
    pub fn save(&self) -> Result<(), CliError> {
        let file = File { format: FORMAT, sent: self.sent.clone() };
        let mut text = serde_json::to_vec_pretty(&file)
            .map_err(|error| CliError::Bug { message: error.to_string() })?;
        text.push(b'\n');
        let mut whole = WholeFile::create(&self.path)?;
        whole.write(&text)?;
        whole.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_reports_are_left_in_seven_days() {
        let now = 10 * WEEK_IN_MILLISECONDS;
        let sent = |at: i64| Sent { key: at.to_string(), title: String::new(), at };
        let sent = vec![sent(1), sent(now - WEEK_IN_MILLISECONDS), sent(now - 5)];
        let queue = Queue { path: PathBuf::new(), sent, now };
        assert_eq!((queue.left(3), queue.left(1), queue.left(0)), (2, 0, 0));
        assert!(queue.was_sent("1") && !queue.was_sent("2"));
    }
}
