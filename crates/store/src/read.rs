//! Queries for campaigns, configurations, sets, tracks, single runs and their outputs.

use std::time::Duration;

use luthier_records::{
    Bytes, Campaign, Captured, Class, Configuration, CoreFinding, CpuTime, Ending, Machine,
    Measured, ModelFinding, Opinion, Place, Run, RunAnswer, RunLimits, Timestamp, WallTime,
};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Params, Row};

use crate::codec::{
    Count, EndingColumns, Index, List, Name, Printed, Sha, limit_from_bytes, limit_from_us,
};
use crate::{
    CampaignId, ConfigurationId, InstanceId, RunId, SetId, Store, StoreError, TrackId, schema,
};

/// A set of benchmarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetRow {
    /// Its number.
    pub id: SetId,
    /// Its name.
    pub name: String,
    /// Whether the status in its files is trusted.
    pub trust_status: bool,
}

/// A track of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackRow {
    /// Its number.
    pub id: TrackId,
    /// Its set.
    pub set: SetId,
    /// Its name; sets without tracks have one with the empty name.
    pub name: String,
    /// How many members it has.
    pub members: u64,
}

/// A run as it is read: everything but the outputs, which may be large.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its number.
    pub id: RunId,
    /// The campaign that it belongs to.
    pub campaign: CampaignId,
    /// The configuration that was run.
    pub configuration: ConfigurationId,
    /// The instance.
    pub instance: InstanceId,
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// When it began.
    pub started: Timestamp,
    /// How it ended.
    pub ending: Ending,
    /// Its class.
    pub class: Class,
    /// What was measured.
    pub measured: Measured,
    /// The answers, in order.
    pub answers: Vec<RunAnswer>,
    /// How the solver's copy differs in writing from the instance.
    pub conversion: Vec<String>,
    /// The processor core to which it was bound.
    pub core: Option<u32>,
    /// The load average of the machine when it began.
    pub load: Option<f64>,
    /// The places of its instance at which it counts, by set, track and name; none means all. An
    /// imported result belongs to one file of several with the same bytes.
    pub places: Vec<Place>,
}

/// What a run printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The standard output.
    pub stdout: Captured,
    /// The standard error.
    pub stderr: Captured,
}

impl StoredRun {
    /// The run as it was written.
    pub fn into_run(self, outputs: Outputs) -> Run {
        Run {
            repetition: self.repetition,
            started: self.started,
            ending: self.ending,
            class: self.class,
            measured: self.measured,
            stdout: outputs.stdout,
            stderr: outputs.stderr,
            answers: self.answers,
            conversion: self.conversion,
            core: self.core,
            load: self.load,
        }
    }
}

impl Store {
    /// All campaigns, in the order in which they came into this database.
    pub fn campaigns(&self) -> Result<Vec<(CampaignId, Campaign)>, StoreError> {
        self.rows(
            "SELECT id, name, started_ms, luthier_version, command_line, experiment, host, system,
                 processor, cores, memory_bytes, jobs
             FROM campaign ORDER BY id",
            [],
            |row| {
                let campaign = Campaign {
                    id: row.get(1)?,
                    started: Timestamp(row.get(2)?),
                    luthier_version: row.get(3)?,
                    command_line: row.get::<_, List>(4)?.0,
                    experiment: row.get(5)?,
                    machine: Machine {
                        host: row.get(6)?,
                        system: row.get(7)?,
                        processor: row.get(8)?,
                        cores: row.get(9)?,
                        memory: Bytes(row.get::<_, Count>(10)?.0),
                    },
                    jobs: row.get(11)?,
                };
                Ok((CampaignId(row.get(0)?), campaign))
            },
        )
    }

    /// All configurations, in the order in which they came into this database.
    pub fn configurations(&self) -> Result<Vec<(ConfigurationId, Configuration)>, StoreError> {
        let program = if self.tables >= schema::WITH_LABELS { "program" } else { "NULL" };
        self.rows(
            &format!(
                "SELECT id, name, solver, family, version, program_digest, arguments,
                     script_lines, dialect, seed, models, cores, cpu_limit_us, wall_limit_us,
                     memory_limit_bytes, output_limit_bytes, not_asked, {program}
                 FROM configuration ORDER BY id"
            ),
            [],
            |row| {
                let limit = |column| -> rusqlite::Result<Option<u64>> {
                    Ok(row.get::<_, Option<Count>>(column)?.map(|count| count.0))
                };
                let seed = row.get::<_, Option<String>>(9)?.map(|seed| {
                    seed.parse().map_err(|_| unreadable(9, format!("{seed:?} is no seed")))
                });
                let configuration = Configuration {
                    name: row.get(1)?,
                    solver: row.get(2)?,
                    family: row.get(3)?,
                    version: row.get(4)?,
                    program: row.get(17)?,
                    program_digest: row.get::<_, Sha>(5)?.0,
                    arguments: row.get::<_, List>(6)?.0,
                    script_lines: row.get::<_, List>(7)?.0,
                    dialect: row.get(8)?,
                    seed: seed.transpose()?,
                    models: row.get(10)?,
                    cores: row.get::<_, Name<_>>(11)?.0,
                    limits: RunLimits {
                        cpu: CpuTime(limit_from_us(limit(12)?)),
                        wall: WallTime(limit_from_us(limit(13)?)),
                        memory: limit_from_bytes(limit(14)?),
                        output: limit_from_bytes(limit(15)?),
                    },
                    not_asked: row.get::<_, List>(16)?.0,
                };
                Ok((ConfigurationId(row.get(0)?), configuration))
            },
        )
    }

    /// All sets, by name.
    pub fn sets(&self) -> Result<Vec<SetRow>, StoreError> {
        self.rows("SELECT id, name, trust_status FROM benchmark_set ORDER BY name", [], |row| {
            Ok(SetRow { id: SetId(row.get(0)?), name: row.get(1)?, trust_status: row.get(2)? })
        })
    }

    /// All tracks, by set and name.
    pub fn tracks(&self) -> Result<Vec<TrackRow>, StoreError> {
        self.rows(
            "SELECT track.id, track.set_id, track.name,
                 (SELECT count(*) FROM member WHERE member.track_id = track.id)
             FROM track JOIN benchmark_set ON benchmark_set.id = track.set_id
             ORDER BY benchmark_set.name, track.name",
            [],
            |row| {
                Ok(TrackRow {
                    id: TrackId(row.get(0)?),
                    set: SetId(row.get(1)?),
                    name: row.get(2)?,
                    members: row.get::<_, Count>(3)?.0,
                })
            },
        )
    }

    /// One run; `None` if there is none with this number.
    pub fn run(&self, id: RunId) -> Result<Option<StoredRun>, StoreError> {
        let sql = format!("SELECT {RUN_COLUMNS} FROM run WHERE id = ?1");
        let Some(mut run) = self.rows(&sql, [id.0], run_of_row)?.pop() else { return Ok(None) };
        let sql =
            format!("SELECT {ANSWER_COLUMNS} FROM answer WHERE run_id = ?1 ORDER BY position");
        run.answers = self.rows(&sql, [id.0], |row| answer_of_row(row, 0))?;
        let opinions = self.rows(
            "SELECT answer_position, configuration_name, class FROM opinion WHERE run_id = ?1
             ORDER BY answer_position, position",
            [id.0],
            |row| Ok((row.get::<_, Index>(0)?.0, opinion_of_row(row, 1)?)),
        )?;
        for (position, opinion) in opinions {
            if let Some(answer) = run.answers.get_mut(position) {
                answer.opinions.push(opinion);
            }
        }
        if self.tables >= schema::WITH_LABELS {
            run.places = self.rows(
                "SELECT benchmark_set.name, track.name, run_place.name FROM run_place
                 JOIN track ON track.id = run_place.track_id
                 JOIN benchmark_set ON benchmark_set.id = track.set_id
                 WHERE run_place.run_id = ?1 ORDER BY 1, 2, 3",
                [id.0],
                |row| place_of_row(row, 0),
            )?;
        }
        Ok(Some(run))
    }

    /// What a run printed; `None` if there is no run with this number.
    pub fn outputs(&self, id: RunId) -> Result<Option<Outputs>, StoreError> {
        let row = self
            .connection
            .prepare_cached(
                "SELECT stdout_text_id, stdout_cut, stderr_text_id, stderr_cut FROM run
                 WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row([id.0], |row| {
                        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?)))
                    })
                    .optional()
            })
            .map_err(|cause| self.failed(cause))?;
        let Some((stdout, stderr)) = row else { return Ok(None) };
        let captured = |(text_id, cut): (Option<i64>, bool)| -> Result<Captured, StoreError> {
            let bytes = text_id.map(|id| self.text_of_row(id)).transpose()?.unwrap_or_default();
            Ok(Captured { bytes, cut })
        };
        Ok(Some(Outputs { stdout: captured(stdout)?, stderr: captured(stderr)? }))
    }

    /// All rows of a query.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(parameters, read)?.collect())
            .map_err(|cause| self.failed(cause))
    }
}

/// The columns that [`run_of_row`] reads.
pub(crate) const RUN_COLUMNS: &str = "run.id, run.campaign_id, run.configuration_id, \
     run.instance_id, run.repetition, run.started_ms, run.ending, run.ending_number, \
     run.ending_detail, run.class, run.cpu_us, run.wall_us, run.peak_memory_bytes, \
     run.left_behind, run.conversion, run.core, run.load";

/// The columns that [`answer_of_row`] reads.
pub(crate) const ANSWER_COLUMNS: &str = "answer.verdict, answer.class, answer.reason_unknown, \
     answer.model_outcome, answer.model_detail, answer.core_outcome, answer.core_size, \
     answer.core_detail";

/// A run without its answers, which are rows of their own.
pub(crate) fn run_of_row(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    let ending = EndingColumns {
        kind: row.get_ref(6)?.as_str().map_err(|cause| unreadable(6, cause.to_string()))?,
        number: row.get(7)?,
        detail: row
            .get_ref(8)?
            .as_str_or_null()
            .map_err(|cause| unreadable(8, cause.to_string()))?,
    };
    let duration = |column| -> rusqlite::Result<Duration> {
        Ok(Duration::from_micros(row.get::<_, Count>(column)?.0))
    };
    Ok(StoredRun {
        id: RunId(row.get(0)?),
        campaign: CampaignId(row.get(1)?),
        configuration: ConfigurationId(row.get(2)?),
        instance: InstanceId(row.get(3)?),
        repetition: row.get(4)?,
        started: Timestamp(row.get(5)?),
        ending: ending
            .decode()
            .ok_or_else(|| unreadable(6, format!("{:?} is no ending", ending.kind)))?,
        class: row.get::<_, Name<_>>(9)?.0,
        measured: Measured {
            cpu: CpuTime(duration(10)?),
            wall: WallTime(duration(11)?),
            peak_memory: Bytes(row.get::<_, Count>(12)?.0),
            left_behind: row.get(13)?,
        },
        answers: Vec::new(),
        conversion: row.get::<_, Option<List>>(14)?.map_or_else(Vec::new, |list| list.0),
        core: row.get(15)?,
        load: row.get(16)?,
        places: Vec::new(),
    })
}

/// An answer without the opinions on it, which are rows of their own.
pub(crate) fn answer_of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<RunAnswer> {
    let model = row.get::<_, Option<Name<_>>>(first + 3)?;
    let model_detail = row.get(first + 4)?;
    let core = row.get::<_, Option<Name<_>>>(first + 5)?;
    let core_size = row.get::<_, Option<Index>>(first + 6)?.map_or(0, |index| index.0);
    let core_detail = row.get(first + 7)?;
    Ok(RunAnswer {
        verdict: row.get::<_, Name<_>>(first)?.0,
        class: row.get::<_, Name<_>>(first + 1)?.0,
        reason_unknown: row.get::<_, Option<Printed>>(first + 2)?.map(|printed| printed.0),
        model: model.map(|name| ModelFinding { outcome: name.0, detail: model_detail }),
        core: core.map(|name| CoreFinding {
            outcome: name.0,
            size: core_size,
            detail: core_detail,
        }),
        opinions: Vec::new(),
    })
}

/// An opinion: a name and a class.
pub(crate) fn opinion_of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Opinion> {
    Ok(Opinion { by: row.get(first)?, class: row.get::<_, Name<_>>(first + 1)?.0 })
}

/// A place: the names of a set and a track, and the name of an instance there.
pub(crate) fn place_of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Place> {
    Ok(Place { set: row.get(first)?, track: row.get(first + 1)?, name: row.get(first + 2)? })
}

pub(crate) fn unreadable(column: usize, message: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, message.into())
}
