//! `luthier solve --list-limits`: the limits of all engines.

use luthier_solver::Limit;
use serde::Serialize;

use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;

/// The JSON of one limit.
#[derive(Serialize)]
struct Record {
    version: u32,
    name: &'static str,
    default: String,
    unit: &'static str,
    bounds: &'static str,
}

/// Lists all limits.
pub fn list(output: &mut Output) -> Result<(), CliError> {
    let width = Limit::ALL.iter().map(|limit| limit.name().len()).max().unwrap_or(0);
    for limit in Limit::ALL {
        let (name, default, unit) = (limit.name(), limit.default_text(), limit.unit());
        if output.json {
            let (version, bounds) = (VERSION, limit.bounds());
            output.json_line(&Record { version, name, default, unit, bounds })?;
            continue;
        }
        let value = if limit.is_time() { default } else { format!("{default} {unit}") };
        output.line(format_args!("{name:width$}  {value:<20}  {}", limit.bounds()))?;
    }
    output.flush()
}
