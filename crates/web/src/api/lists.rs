//! Endpoints of campaigns, solvers, sets and tracks.

use luthier_report::{CampaignInfo, SolverInfo};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, schema};
use super::error::ApiError;
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{SET, find_set};
use super::types::{Named, limit, moment, set};

/// A campaign: when, where and by which command runs were made.
#[derive(Debug, Serialize, JsonSchema)]
struct CampaignRow {
    /// Its number.
    number: i64,
    /// Its name.
    name: String,
    /// When it began.
    started: Option<String>,
    /// The version of Luthier.
    luthier: String,
    /// The command.
    command_line: Vec<String>,
    /// The description of the experiment, as TOML.
    experiment: String,
    /// The machine.
    machine: MachineRow,
    /// How many runs were made at the same time.
    jobs: u32,
}

/// A machine.
#[derive(Debug, Serialize, JsonSchema)]
struct MachineRow {
    /// Its name.
    host: String,
    /// Its operating system.
    system: String,
    /// Its processor.
    processor: String,
    /// How many cores it has.
    cores: u32,
    /// Its memory, in bytes.
    memory: u64,
}

/// A solver: a release with options, under limits.
#[derive(Debug, Serialize, JsonSchema)]
struct SolverRow {
    /// Its number.
    number: i64,
    /// What it is called here; no two have the same label.
    label: String,
    /// What the experiment calls it.
    name: String,
    /// The program.
    solver: String,
    /// Solvers of one family share code and do not count as independent.
    family: String,
    /// Its version.
    version: Option<String>,
    /// The SHA-256 of the program.
    program_digest: String,
    /// The arguments on its command line.
    arguments: Vec<String>,
    /// Lines that are put before each script.
    script_lines: Vec<String>,
    /// The dialect that it reads.
    dialect: String,
    /// The seed that it was given.
    seed: Option<u64>,
    /// Whether it was asked for models.
    models: bool,
    /// Whether it was asked for cores: `never`, `where-planted` or `always`.
    cores: &'static str,
    /// Under which limits it ran.
    limits: LimitsRow,
    /// Requested options that it does not have, and why.
    not_asked: Vec<String>,
}

/// Limits; null where there is none.
#[derive(Debug, Serialize, JsonSchema)]
struct LimitsRow {
    /// CPU time, in seconds.
    cpu: Option<f64>,
    /// Wall time, in seconds.
    wall: Option<f64>,
    /// Memory, in bytes.
    memory: Option<u64>,
    /// Output, in bytes.
    output: Option<u64>,
}

/// A set of benchmarks.
#[derive(Debug, Serialize, JsonSchema)]
struct SetRow {
    /// Its number.
    number: i64,
    /// Its name.
    name: String,
    /// Whether the `:status` in its files is trusted.
    trust_status: bool,
    /// How many tracks it has.
    tracks: usize,
    /// How many files it has.
    instances: usize,
}

/// A track of a set.
#[derive(Debug, Serialize, JsonSchema)]
struct TrackRow {
    /// Its number.
    number: i64,
    /// Its name; sets without tracks have one with the empty name.
    name: String,
    /// Its set.
    set: Named,
    /// How many files it has.
    instances: usize,
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let list = |path, id, summary, content, make| {
        Endpoint::new(Family::Version1, path, id, summary, content, make)
            .with(&[LIMIT, OFFSET])
            .paged()
    };
    vec![
        list(
            "/api/v1/campaigns",
            "campaigns",
            "The campaigns, in the order in which they came",
            Content::Json(schema::<Page<CampaignRow>>),
            campaigns,
        ),
        list(
            "/api/v1/solvers",
            "solvers",
            "The solvers, in the order in which they came",
            Content::Json(schema::<Page<SolverRow>>),
            solvers,
        ),
        list(
            "/api/v1/sets",
            "sets",
            "The sets, by name",
            Content::Json(schema::<Page<SetRow>>),
            sets,
        ),
        list(
            "/api/v1/tracks",
            "tracks",
            "The tracks, by set and name",
            Content::Json(schema::<Page<TrackRow>>),
            tracks,
        )
        .with(&[SET]),
    ]
}

fn campaigns(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let all = &request.results().campaigns;
    Page::of(request, all.len(), all.iter().skip(offset(request)).map(campaign)).reply()
}

fn campaign(info: &CampaignInfo) -> CampaignRow {
    let campaign = &info.campaign;
    let machine = &campaign.machine;
    CampaignRow {
        number: info.number,
        name: campaign.id.clone(),
        started: moment(campaign.started),
        luthier: campaign.luthier_version.clone(),
        command_line: campaign.command_line.clone(),
        experiment: campaign.experiment.clone(),
        machine: MachineRow {
            host: machine.host.clone(),
            system: machine.system.clone(),
            processor: machine.processor.clone(),
            cores: machine.cores,
            memory: machine.memory.0,
        },
        jobs: campaign.jobs,
    }
}

fn solvers(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let all = &request.results().solvers;
    Page::of(request, all.len(), all.iter().skip(offset(request)).map(solver_row)).reply()
}

fn solver_row(info: &SolverInfo) -> SolverRow {
    let configuration = &info.configuration;
    let limits = &configuration.limits;
    let bytes = |bytes: u64| (bytes < u64::MAX).then_some(bytes);
    SolverRow {
        number: info.number,
        label: info.label.clone(),
        name: configuration.name.clone(),
        solver: configuration.solver.clone(),
        family: configuration.family.clone(),
        version: configuration.version.clone(),
        program_digest: configuration.program_digest.to_string(),
        arguments: configuration.arguments.clone(),
        script_lines: configuration.script_lines.clone(),
        dialect: configuration.dialect.clone(),
        seed: configuration.seed,
        models: configuration.models,
        cores: configuration.cores.name(),
        limits: LimitsRow {
            cpu: limit(limits.cpu.0),
            wall: limit(limits.wall.0),
            memory: bytes(limits.memory.0),
            output: bytes(limits.output.0),
        },
        not_asked: configuration.not_asked.clone(),
    }
}

fn sets(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let all = &request.results().sets;
    let rows = all.iter().skip(offset(request)).map(|set| SetRow {
        number: set.number,
        name: set.name.clone(),
        trust_status: set.trust_status,
        tracks: set.tracks.len(),
        instances: set.entries.len(),
    });
    Page::of(request, all.len(), rows).reply()
}

fn tracks(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let range = match request.values.text("set") {
        Some(name) => results.sets[find_set(results, name)?].tracks.clone(),
        None => 0..results.tracks.len(),
    };
    let all = &results.tracks[range];
    let rows = all.iter().skip(offset(request)).map(|track| TrackRow {
        number: track.number,
        name: track.name.clone(),
        set: set(results, track.set),
        instances: track.entries.len(),
    });
    Page::of(request, all.len(), rows).reply()
}
