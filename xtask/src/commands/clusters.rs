//! `cargo xtask clusters`: `luthier cluster` against a solver whose faults are known.
//!
//! The solver is our own one behind `tools/faulty-solver.sh`, which gives each of some operators another
//! meaning in one corner case. A hunt finds failing formulas, `luthier cluster` groups them, and then each
//! minimal formula is put to solvers with one of the faults only: exactly the one with the fault of its
//! cluster must be wrong about it. The command fails if there is not exactly one cluster for each fault, or if
//! one mixes two.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The binary of Luthier
    #[arg(long, default_value = "target/release/luthier")]
    luthier: PathBuf,
    /// How many failing formulas
    #[arg(long, default_value_t = 500)]
    failures: usize,
    /// Suite of formulas; repeatable
    #[arg(long, default_values = ["planted", "bounded"])]
    suite: Vec<String>,
    /// How many cases the hunt tries
    #[arg(long, default_value_t = 6000)]
    count: u64,
    /// Where the hunt is kept; a folder that is not there yet
    #[arg(long)]
    out: PathBuf,
}

/// The operators with a fault.
const FAULTS: [&str; 8] = [
    "str.indexof",
    "str.replace",
    "str.substr",
    "str.to_int",
    "str.at",
    "str.suffixof",
    "str.from_int",
    "str.contains",
];

/// A folder with solvers, and the binary.
struct Work {
    luthier: PathBuf,
    folder: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    fs::create_dir_all(&arguments.out)?;
    let folder = arguments.out.canonicalize()?;
    let work = Work { luthier: arguments.luthier.canonicalize()?, folder };
    work.solver("faulty", &FAULTS)?;
    work.solver("right", &[])?;
    for fault in FAULTS {
        work.solver(&only(fault), &[fault])?;
    }
    let started = Instant::now();
    let found = work.hunt(arguments)?;
    output::data(format!("{found} failing formulas, {:.0} s", started.elapsed().as_secs_f64()));
    if found < arguments.failures {
        return Err("there are too few failing formulas; try more cases with --count".into());
    }
    let started = Instant::now();
    let report = work.luthier(&["cluster", "found", "--json"], &[0, 3])?;
    let report: Value = serde_json::from_slice(&report)?;
    let seconds = started.elapsed().as_secs_f64();
    let clusters = report["clusters"].as_array().ok_or("there are no clusters")?;
    let unexamined = report["unexamined"].as_array().map_or(0, Vec::len);
    output::data(format!(
        "{} clusters, {unexamined} failures in none, {seconds:.0} s",
        clusters.len()
    ));
    let is_right = work.judge(clusters)?;
    let is_complete = clusters.len() == FAULTS.len() && unexamined == 0;
    Ok(if is_right && is_complete { Ending::Fine } else { Ending::Findings })
}

/// The name of the solver with one fault.
fn only(fault: &str) -> String {
    format!("only-{fault}").replace(['.', '_'], "-")
}

impl Work {
    /// Describes a solver with these faults, and puts it on the search path.
    fn solver(&self, name: &str, faults: &[&str]) -> Result<(), Box<dyn Error>> {
        let description = format!(
            "name = \"{name}\"\ntitle = \"{name}\"\nfamily = \"faulty\"\nprograms = [\"{name}\"]\n\
             [run]\narguments = [\"--dialect=2.7\", \"{{file}}\"]\n\
             [[dialects]]\nname = \"2.7\"\n\
             [[ask.query-limit]]\narguments = [\"--timeout={{milliseconds}}ms\"]\n\
             [[ask.models]]\nscript = [\"(set-option :produce-models true)\"]\n\
             [[ask.incremental]]\n"
        );
        let settings = self.folder.join("settings/luthier/solvers");
        fs::create_dir_all(&settings)?;
        fs::write(settings.join(format!("{name}.toml")), description)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/faulty-solver.sh");
        let (script, luthier) = (script.canonicalize()?, self.luthier.display());
        let faults = faults.join(" ");
        let program =
            format!("#!/bin/sh\nexec sh '{}' '{luthier}' '{faults}' \"$@\"\n", script.display());
        fs::create_dir_all(self.folder.join("bin"))?;
        let path = self.folder.join("bin").join(name);
        fs::write(&path, program)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(())
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.folder.join("bin").display()));
        command.env("XDG_CONFIG_HOME", self.folder.join("settings"));
        command.current_dir(&self.folder);
        command
    }

    fn luthier(&self, arguments: &[&str], endings: &[i32]) -> Result<Vec<u8>, Box<dyn Error>> {
        let made = self.command(&self.luthier).args(arguments).output()?;
        match made.status.code() {
            Some(code) if endings.contains(&code) => Ok(made.stdout),
            _ => Err(String::from_utf8_lossy(&made.stderr).into_owned().into()),
        }
    }

    /// Hunts, and keeps the first so many findings of wrong answers; how many there are.
    fn hunt(&self, arguments: &Arguments) -> Result<usize, Box<dyn Error>> {
        let count = arguments.count.to_string();
        let mut line =
            vec!["hunt", "faulty", "--out", "found", "--json", "--variants", "0", "--no-reduce"];
        line.extend(["--count", &count, "--most", "100000"]);
        line.extend(["--timeout", "10s", "--query-timeout", "500ms"]);
        line.extend(arguments.suite.iter().flat_map(|suite| ["--suite", suite.as_str()]));
        self.luthier(&line, &[0, 2])?;
        let path = self.folder.join("found/findings.jsonl");
        let text = fs::read_to_string(&path)?;
        let is_wrong = |line: &&str| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            let class = line["class"].as_str().unwrap_or_default();
            ["wrong-unsat", "wrong-sat", "invalid-model", "invalid-core"].contains(&class)
        };
        let kept: Vec<&str> = text.lines().filter(is_wrong).take(arguments.failures).collect();
        fs::write(&path, kept.join("\n") + "\n")?;
        Ok(kept.len())
    }

    /// Compares clusters with the faults, and prints a line for each.
    fn judge(&self, clusters: &[Value]) -> Result<bool, Box<dyn Error>> {
        let mut formulas: BTreeSet<&str> = BTreeSet::new();
        for cluster in clusters {
            formulas.extend(minimal_formulas(cluster));
        }
        let formulas: Vec<&str> = formulas.into_iter().collect();
        let right = self.verdicts("right", &formulas)?;
        let mut wrong: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for fault in FAULTS {
            let verdicts = self.verdicts(&only(fault), &formulas)?;
            for ((formula, said), right) in formulas.iter().zip(&verdicts).zip(&right) {
                if said != right {
                    wrong.entry(fault).or_default().insert(*formula);
                }
            }
        }
        let mut is_right = true;
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for cluster in clusters {
            let operator = cluster["operators"][0].as_str().unwrap_or_default();
            let minimal = minimal_formulas(cluster);
            let shows = |fault: &str| {
                let of_fault = wrong.get(fault);
                minimal.iter().filter(|one| of_fault.is_some_and(|set| set.contains(*one))).count()
            };
            let own = shows(operator);
            let others: usize =
                FAULTS.iter().filter(|fault| **fault != operator).map(|fault| shows(fault)).sum();
            let is_pure = FAULTS.contains(&operator) && own == minimal.len() && others == 0;
            is_right &= is_pure && seen.insert(operator);
            let members = cluster["files"].as_array().map_or(0, Vec::len);
            let twice = cluster["files"].as_array().into_iter().flatten();
            let twice =
                twice.filter(|one| one["also"].as_array().is_some_and(|also| !also.is_empty()));
            output::data(format!(
                "{operator} | {} | members {members} | minimal formulas {} | wrong with this fault alone \
                 {own} | with another {others} | members with a second fault {}",
                cluster["corner"].as_str().unwrap_or_default(),
                minimal.len(),
                twice.count()
            ));
        }
        Ok(is_right)
    }

    /// The verdicts of a solver on ground formulas, in one process.
    fn verdicts(&self, solver: &str, formulas: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
        let mut script = String::from("(set-logic QF_SLIA)\n");
        for formula in formulas {
            script.push_str(&format!("(push 1)\n(assert {formula})\n(check-sat)\n(pop 1)\n"));
        }
        let path = self.folder.join("minimal.smt2");
        fs::write(&path, script)?;
        let mut command = self.command(&self.folder.join("bin").join(solver));
        command.args(["--timeout=10s", "--dialect=2.7", "/dev/stdin"]).stdin(File::open(&path)?);
        let said = String::from_utf8(command.output()?.stdout)?;
        let verdicts: Vec<String> = said.lines().map(str::to_owned).collect();
        if verdicts.len() != formulas.len() {
            return Err(format!("{solver}: {} verdicts", verdicts.len()).into());
        }
        Ok(verdicts)
    }
}

/// The different minimal formulas of the members of a cluster.
fn minimal_formulas(cluster: &Value) -> BTreeSet<&str> {
    let members = cluster["files"].as_array().into_iter().flatten();
    members.filter_map(|one| one["minimal"].as_str()).collect()
}
