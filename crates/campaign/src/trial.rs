//! A trial run of one release on one script, without a store: does the release work?

use std::path::Path;
use std::time::Duration;

use luthier_ask::Solver;
use luthier_records::Run;
use luthier_runner::releases::Release;

use crate::CampaignError;
use crate::execute::{WorkerEnvironment, execute};
use crate::experiment::Experiment;
use crate::parsed_instance::ParsedInstance;
use crate::plan::{Plan, RunnableConfiguration};

/// Runs a release on a script under the usual limits, with this much CPU time. `luthier` is our
/// own binary, which runs releases that are libraries.
pub fn trial(
    release: &Release,
    luthier: &Path,
    script: &[u8],
    cpu_limit: Duration,
) -> Result<Run, CampaignError> {
    let experiment = Experiment { cpu_limit, ..Experiment::default() };
    let solver = Solver::new(release.clone(), Vec::new(), Vec::new(), None, luthier)?;
    let runnable = RunnableConfiguration::of(solver, None, &experiment)?;
    let plan = Plan {
        experiment,
        configurations: Vec::new(),
        verifiers: Vec::new(),
        confirmers: Vec::new(),
        jobs: 1,
    };
    let folder = tempfile::tempdir()
        .map_err(|cause| CampaignError::File { path: std::env::temp_dir(), cause })?;
    let environment = WorkerEnvironment { core: None, folder: folder.path(), load: None };
    let mut parsed = ParsedInstance::read(script, None);
    Ok(execute(&mut parsed, &runnable, &plan, 0, &environment))
}
