//! BenchExec (Beyer, Löwe and Wendler, STTT 2019), as users of it need us: its result files become runs
//! that are judged and shown here, and our sets become its tasks.
//!
//! The property of a task is `satisfiable`: BenchExec's `true` is `sat`, `false` is `unsat`, as its tool
//! modules for SMT solvers have it.

mod import;
mod results;
mod tasks;

pub use import::{BenchexecReport, LeftOut, import_benchexec};
pub use results::{ResultFile, ResultRun};
pub use tasks::{PROPERTY_FILE, PROPERTY_TEXT, benchmark_definition, file_name, task_definition};

/// Why a result file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), line.map_or_else(String::new, |line| format!(":{line}")))]
pub struct BenchexecError {
    /// The file.
    pub path: std::path::PathBuf,
    /// The line, from 1, if it is known.
    pub line: Option<u32>,
    /// What is wrong.
    pub problem: String,
}
