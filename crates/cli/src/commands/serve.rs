//! `luthier serve`: the results of a database as pages in a browser.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use luthier_records::{Configuration, ParsedOutput};
use luthier_runner::answer;
use luthier_store::Store;
use luthier_web::{Options, Reproduction, ServeError, SolverAccess, listen};
use serde::Serialize;

use super::reproduce::Reproducer;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier serve results.db
  luthier serve results.db --listen 127.0.0.1:9000
  luthier serve results.db --listen 0.0.0.0:8081 --host bench.example.org";

/// Show a database in a browser, also while a campaign writes to it.
///
/// The pages show what was run, who was wrong and why, scores, charts, and every run with what it
/// printed. They need nothing from elsewhere and work without script. Nothing can be changed
/// through them. The server answers only under its own address, the names of this machine for
/// itself, and those given with --host. Ends with 0 at Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Where to listen; with port 0 the system chooses one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// Answer under this name too, as behind a proxy
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
}

/// The JSON of `luthier serve`, printed when it is ready.
#[derive(Serialize)]
struct Record {
    version: u32,
    address: String,
    instances: usize,
    runs: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::usage(format!("the server cannot start: {error}")))?;
    let options = Options {
        database: arguments.database.clone(),
        listen: arguments.listen,
        hosts: arguments.host.clone(),
    };
    let solver_access =
        Arc::new(OurWorkshop { reproducer: Mutex::new(Reproducer::new(&arguments.database)) });
    let for_programs = Arc::clone(&solver_access);
    let result = runtime.block_on(async {
        // Before anything is printed, so that whoever waits for the address may stop us at once.
        let stop = luthier_web::stop_signal()?;
        let listening = listen(&options, solver_access).await?;
        let record = Record {
            version: VERSION,
            address: format!("http://{}/", listening.address()),
            instances: listening.instances(),
            runs: listening.runs(),
        };
        if output.json {
            output.json_line(&record)?;
        } else {
            output.line(format_args!(
                "{} with {} at {}",
                counted(record.instances, "instance"),
                counted(record.runs, "run"),
                record.address,
            ))?;
            output.talk("Ctrl-C ends it");
        }
        output.flush()?;
        output::outlive_panics();
        find_programs(&arguments.database, &for_programs);
        listening.serve(stop).await?;
        Ok(Ending::Fine)
    });
    // ParsedScript that is under way must not keep the program from ending.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Looks for the programs of all configurations beforehand, because comparing them with the
/// recorded ones takes a moment that nobody should wait for.
fn find_programs(database: &Path, solver_access: &Arc<OurWorkshop>) {
    /// There is no such run, so that only the program is looked for.
    const NO_RUN: i64 = 0;
    let (database, solver_access) = (database.to_owned(), Arc::clone(solver_access));
    tokio::task::spawn_blocking(move || {
        let configurations =
            Store::open_read_only(&database).and_then(|store| store.configurations());
        for (_, configuration) in configurations.into_iter().flatten() {
            solver_access.reproduce(NO_RUN, &configuration);
        }
    });
}

struct OurWorkshop {
    reproducer: Mutex<Reproducer>,
}

impl SolverAccess for OurWorkshop {
    fn reproduce(&self, run: i64, configuration: &Configuration) -> Reproduction {
        let mut reproducer = self.reproducer.lock().unwrap_or_else(PoisonError::into_inner);
        reproducer.command(run, configuration)
    }

    fn read_output(&self, output: &[u8]) -> ParsedOutput {
        answer::read(output)
    }
}

impl From<ServeError> for CliError {
    fn from(error: ServeError) -> Self {
        Self::usage(error.to_string())
    }
}
