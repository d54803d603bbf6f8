//! Writes what runs refer to: campaigns, configurations, sets, tracks and instances.
//!
//! Each is found again by its natural key, so that every function here is idempotent.

use luthier_records::{Campaign, Configuration, Digest, Instance, Label, Query, Verdict};
use rusqlite::{OptionalExtension, Params, ToSql, params};

use crate::codec::{CoreNames, CoreNamesRef, ListRef, Name, Sha, limit_bytes, limit_us};
use crate::features::FeaturesRef;
use crate::{CampaignId, ConfigurationId, InstanceId, SetId, Store, StoreError, TrackId};

impl Store {
    /// Adds a campaign, or finds it by its identifier.
    pub fn add_campaign(&mut self, campaign: &Campaign) -> Result<CampaignId, StoreError> {
        let Campaign { id, started, luthier_version, command_line, experiment, machine, jobs } =
            campaign;
        let memory = i64::try_from(machine.memory.0)
            .map_err(|_| self.out_of_range("the memory of the machine"))?;
        self.find_or_insert(
            "SELECT id FROM campaign WHERE name = ?1",
            params![id],
            "INSERT INTO campaign (name, started_ms, luthier_version, command_line, experiment,
                 host, system, processor, cores, memory_bytes, jobs)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                id,
                started.0,
                luthier_version,
                ListRef(command_line),
                experiment,
                machine.host,
                machine.system,
                machine.processor,
                machine.cores,
                memory,
                jobs
            ],
        )
        .map(CampaignId)
    }

    /// Adds a configuration, or finds it by its [identity](Configuration::identity). One that is
    /// there keeps its name, and its program if one is recorded.
    pub fn add_configuration(
        &mut self,
        configuration: &Configuration,
    ) -> Result<ConfigurationId, StoreError> {
        let limits = &configuration.limits;
        let cpu = limit_us(limits.cpu.0).ok_or_else(|| self.out_of_range("a limit of CPU time"))?;
        let wall =
            limit_us(limits.wall.0).ok_or_else(|| self.out_of_range("a limit of wall time"))?;
        let memory =
            limit_bytes(limits.memory).ok_or_else(|| self.out_of_range("a limit of memory"))?;
        let output =
            limit_bytes(limits.output).ok_or_else(|| self.out_of_range("a limit of output"))?;
        let identity = Sha(configuration.identity());
        let id = self.find_or_insert(
            "SELECT id FROM configuration WHERE identity = ?1",
            params![identity],
            "INSERT INTO configuration (identity, name, solver, family, version, program_digest,
                 arguments, script_lines, dialect, seed, models, cores, cpu_limit_us,
                 wall_limit_us, memory_limit_bytes, output_limit_bytes, not_asked, program)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18)",
            params![
                identity,
                configuration.name,
                configuration.solver,
                configuration.family,
                configuration.version,
                Sha(configuration.program_digest),
                ListRef(&configuration.arguments),
                ListRef(&configuration.script_lines),
                configuration.dialect,
                configuration.seed.map(|seed| seed.to_string()),
                configuration.models,
                Name(configuration.cores),
                cpu,
                wall,
                memory,
                output,
                ListRef(&configuration.not_asked),
                configuration.program
            ],
        )?;
        // Databases of an older version do not say where the program was.
        if configuration.program.is_some() {
            self.execute(
                "UPDATE configuration SET program = ?2 WHERE id = ?1 AND program IS NULL",
                params![id, configuration.program],
            )?;
        }
        Ok(ConfigurationId(id))
    }

    /// Adds a set of benchmarks, or finds it by its name. Whether the status in its files is
    /// trusted is what was said last.
    pub fn add_set(&mut self, name: &str, trust_status: bool) -> Result<SetId, StoreError> {
        self.row_id(
            "INSERT INTO benchmark_set (name, trust_status) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET trust_status = excluded.trust_status
             RETURNING id",
            params![name, trust_status],
        )
        .map(SetId)
    }

    /// Adds a track to a set, or finds it by its name.
    pub fn add_track(&mut self, set: SetId, name: &str) -> Result<TrackId, StoreError> {
        self.find_or_insert(
            "SELECT id FROM track WHERE set_id = ?1 AND name = ?2",
            params![set.0, name],
            "INSERT INTO track (set_id, name) VALUES (?1, ?2)",
            params![set.0, name],
        )
        .map(TrackId)
    }

    /// Adds an instance and its text, or finds it by digest and dialect. What is known about one
    /// that is there is replaced, because a later version may read what an earlier could not.
    pub fn add_instance(
        &mut self,
        instance: &Instance,
        text: &[u8],
    ) -> Result<InstanceId, StoreError> {
        let found = Digest::of(text);
        if found != instance.digest {
            let expected = instance.digest;
            return Err(StoreError::WrongDigest { path: self.path.clone(), expected, found });
        }
        let prepared = self.prepare_digested(found, text)?;
        self.batch(|store| {
            let text_id = store.put_text(&prepared)?;
            store.put_instance(instance, Some(text_id), Replace::Yes)
        })
    }

    /// Adds an instance of which the text is lost, or finds it by digest and dialect. One that is
    /// there stays as it is.
    pub fn add_instance_without_text(
        &mut self,
        instance: &Instance,
    ) -> Result<InstanceId, StoreError> {
        self.batch(|store| store.put_instance(instance, None, Replace::No))
    }

    /// Records a place of an instance: set, track and name.
    pub fn add_member(
        &mut self,
        track: TrackId,
        instance: InstanceId,
        name: &str,
    ) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO member (instance_id, track_id, name) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
            params![instance.0, track.0, name],
        )
        .map(|_| ())
    }

    /// Records a label for a place of an instance, which must be there
    /// ([`Store::add_member`]). A source has one label for a place: what it said last.
    pub fn add_label(
        &mut self,
        track: TrackId,
        instance: InstanceId,
        name: &str,
        label: &Label,
    ) -> Result<(), StoreError> {
        if label.verdict == Verdict::Unknown {
            return Err(StoreError::UnknownLabel {
                path: self.path.clone(),
                place: name.to_owned(),
            });
        }
        let place = params![instance.0, track.0, name];
        let known = "SELECT 1 FROM member WHERE instance_id = ?1 AND track_id = ?2 AND name = ?3";
        if self.find_row(known, place)?.is_none() {
            return Err(StoreError::NoPlace { path: self.path.clone(), place: name.to_owned() });
        }
        // A label that stays the same is no change for those who follow the database.
        self.execute(
            "INSERT INTO label (instance_id, track_id, name, source, verdict)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (instance_id, track_id, name, source)
             DO UPDATE SET verdict = excluded.verdict WHERE verdict <> excluded.verdict",
            params![instance.0, track.0, name, label.source, Name(label.verdict)],
        )
        .map(|_| ())
    }

    pub(crate) fn put_instance(
        &mut self,
        instance: &Instance,
        text_id: Option<i64>,
        replace: Replace,
    ) -> Result<InstanceId, StoreError> {
        let Instance { digest, dialect, dialect_reason, size, queries, fault, features } = instance;
        let features = features.as_ref().map(FeaturesRef);
        let size = i64::try_from(size.0).map_err(|_| self.out_of_range("an instance"))?;
        let key = params![Sha(*digest), dialect];
        let there =
            self.find_row("SELECT id FROM instance WHERE digest = ?1 AND dialect = ?2", key)?;
        let Some(id) = there else {
            let id = self.row_id(
                "INSERT INTO instance (digest, dialect, dialect_reason, size_bytes, fault, text_id,
                     features)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
                params![Sha(*digest), dialect, dialect_reason, size, fault, text_id, features],
            )?;
            self.insert_queries(id, queries)?;
            return Ok(InstanceId(id));
        };
        if replace == Replace::Yes {
            self.execute(
                "UPDATE instance SET dialect_reason = ?2, size_bytes = ?3, fault = ?4, text_id = ?5,
                     features = coalesce(?6, features)
                 WHERE id = ?1 AND (dialect_reason, size_bytes, fault, text_id, features)
                     IS NOT (?2, ?3, ?4, ?5, coalesce(?6, features))",
                params![id, dialect_reason, size, fault, text_id, features],
            )?;
            if self.queries(id)? != *queries {
                self.execute("DELETE FROM query WHERE instance_id = ?1", [id])?;
                self.insert_queries(id, queries)?;
            }
        }
        Ok(InstanceId(id))
    }

    fn insert_queries(&self, instance: i64, queries: &[Query]) -> Result<(), StoreError> {
        for (position, query) in (0_i64..).zip(queries) {
            self.execute(
                "INSERT INTO query (instance_id, position, planted, planted_core, status)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    instance,
                    position,
                    query.planted.map(Name),
                    query.planted_core.as_deref().map(CoreNamesRef),
                    query.status.map(Name)
                ],
            )?;
        }
        Ok(())
    }

    fn queries(&self, instance: i64) -> Result<Vec<Query>, StoreError> {
        self.rows(
            "SELECT planted, planted_core, status FROM query WHERE instance_id = ?1
             ORDER BY position",
            [instance],
            |row| query_of_row(row, 0),
        )
    }

    /// Finds a row, or inserts it under the lock of a transaction, so that two processes cannot
    /// both find nothing.
    fn find_or_insert(
        &mut self,
        find: &str,
        key: &[&dyn ToSql],
        insert: &str,
        row: &[&dyn ToSql],
    ) -> Result<i64, StoreError> {
        if let Some(id) = self.find_row(find, key)? {
            return Ok(id);
        }
        self.batch(|store| match store.find_row(find, key)? {
            Some(id) => Ok(id),
            None => {
                store.execute(insert, row)?;
                Ok(store.connection.last_insert_rowid())
            }
        })
    }

    fn find_row(&self, sql: &str, key: impl Params) -> Result<Option<i64>, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(key, |row| row.get(0)).optional())
            .map_err(|cause| self.failed(cause))
    }

    fn row_id(&self, sql: &str, parameters: impl Params) -> Result<i64, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(parameters, |row| row.get(0)))
            .map_err(|cause| self.failed(cause))
    }

    /// Runs one statement; returns how many rows it changed.
    pub(crate) fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(parameters))
            .map_err(|cause| self.failed(cause))
    }
}

/// Whether stored data about an instance is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replace {
    Yes,
    No,
}

/// The three columns of a query, the first of them at `first`.
pub(crate) fn query_of_row(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Query> {
    Ok(Query {
        planted: row.get::<_, Option<Name<_>>>(first)?.map(|name| name.0),
        planted_core: row.get::<_, Option<CoreNames>>(first + 1)?.map(|names| names.0),
        status: row.get::<_, Option<Name<_>>>(first + 2)?.map(|name| name.0),
    })
}
