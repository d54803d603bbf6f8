//! Campaigns with solvers that are small shell scripts: each plays one fault or one answer.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use luthier_store::Store;
use serde_json::Value;

use super::{Bench, Run};

/// A satisfiable instance: `x` is a string of two characters.
pub const TWO: &str = "(set-logic QF_SLIA)\n(declare-const x String)\n\
                       (assert (= (str.len x) 2))\n(check-sat)\n";

/// The same with this in front.
pub fn two_with(information: &str) -> String {
    format!("(set-info :{information})\n{TWO}")
}

/// A folder with instances, solvers and a database `results.db`.
pub struct Shop {
    pub bench: Bench,
}

impl Shop {
    pub fn new() -> Self {
        let shop = Self { bench: Bench::new() };
        shop.bench.write("bin/.keep", "");
        shop
    }

    /// With one instance, `set/a.smt2`.
    pub fn with(instance: &str) -> Self {
        let shop = Self::new();
        shop.bench.write("set/a.smt2", instance);
        shop
    }

    /// A solver of its own family that reads standard SMT-LIB and does what the script says.
    pub fn solver(&self, name: &str, script: &str) {
        self.describe(name, "2.6", name);
        self.program(name, script);
    }

    /// Describes a solver without giving it a program.
    pub fn describe(&self, name: &str, dialect: &str, family: &str) {
        let description = format!(
            "name = \"{name}\"\ntitle = \"{name}\"\nfamily = \"{family}\"\n\
             programs = [\"{name}\"]\n[run]\narguments = [\"{{file}}\"]\n\
             [[dialects]]\nname = \"{dialect}\"\n\
             [[ask.seed]]\narguments = [\"--seed={{seed}}\"]\n\
             [[ask.models]]\nscript = [\"(set-option :produce-models true)\"]\n\
             [[ask.cores]]\nscript = [\"(set-option :produce-unsat-cores true)\"]\n\
             [[ask.incremental]]\narguments = [\"--incremental\"]\n"
        );
        self.bench.write(&format!("settings/luthier/solvers/{name}.toml"), description);
    }

    /// Puts a shell script on the search path.
    pub fn program(&self, name: &str, script: &str) {
        self.executable(name, &format!("#!/bin/sh\n{script}\n"));
    }

    /// Puts a file of any content on the search path.
    pub fn executable(&self, name: &str, content: &str) -> PathBuf {
        self.bench.write(&format!("bin/{name}"), content);
        let path = self.bench.path(&format!("bin/{name}"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The binary with our solvers and nothing of the user's.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(arguments);
        self.prepare(&mut command);
        command
    }

    /// Gives a command our search path, settings and cache.
    pub fn prepare(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.bench.path("bin").display()));
        command.env("XDG_CONFIG_HOME", self.bench.path("settings"));
        command.env("XDG_CACHE_HOME", self.bench.path("cache"));
    }

    /// Runs the binary.
    pub fn luthier(&self, arguments: &[&str]) -> Run {
        finish(self.command(arguments))
    }

    /// `luthier run` on the folder `set` with these solvers, and limits that nobody reaches.
    pub fn run(&self, solvers: &[&str], more: &[&str]) -> Run {
        let mut arguments = vec!["run", "--bench", "set", "--db", "results.db"];
        arguments.extend(solvers.iter().flat_map(|solver| ["--solver", solver]));
        arguments.extend(["--timeout", "60s", "--wall-timeout", "120s"]);
        // What comes later in a command line may not repeat it, so defaults give way.
        for option in more.iter().filter(|option| option.starts_with("--")) {
            if let Some(position) = arguments.iter().position(|one| one == option)
                && ["--timeout", "--wall-timeout", "--db"].contains(option)
            {
                arguments.drain(position..position + 2);
            }
        }
        arguments.extend(more);
        self.luthier(&arguments)
    }

    /// `luthier summary --json`, whatever it ends with.
    pub fn rows(&self) -> Vec<Value> {
        self.rows_of("results.db")
    }

    pub fn rows_of(&self, database: &str) -> Vec<Value> {
        let summary = self.luthier(&["summary", database, "--json"]);
        serde_json::from_str(&summary.stdout).unwrap_or_else(|_| panic!("{summary:?}"))
    }

    /// The row of a solver, which must be the only one.
    pub fn row(&self, solver: &str) -> Value {
        let rows = self.rows();
        let mut rows = rows.into_iter().filter(|row| row["solver"] == solver);
        let row = rows.next().unwrap_or_else(|| panic!("no row of {solver}"));
        assert!(rows.next().is_none(), "two rows of {solver}");
        row
    }

    /// `luthier summary --findings --json`.
    pub fn findings(&self) -> Vec<Value> {
        let summary = self.luthier(&["summary", "results.db", "--findings", "--json"]);
        summary.json()["findings"].as_array().unwrap().clone()
    }

    /// The kinds of the findings, in their order.
    pub fn kinds(&self) -> Vec<String> {
        let findings = self.findings();
        findings.iter().map(|finding| finding["kind"].as_str().unwrap().to_owned()).collect()
    }

    /// `luthier show --json` of a run.
    pub fn show(&self, run: i64) -> Value {
        self.luthier(&["show", "results.db", &run.to_string(), "--json"]).expect(0).json()
    }

    /// The only run of a solver.
    pub fn run_of(&self, solver: &str) -> Value {
        let runs = self.total() as i64;
        let shown = (1..=runs).map(|run| self.show(run));
        let mut found: Vec<Value> = shown.filter(|run| run["solver"] == solver).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    /// How many runs the tables count.
    pub fn total(&self) -> u64 {
        self.rows().iter().map(|row| row["total"].as_u64().unwrap()).sum()
    }

    /// Fails if the database is damaged or if anything is left beside it.
    pub fn check_database(&self) {
        check_database(&self.bench.path("results.db"));
    }
}

/// Fails if a database is damaged or if anything is left beside it.
pub fn check_database(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let beside: Vec<String> = names.filter(|one| one.starts_with(&name) && *one != name).collect();
    assert_eq!(beside, Vec::<String>::new());
    Store::open_read_only(path).unwrap().check().unwrap();
}

/// Runs a command to its end.
pub fn finish(mut command: Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The classes of a row that are not zero, as `sat 1 crash 2`.
pub fn classes(row: &Value) -> String {
    let names = [
        "sat",
        "unsat",
        "unknown",
        "timeout",
        "memout",
        "crash",
        "unsupported",
        "malformed",
        "framework_error",
    ];
    let counts = names.map(|name| (name, row[name].as_u64().unwrap()));
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(sum, row["total"], "every run is in exactly one class: {row}");
    let shown = counts.iter().filter(|(_, count)| *count > 0);
    shown.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(" ")
}

/// What of ours still runs with this text in its command line.
pub fn survivors(marker: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let line = fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(marker).then_some(line)
    });
    processes.collect()
}
