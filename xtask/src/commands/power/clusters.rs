//! The distinct faults behind the findings of a hunter in a release, over all seeds: `luthier cluster` on
//! the findings of all its hunts together.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::hunts::{findings, is_wrong_answer};

/// The result, and the mark that it is done.
const DONE: &str = "clusters.json";

/// The findings of all seeds in one folder.
const JOINED: &str = "joined";

/// How many faults there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clusters {
    /// The signatures of the clusters of wrong answers.
    pub signatures: Vec<String>,
    /// Findings that are in no cluster.
    pub unexamined: u64,
}

/// Clusters the wrong answers of some hunts, or reads what was clustered before.
pub fn cluster(
    luthier: &Path,
    folder: &Path,
    hunts: &[PathBuf],
    time: Duration,
) -> Result<Clusters, Box<dyn Error>> {
    let done = folder.join(DONE);
    let joined = folder.join(JOINED);
    let lines = joined_lines(hunts)?;
    let list = joined.join("findings.jsonl");
    // More seeds than before have more findings.
    if let Ok(text) = fs::read_to_string(&done)
        && fs::read_to_string(&list).unwrap_or_default() == lines
    {
        return Ok(serde_json::from_str(&text)?);
    }
    if joined.exists() {
        fs::remove_dir_all(&joined)?;
    }
    fs::create_dir_all(&joined)?;
    fs::write(&list, &lines)?;
    let mut clusters = Clusters::default();
    if !lines.is_empty() {
        let time = format!("{}ms", time.as_millis());
        let mut command = Command::new(luthier);
        command.args(["cluster", JOINED, "--json", "--reduce-time", "20s", "--time", &time]);
        let made = command.current_dir(folder).output()?;
        if !matches!(made.status.code(), Some(0 | 3)) {
            let said = String::from_utf8_lossy(&made.stderr);
            return Err(format!("luthier cluster {}: {}", joined.display(), said.trim()).into());
        }
        clusters = of_report(&serde_json::from_slice(&made.stdout)?)?;
    }
    fs::write(&done, serde_json::to_string(&clusters)?)?;
    Ok(clusters)
}

/// The lines of the wrong answers of all hunts, with paths from the joined folder.
fn joined_lines(hunts: &[PathBuf]) -> Result<String, Box<dyn Error>> {
    let mut joined = String::new();
    for hunt in hunts {
        let path = findings(hunt);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let found = path.parent().ok_or("a file of findings is in a folder")?.canonicalize()?;
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if !line["class"].as_str().is_some_and(is_wrong_answer) {
                continue;
            }
            for field in ["file", "copy", "reduced"] {
                if let Some(file) = line[field].as_str() {
                    line[field] = found.join(file).display().to_string().into();
                }
            }
            joined.push_str(&serde_json::to_string(&line)?);
            joined.push('\n');
        }
    }
    Ok(joined)
}

/// What `luthier cluster --json` says.
fn of_report(report: &Value) -> Result<Clusters, String> {
    let clusters = report["clusters"].as_array().ok_or("luthier cluster gives no clusters")?;
    let is_wrong = |cluster: &&Value| cluster["class"].as_str().is_some_and(is_wrong_answer);
    let signature = |one: &Value| one["signature"].as_str().unwrap_or_default().to_owned();
    let signatures = clusters.iter().filter(is_wrong).map(signature).collect();
    let unexamined = report["unexamined"].as_array().map_or(0, |list| list.len() as u64);
    Ok(Clusters { signatures, unexamined })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_all_seeds_are_joined_with_absolute_paths() {
        let folder = tempfile::tempdir().unwrap();
        let hunts: Vec<PathBuf> = ["1", "2", "3"].map(|seed| folder.path().join(seed)).to_vec();
        for hunt in &hunts[..2] {
            fs::create_dir_all(hunt.join("found")).unwrap();
            let lines = "{\"class\":\"wrong-sat\",\"file\":\"a.smt2\",\"reduced\":null}\n\
                         {\"class\":\"crash\",\"file\":\"b.smt2\"}\n";
            fs::write(findings(hunt), lines).unwrap();
        }
        let lines = joined_lines(&hunts).unwrap();
        assert_eq!(lines.lines().count(), 2);
        for (line, seed) in lines.lines().zip(["1", "2"]) {
            let line: Value = serde_json::from_str(line).unwrap();
            let file = line["file"].as_str().unwrap();
            assert!(file.starts_with('/') && file.ends_with(&format!("{seed}/found/a.smt2")));
            assert!(line["reduced"].is_null());
        }
    }

    #[test]
    fn clusters_of_crashes_are_no_wrong_answers() {
        let report = serde_json::json!({
            "clusters": [
                {"class": "wrong-sat", "signature": "a"},
                {"class": "crash", "signature": "b"},
            ],
            "unexamined": [{}],
        });
        let expected = Clusters { signatures: vec!["a".to_owned()], unexamined: 1 };
        assert_eq!(of_report(&report), Ok(expected));
        assert!(of_report(&serde_json::json!({})).is_err());
    }
}
