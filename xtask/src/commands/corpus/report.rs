//! The report of `corpus`, as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::Examined;
use luthier_smtlib::Dialect;

/// An instance that could not be read.
pub struct Rejection {
    pub code: &'static str,
    pub place: String,
    pub message: String,
    /// The replies of solvers to it.
    pub solvers: Vec<String>,
}

#[derive(Default)]
struct Set {
    files: usize,
    accepted: usize,
    bytes: usize,
}

/// Everything that was found.
#[derive(Default)]
pub struct Report {
    sets: BTreeMap<String, Set>,
    dialects: BTreeMap<&'static str, usize>,
    warnings: BTreeMap<&'static str, usize>,
    rejections: Vec<Rejection>,
    round_trips: BTreeMap<(Dialect, &'static str), usize>,
    faults: Vec<String>,
    reading: Duration,
    slowest: (Duration, String),
    wall: Duration,
}

impl Report {
    pub fn add(&mut self, examined: Examined) {
        self.faults.extend(examined.faults);
        let Some(dialect) = examined.dialect else { return };
        let set = self.sets.entry(set_name(&examined.name)).or_default();
        set.files += 1;
        set.bytes += examined.bytes;
        set.accepted += usize::from(examined.rejection.is_none());
        *self.dialects.entry(dialect.name()).or_default() += 1;
        for code in examined.warnings {
            *self.warnings.entry(code.name()).or_default() += 1;
        }
        for key in examined.round_trips {
            *self.round_trips.entry(key).or_default() += 1;
        }
        self.rejections.extend(examined.rejection);
        self.reading += examined.time;
        if examined.time > self.slowest.0 {
            self.slowest = (examined.time, examined.name);
        }
    }

    pub fn finish(&mut self, wall: Duration) {
        self.wall = wall;
        self.rejections.sort_by(|a, b| (a.code, &a.place).cmp(&(b.code, &b.place)));
        self.faults.sort();
    }

    /// Whether everything could be opened and read back the same.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    pub fn render(&self, paths: &[PathBuf]) -> String {
        let mut text = String::new();
        self.write(&mut text, paths).expect("writing to a string cannot fail");
        text
    }

    fn write(&self, text: &mut String, paths: &[PathBuf]) -> std::fmt::Result {
        let files: usize = self.sets.values().map(|set| set.files).sum();
        let accepted: usize = self.sets.values().map(|set| set.accepted).sum();
        let bytes: usize = self.sets.values().map(|set| set.bytes).sum();
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        writeln!(text, "Made by `cargo xtask corpus {}`.\n", paths.join(" "))?;
        writeln!(
            text,
            "{files} files, {accepted} accepted, {} rejected; {:.1} MB.\n",
            files - accepted,
            bytes as f64 / 1e6
        )?;
        writeln!(text, "| set | files | accepted | rejected | MB |\n|---|---:|---:|---:|---:|")?;
        for (name, set) in &self.sets {
            let (files, accepted) = (set.files, set.accepted);
            let megabytes = set.bytes as f64 / 1e6;
            writeln!(
                text,
                "| {name} | {files} | {accepted} | {} | {megabytes:.1} |",
                files - accepted
            )?;
        }
        writeln!(text, "\n## Dialects\n\n| dialect | files |\n|---|---:|")?;
        for (name, count) in &self.dialects {
            writeln!(text, "| {name} | {count} |")?;
        }
        writeln!(text, "\n## Remarks\n\n| code | files |\n|---|---:|")?;
        for (name, count) in &self.warnings {
            writeln!(text, "| {name} | {count} |")?;
        }
        self.write_round_trips(text)?;
        self.write_rejections(text)?;
        if !self.faults.is_empty() {
            writeln!(text, "\n## Faults\n")?;
            for fault in &self.faults {
                writeln!(text, "- {fault}")?;
            }
        }
        writeln!(
            text,
            "\nReading took {:.1} s of one thread; the slowest file {:.2} s ({}). Peak memory {}.",
            self.reading.as_secs_f64(),
            self.slowest.0.as_secs_f64(),
            self.slowest.1,
            peak_memory().unwrap_or_else(|| "unknown".to_owned()),
        )
    }

    fn write_round_trips(&self, text: &mut String) -> std::fmt::Result {
        if self.round_trips.is_empty() {
            return Ok(());
        }
        writeln!(text, "\n## Printed and read back\n")?;
        let columns = ["same", "rewritten", "cannot express", "different"];
        writeln!(text, "| dialect | {} |\n|---|---:|---:|---:|---:|", columns.join(" | "))?;
        for dialect in Dialect::ALL {
            let count = |outcome| self.round_trips.get(&(dialect, outcome)).copied().unwrap_or(0);
            let counts: Vec<String> = columns.iter().map(|&c| count(c).to_string()).collect();
            writeln!(text, "| {dialect} | {} |", counts.join(" | "))?;
        }
        Ok(())
    }

    fn write_rejections(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "\n## Rejections\n")?;
        if self.rejections.is_empty() {
            return writeln!(text, "None.");
        }
        writeln!(text, "| cause | place | message | solvers |\n|---|---|---|---|")?;
        for rejection in &self.rejections {
            let message = rejection.message.replace('|', "\\|");
            let Rejection { code, place, solvers, .. } = rejection;
            writeln!(text, "| {code} | {place} | {message} | {} |", solvers.join("; "))?;
        }
        Ok(())
    }
}

/// The archive or the first folder that an instance comes from.
fn set_name(name: &str) -> String {
    let (container, _) = name.split_once('!').unwrap_or((name, ""));
    let path = std::path::Path::new(container);
    let last = match name.contains('!') {
        true => path.file_name(),
        false => path.parent().and_then(|parent| parent.file_name()),
    };
    let folder = match name.contains('!') {
        true => path.parent().and_then(|parent| parent.file_name()),
        false => None,
    };
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default()
    };
    match folder {
        Some(_) => format!("{}/{}", text(folder), text(last)),
        None => text(last),
    }
}

/// The most memory this process ever had, as Linux tells it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} MB", kilobytes / 1e3))
}
