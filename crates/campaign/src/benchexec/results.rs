//! A result file of BenchExec: `NAME.results.RUNDEFINITION.TASKS.xml`, packed with bzip2 or not.
//!
//! ```text
//! <result benchmarkname="qf-s" tool="Z3" version="4.8.12" options="-t:5" timelimit="10s" memlimit="4000000000B">
//!   <systeminfo hostname="node7">…</systeminfo>
//!   <run name="norn/a.yml" files="[norn/a.smt2]" properties="satisfiable" expectedVerdict="true">
//!     <column title="status" value="true"/> <column title="cputime" value="0.12s"/> …
//! ```
//!
//! The format is that of `benchexec/doc/result.dtd`. Columns that we do not know are ignored; a value that we
//! do not understand is a problem of its run. External entities are never read.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use bzip2::read::MultiBzDecoder;
use luthier_records::{Bytes, Verdict};
use roxmltree::{Document, Node, ParsingOptions};

use super::BenchexecError;

/// The results of one tool with one configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultFile {
    /// The name of the benchmark definition.
    pub benchmark: String,
    /// The name of the tool.
    pub tool: String,
    /// The version of the tool; may be empty.
    pub version: String,
    /// The options of the tool.
    pub options: String,
    /// The name of the run definition and of the tasks; may be empty.
    pub name: String,
    /// The limit on CPU time.
    pub time_limit: Option<Duration>,
    /// The limit on memory.
    pub memory_limit: Option<Bytes>,
    /// The machine: its name, system and processor; may be empty.
    pub host: String,
    /// The operating system.
    pub system: String,
    /// The processor.
    pub processor: String,
    /// The results.
    pub runs: Vec<ResultRun>,
}

/// One result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultRun {
    /// Its line in the file.
    pub line: u32,
    /// The name of the task.
    pub name: String,
    /// The input files.
    pub files: Vec<String>,
    /// The expected verdict.
    pub expected: Option<Verdict>,
    /// What BenchExec reports: `true`, `false`, `unknown`, `TIMEOUT`, `ERROR (1)`; empty if there is none.
    pub status: String,
    /// CPU time.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Option<Duration>,
    /// Peak of memory.
    pub memory: Option<Bytes>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended the tool.
    pub exit_signal: Option<i32>,
    /// Why BenchExec ended it: `cputime`, `walltime`, `memory`.
    pub termination: String,
    /// `correct`, `wrong`, `unknown`, `error`, `missing`.
    pub category: String,
    /// Values that were not understood.
    pub problems: Vec<String>,
}

/// No result file is larger; what would unpack to more is refused.
const MAX_BYTES: u64 = 1 << 30;

impl ResultFile {
    /// Whether a file looks like a result file: XML, or packed with bzip2.
    pub fn recognise(path: &Path) -> bool {
        let mut start = [0; 64];
        let read = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
        let start = &start[..read];
        start.starts_with(b"BZh") || start.trim_ascii_start().starts_with(b"<")
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, BenchexecError> {
        let fault = |line, problem: String| BenchexecError { path: path.to_owned(), line, problem };
        let bytes = unpacked(path).map_err(|problem| fault(None, problem))?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| fault(None, format!("it is not UTF-8: {error}")))?;
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options)
            .map_err(|error| fault(Some(error.pos().row), error.to_string()))?;
        let root = document.root_element();
        if root.tag_name().name() != "result" {
            let found = root.tag_name().name();
            let problem = format!("expected the element <result> of BenchExec, found <{found}>");
            return Err(fault(Some(1), problem));
        }
        Ok(Self::of(&document, root))
    }

    fn of(document: &Document<'_>, root: Node<'_, '_>) -> Self {
        let system = root.children().find(|node| node.has_tag_name("systeminfo"));
        let part = |name: &str, field: &str| {
            let node = system.and_then(|system| system.children().find(|n| n.has_tag_name(name)));
            node.map_or_else(String::new, |node| attribute(node, field))
        };
        let runs = root.descendants().filter(|node| node.has_tag_name("run"));
        Self {
            benchmark: attribute(root, "benchmarkname"),
            tool: attribute(root, "tool"),
            version: attribute(root, "version"),
            options: attribute(root, "options"),
            name: attribute(root, "name"),
            time_limit: root.attribute("timelimit").and_then(seconds),
            memory_limit: root.attribute("memlimit").and_then(bytes),
            host: system.map_or_else(String::new, |system| attribute(system, "hostname")),
            system: part("os", "name"),
            processor: part("cpu", "model"),
            runs: runs.map(|run| run_of(document, run)).collect(),
        }
    }
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().to_owned()
}

fn run_of(document: &Document<'_>, node: Node<'_, '_>) -> ResultRun {
    let line = document.text_pos_at(node.range().start).row;
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let mut run = ResultRun { line, files: files_of(node), name, ..ResultRun::default() };
    if let Some(text) = node.attribute("expectedVerdict") {
        run.expected = match text {
            "true" => Some(Verdict::Sat),
            "false" => Some(Verdict::Unsat),
            other => {
                run.problems.push(format!("the expected verdict {other:?} is not true or false"));
                None
            }
        };
    }
    for column in node.children().filter(|node| node.has_tag_name("column")) {
        let (title, value) =
            (column.attribute("title").unwrap_or_default(), column.attribute("value"));
        let Some(value) = value else { continue };
        let mut understood = true;
        match title {
            "status" => value.clone_into(&mut run.status),
            "category" => value.clone_into(&mut run.category),
            "terminationreason" => value.clone_into(&mut run.termination),
            "cputime" => understood = set(&mut run.cpu, seconds(value)),
            "walltime" => understood = set(&mut run.wall, seconds(value)),
            "memory" => understood = set(&mut run.memory, bytes(value)),
            "returnvalue" => understood = set(&mut run.exit_code, value.parse().ok()),
            "exitsignal" => understood = set(&mut run.exit_signal, value.parse().ok()),
            _ => {}
        }
        if !understood {
            run.problems.push(format!("the value {value:?} of {title} is not understood"));
        }
    }
    run
}

/// `files="[a.smt2, b.smt2]"`; without it the task is named after its file.
fn files_of(node: Node<'_, '_>) -> Vec<String> {
    let text = node.attribute("files").unwrap_or_default();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    text.split(", ").filter(|file| !file.is_empty()).map(str::to_owned).collect()
}

fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let understood = value.is_some();
    *place = value;
    understood
}

/// `0.12s`
fn seconds(text: &str) -> Option<Duration> {
    let number = text.trim().strip_suffix('s').unwrap_or(text.trim()).trim();
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}

/// `1000B`, and with a unit of 1000, as BenchExec has them.
fn bytes(text: &str) -> Option<Bytes> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim() {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor).map(Bytes)
}

fn unpacked(path: &Path) -> Result<Vec<u8>, String> {
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    let mut start = [0; 3];
    let read = file.read(&mut start).map_err(|error| error.to_string())?;
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let result = match &start[..read] {
        b"BZh" => MultiBzDecoder::new(file).take(MAX_BYTES + 1).read_to_end(&mut bytes),
        _ => file.take(MAX_BYTES + 1).read_to_end(&mut bytes),
    };
    result.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes; divide the tasks"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_units_of_benchexec() {
        assert_eq!(seconds("0.5s"), Some(Duration::from_millis(500)));
        assert_eq!(seconds("900"), Some(Duration::from_secs(900)));
        assert_eq!(seconds("-1s"), None);
        assert_eq!(bytes("15 GB"), Some(Bytes(15_000_000_000)));
        assert_eq!(bytes("1234B"), Some(Bytes(1234)));
        assert_eq!(bytes("12 parsecs"), None);
    }
}
