//! One hunt: a hunter on a release with a seed, for a CPU time.
//!
//! The CPU time is that of the process tree, which is read from `/proc` while the hunt goes on. When it is
//! used up, the hunter gets SIGTERM (SIGINT is ignored in background jobs) and ends in order: any version can
//! be measured. When the first wrong answer was kept is seen from the file of findings.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use luthier_records::FindingKind;
use luthier_runner::process::cpu_below_us;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Arguments;

/// How often the CPU time is read.
const INTERVAL: Duration = Duration::from_millis(100);

/// How long a hunter may take to end after SIGTERM, wall-clock time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result of a hunt, and the mark that it is done.
const DONE: &str = "hunt.json";

/// The folder that the hunter writes.
const FOUND: &str = "found";

/// A version of the hunter.
pub struct Hunter {
    pub name: String,
    pub path: PathBuf,
}

impl Hunter {
    /// `NAME=PATH`; a path alone is called as its file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name.to_owned(), PathBuf::from(path)),
            None => {
                let path = PathBuf::from(text);
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                (name.unwrap_or_default(), path)
            }
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_plain) {
            return Err(format!("--luthier {text}: `{name}` is no name of letters and digits"));
        }
        let path = path
            .canonicalize()
            .map_err(|error| format!("--luthier {text}: {}: {error}", path.display()))?;
        Ok(Self { name, path })
    }
}

/// What a hunt did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hunt {
    pub cpu_seconds: f64,
    pub formulas: u64,
    pub decided: u64,
    /// Findings of refuted verdicts, models and cores.
    pub wrong_answers: u64,
    /// The CPU time when the first of them was kept.
    pub first_wrong: Option<f64>,
    /// Terms that were simplified, and operators with a wrong rewrite.
    pub terms: u64,
    pub wrong_rewrites: Vec<String>,
    /// What makes two hunts comparable.
    pub settings: Vec<String>,
}

/// Where the hunts of a hunter in a release are kept.
pub fn release_folder(out: &Path, release: &str, hunter: &Hunter) -> PathBuf {
    out.join(release.replace('/', "_")).join(&hunter.name)
}

/// Where one hunt is kept.
pub fn folder(out: &Path, release: &str, hunter: &Hunter, seed: u64) -> PathBuf {
    release_folder(out, release, hunter).join(seed.to_string())
}

/// The findings of the hunt in a folder.
pub fn findings(folder: &Path) -> PathBuf {
    folder.join(FOUND).join("findings.jsonl")
}

/// Whether findings of this name are wrong answers: refuted verdicts, models, cores or values.
pub fn is_wrong_answer(class: &str) -> bool {
    FindingKind::from_name(class)
        .is_some_and(|kind| kind.is_solver_error() && kind != FindingKind::WrongRewrite)
}

/// Hunts, or reads what the hunt did that was made before.
pub fn hunt(
    hunter: &Hunter,
    release: &str,
    seed: u64,
    arguments: &Arguments,
    folder: &Path,
) -> Result<Hunt, Box<dyn Error>> {
    let mut settings = vec![format!("{:?}", arguments.cpu)];
    settings.extend(arguments.arguments.iter().cloned());
    let done = folder.join(DONE);
    if let Ok(text) = fs::read_to_string(&done) {
        let hunt: Hunt = serde_json::from_str(&text)
            .map_err(|error| format!("{}: {error}; remove it to hunt again", done.display()))?;
        if hunt.settings != settings {
            let message = "made with other settings; name another folder with --out";
            return Err(format!("{}: {message}", done.display()).into());
        }
        return Ok(hunt);
    }
    if folder.exists() {
        // A hunt that was stopped before its end.
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut command = Command::new(&hunter.path);
    command.args(["hunt", release, "--json", "--out", FOUND, "--seed", &seed.to_string()]);
    command.args(&arguments.arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(File::create(folder.join("stdout"))?);
    command.stderr(File::create(folder.join("stderr"))?);
    let mut child = command.spawn()?;
    let (cpu, first_wrong) = watch(&mut child, &findings(folder), arguments.cpu)?;
    let status = child.wait()?;
    let printed = fs::read_to_string(folder.join("stdout"))?;
    let record: Value = serde_json::from_str(&printed).map_err(|_| {
        let said = fs::read_to_string(folder.join("stderr")).unwrap_or_default();
        format!("{} hunt {release} ({status}): {}", hunter.name, said.trim())
    })?;
    let mut hunt = of_record(&record, &findings(folder))?;
    (hunt.cpu_seconds, hunt.first_wrong) = (cpu.as_secs_f64(), first_wrong);
    hunt.settings = settings;
    fs::write(&done, serde_json::to_string(&hunt)?)?;
    Ok(hunt)
}

/// Lets a hunter use its CPU time and ends it; how much it used, and when it kept the first wrong answer.
fn watch(
    child: &mut Child,
    findings: &Path,
    limit: Duration,
) -> Result<(Duration, Option<f64>), Box<dyn Error>> {
    let (mut cpu, mut first, mut asked_to_end) = (Duration::ZERO, None, None::<Instant>);
    while child.try_wait()?.is_none() {
        // An ended child of ours is counted until it is waited for, never afterwards.
        cpu = cpu.max(cpu_below_us());
        if first.is_none() && wrong_answers(findings) > 0 {
            first = Some(cpu.as_secs_f64());
        }
        match asked_to_end {
            None if cpu >= limit => {
                kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM)?;
                asked_to_end = Some(Instant::now());
            }
            Some(asked) if asked.elapsed() > PATIENCE => {
                child.kill()?;
                return Err("a hunter did not end within a minute after SIGTERM".into());
            }
            _ => {}
        }
        std::thread::sleep(INTERVAL);
    }
    if first.is_none() && wrong_answers(findings) > 0 {
        first = Some(cpu.as_secs_f64());
    }
    Ok((cpu, first))
}

/// How many wrong answers are kept in a file of findings.
fn wrong_answers(findings: &Path) -> u64 {
    classes(findings).iter().filter(|(class, _)| is_wrong_answer(class)).count() as u64
}

/// Class and operation of each finding.
fn classes(findings: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(findings).unwrap_or_default();
    let of_line = |line: &str| {
        // The last line may be half written.
        let line: Value = serde_json::from_str(line).ok()?;
        let word = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
        Some((word("class"), word("operation")))
    };
    text.lines().filter_map(of_line).collect()
}

/// What the record of a hunter says.
fn of_record(record: &Value, findings: &Path) -> Result<Hunt, String> {
    let solver = &record["solvers"][0];
    let number = |field: &str| solver[field].as_u64();
    let (Some(formulas), Some(sat), Some(unsat)) =
        (number("formulas"), number("sat"), number("unsat"))
    else {
        return Err("the JSON of the hunter lacks formulas, sat or unsat of the solver".to_owned());
    };
    let mut wrong_rewrites: Vec<String> = classes(findings)
        .into_iter()
        .filter(|(class, _)| class == FindingKind::WrongRewrite.name())
        .map(|(_, operation)| operation)
        .collect();
    wrong_rewrites.sort_unstable();
    wrong_rewrites.dedup();
    Ok(Hunt {
        formulas,
        decided: sat + unsat,
        wrong_answers: wrong_answers(findings),
        // Older hunters have no such count.
        terms: solver["rewrites"]["asked"].as_u64().unwrap_or(0),
        wrong_rewrites,
        ..Hunt::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunter_has_a_name_and_a_binary_that_exists() {
        let hunter = Hunter::parse("new=/bin/sh").unwrap();
        assert_eq!(hunter.name, "new");
        assert_eq!(Hunter::parse("/bin/sh").unwrap().name, "sh");
        assert!(Hunter::parse("a/b=/bin/sh").is_err());
        assert!(Hunter::parse("new=/no/such/program").is_err());
    }

    #[test]
    fn only_refuted_answers_count() {
        for (class, is_wrong) in [
            ("wrong-unsat", true),
            ("invalid-model", true),
            ("contradiction", true),
            ("wrong-rewrite", false),
            ("crash", false),
            ("slow", false),
            ("nonsense", false),
        ] {
            assert_eq!(is_wrong_answer(class), is_wrong, "{class}");
        }
    }

    #[test]
    fn a_hunt_is_read_from_the_record_and_its_findings() {
        let folder = tempfile::tempdir().unwrap();
        let findings = folder.path().join("findings.jsonl");
        fs::write(
            &findings,
            "{\"class\":\"wrong-sat\",\"operation\":\"str.at\"}\n\
             {\"class\":\"wrong-rewrite\",\"operation\":\"=\"}\n\
             {\"class\":\"wrong-rewrite\",\"operation\":\"=\"}\n{\"class\":\"wrong",
        )
        .unwrap();
        let record = serde_json::json!({"solvers": [{"formulas": 9, "sat": 3, "unsat": 4}]});
        let hunt = of_record(&record, &findings).unwrap();
        assert_eq!((hunt.formulas, hunt.decided, hunt.wrong_answers), (9, 7, 1));
        assert_eq!(hunt.wrong_rewrites, ["="]);
        assert!(of_record(&serde_json::json!({}), &findings).is_err());
    }
}
