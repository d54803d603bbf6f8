//! `luthier serve`: the results of a database as pages in a browser; and the same server beside a
//! campaign, for `luthier run --serve`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use clap::Args;
use luthier_corpus::sets::Catalogue;
use luthier_records::{Configuration, ParsedOutput};
use luthier_runner::answer;
use luthier_store::Store;
use luthier_web::{Options, Reproduction, ServeError, SolverAccess, listen};
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use super::reproduce::Reproducer;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier serve results.db
  luthier serve results.db --listen 127.0.0.1:9000
  luthier serve results.db --clusters bugs
  luthier serve results.db --listen 0.0.0.0:8081 --host bench.example.org";

/// The default address.
pub const DEFAULT_ADDRESS: &str = "127.0.0.1:8081";

/// Serve a database as pages, also while a campaign writes to it
///
/// The pages have findings, rankings, charts, and every run with its output. They load nothing from
/// elsewhere, work without JavaScript and are read-only. The server answers only under its own address, the names of this machine for
/// itself, and those given with --host. Ends with 0 at Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Address and port; with port 0 the system chooses one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = DEFAULT_ADDRESS)]
    listen: SocketAddr,
    /// Further host name under which requests are answered, as behind a proxy
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Show the clusters in this folder, which `luthier cluster --out` made, too
    #[arg(long, value_name = "FOLDER")]
    clusters: Option<PathBuf>,
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
    let runtime = runtime()?;
    let options = Options {
        database: arguments.database.clone(),
        listen: arguments.listen,
        hosts: arguments.host.clone(),
        clusters: arguments.clusters.clone(),
        catalogue: Catalogue::of_user()?,
    };
    let solver_access = UserSolvers::new(&arguments.database);
    let for_programs = Arc::clone(&solver_access);
    let result = runtime.block_on(async {
        // Before anything is printed: a script that waits for the address may stop us at once.
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
            output.message("Ctrl-C ends it");
        }
        output.flush()?;
        find_programs(&arguments.database, &for_programs);
        listening.serve(stop).await?;
        Ok(Ending::Fine)
    });
    // A read that is under way must not keep the program from ending.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// A server in the background, beside a campaign that writes to the database.
pub struct Pages {
    address: String,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Result<(), ServeError>>,
}

impl Pages {
    /// Reads the database, which must be there, listens and serves.
    pub fn start(database: &Path, listen_at: SocketAddr) -> Result<Self, CliError> {
        let runtime = runtime()?;
        let options = Options {
            database: database.to_owned(),
            listen: listen_at,
            hosts: Vec::new(),
            clusters: None,
            catalogue: Catalogue::of_user()?,
        };
        let solver_access = UserSolvers::new(database);
        let listening = runtime.block_on(listen(&options, Arc::clone(&solver_access) as _))?;
        let address = format!("http://{}/", listening.address());
        let (stop, stopped) = oneshot::channel();
        let database = database.to_owned();
        let serve = move || {
            let shutdown = async {
                // A sender that is gone says the same as one that sends.
                let _ = stopped.await;
            };
            let served = runtime.block_on(async {
                find_programs(&database, &solver_access);
                listening.serve(shutdown).await
            });
            runtime.shutdown_timeout(Duration::from_secs(1));
            served
        };
        let thread = std::thread::Builder::new().name(output::SERVER_THREAD.to_owned());
        let thread = thread.spawn(serve).map_err(cannot_start)?;
        Ok(Self { address, stop, thread })
    }

    /// Where it listens, as `http://127.0.0.1:8081/`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server; tells why it ended before, if it did.
    pub fn stop(self) -> Result<(), CliError> {
        // Nobody listens if it has ended already, which `join` explains.
        let _ = self.stop.send(());
        match self.thread.join() {
            Ok(served) => Ok(served?),
            Err(_) => Err(CliError::Bug { message: "the server ended by a panic".to_owned() }),
        }
    }
}

fn runtime() -> Result<Runtime, CliError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.thread_name(output::SERVER_THREAD).enable_all().build().map_err(cannot_start)
}

fn cannot_start(error: std::io::Error) -> CliError {
    CliError::usage(format!("the server cannot start: {error}"))
}

/// Looks for the programs of all configurations beforehand, because comparing them with the
/// recorded ones takes a moment.
fn find_programs(database: &Path, solver_access: &Arc<UserSolvers>) {
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

/// The solvers of this machine, for the commands that the pages show.
struct UserSolvers {
    reproducer: Mutex<Reproducer>,
}

impl UserSolvers {
    fn new(database: &Path) -> Arc<Self> {
        Arc::new(Self { reproducer: Mutex::new(Reproducer::new(database)) })
    }
}

impl SolverAccess for UserSolvers {
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
