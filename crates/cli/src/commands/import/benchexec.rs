//! `luthier import` of a result file of BenchExec.

use luthier_campaign::benchexec::{LeftOut, ResultFile, import_benchexec};
use luthier_records::Machine;
use luthier_store::Store;
use serde::Serialize;

use super::{Arguments, MOST_SHOWN, campaign, digest_of};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{clean_name, counted};

/// The JSON of this import.
#[derive(Serialize)]
struct Record {
    version: u32,
    database: String,
    tool: String,
    tool_version: String,
    instances: usize,
    instances_without_file: usize,
    runs_added: usize,
    runs_already_there: usize,
    labels: usize,
    left_out: Vec<LeftOutRecord>,
}

#[derive(Serialize)]
struct LeftOutRecord {
    line: u32,
    task: String,
    problem: String,
    whole_result: bool,
}

/// Imports the file.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let path = &arguments.file;
    let file = ResultFile::read(path).map_err(|error| CliError::usage(error.to_string()))?;
    let machine = Machine {
        host: file.host.clone(),
        system: file.system.clone(),
        processor: file.processor.clone(),
        ..Machine::default()
    };
    // The same file is the same import.
    let campaign = campaign(format!("benchexec-{}", digest_of(path)?), machine);
    let source = path.file_name().unwrap_or_default().to_string_lossy();
    let mut store = Store::open(&arguments.db)?;
    let imported = import_benchexec(&mut store, &file, &campaign, &source, &arguments.folder);
    store.close()?;
    let report = imported?;
    let record = Record {
        version: VERSION,
        database: arguments.db.display().to_string(),
        tool: file.tool,
        tool_version: file.version,
        instances: report.instances,
        instances_without_file: report.instances_without_file,
        runs_added: report.runs_added,
        runs_already_there: report.runs_already_there,
        labels: report.labels,
        left_out: report.left_out.into_iter().map(LeftOutRecord::from).collect(),
    };
    let ending = if record.left_out.is_empty() { Ending::Fine } else { Ending::Incomplete };
    if output.json {
        output.json_line(&record)?;
        return Ok(ending);
    }
    output.line(format_args!(
        "{} of {} on {} added to {}, {} already there",
        counted(record.runs_added, "result"),
        clean_name(&record.tool),
        counted(record.instances, "instance"),
        record.database,
        record.runs_already_there,
    ))?;
    if record.instances_without_file > 0 {
        let missing = counted(record.instances_without_file, "instance");
        output.warn(&format!("the files of {missing} were not found; --folder says where"));
    }
    for left in record.left_out.iter().take(MOST_SHOWN) {
        let (task, problem) = (clean_name(&left.task), clean_name(&left.problem));
        output.warn(&format!("{}:{}: {task}: {problem}", path.display(), left.line));
    }
    if record.left_out.len() > MOST_SHOWN {
        let hidden = record.left_out.len() - MOST_SHOWN;
        output.warn(&format!("--json lists the other {hidden}"));
    }
    Ok(ending)
}

impl From<LeftOut> for LeftOutRecord {
    fn from(left: LeftOut) -> Self {
        let LeftOut { line, task, problem, whole_result } = left;
        Self { line, task, problem, whole_result }
    }
}
