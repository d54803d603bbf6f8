//! Merges another database into this one, by natural keys.
//!
//! The other file is attached, missing rows are copied inside SQLite, and temporary tables map its row
//! numbers to ours. Of two runs with the same key ours is kept; the report counts those that differ.

use std::path::Path;

use crate::open::Opened;
use crate::{Store, StoreError, open, schema};

/// The counts of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeReport {
    /// Campaigns that were not here.
    pub campaigns: usize,
    /// Configurations that were not here.
    pub configurations: usize,
    /// Instances that were not here.
    pub instances: usize,
    /// Places of instances that were not here.
    pub members: usize,
    /// Labels of places that were not here.
    pub labels: usize,
    /// Runs that were not here.
    pub runs_added: usize,
    /// Runs that were here already: same configuration, instance and repetition.
    pub runs_already_there: usize,
    /// Of these, the runs that have another class or other verdicts here. Ours are kept.
    pub runs_that_differ: usize,
}

/// Sets, tracks and texts have nothing to be counted. A set is trusted only if both trust it, so
/// that the order of merging does not matter.
const COPY_TEXTS_AND_SETS: &str = "
INSERT INTO main.text (digest, size_bytes, encoding, content)
SELECT digest, size_bytes, encoding, content FROM other.text ORDER BY id
ON CONFLICT DO NOTHING;

INSERT INTO main.benchmark_set (name, trust_status)
SELECT name, trust_status FROM other.benchmark_set WHERE true ORDER BY id
ON CONFLICT (name) DO UPDATE SET trust_status = min(trust_status, excluded.trust_status);

INSERT INTO main.track (set_id, name)
SELECT ours.id, track.name FROM other.track
JOIN other.benchmark_set AS theirs ON theirs.id = track.set_id
JOIN main.benchmark_set AS ours ON ours.name = theirs.name
WHERE true ORDER BY track.id
ON CONFLICT DO NOTHING;
";

const COPY_CAMPAIGNS: &str = "
INSERT INTO main.campaign (name, started_ms, luthier_version, command_line, experiment, host,
    system, processor, cores, memory_bytes, jobs)
SELECT name, started_ms, luthier_version, command_line, experiment, host, system, processor, cores,
    memory_bytes, jobs
FROM other.campaign WHERE true ORDER BY id
ON CONFLICT DO NOTHING";

const COPY_CONFIGURATIONS: &str = "
INSERT INTO main.configuration (identity, name, solver, family, version, program_digest, arguments,
    script_lines, dialect, seed, models, cores, cpu_limit_us, wall_limit_us, memory_limit_bytes,
    output_limit_bytes, not_asked, program)
SELECT identity, name, solver, family, version, program_digest, arguments, script_lines, dialect,
    seed, models, cores, cpu_limit_us, wall_limit_us, memory_limit_bytes, output_limit_bytes,
    not_asked, PROGRAM
FROM other.configuration WHERE true ORDER BY id
ON CONFLICT DO NOTHING";

/// The text is found by the digest of the instance: it is there, or it is lost on both sides.
/// An older database has no features.
const COPY_INSTANCES: &str = "
INSERT INTO main.instance (digest, dialect, dialect_reason, size_bytes, fault, features, text_id)
SELECT digest, dialect, dialect_reason, size_bytes, fault, FEATURES,
    (SELECT text.id FROM main.text WHERE text.digest = theirs.digest)
FROM other.instance AS theirs WHERE true ORDER BY theirs.id
ON CONFLICT DO NOTHING";

/// Maps row numbers of the other database to ours.
const MAP_ROWS: &str = "
CREATE TEMP TABLE merged_campaign (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO merged_campaign SELECT theirs.id, ours.id FROM other.campaign AS theirs
JOIN main.campaign AS ours ON ours.name = theirs.name;

CREATE TEMP TABLE merged_configuration (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO merged_configuration SELECT theirs.id, ours.id FROM other.configuration AS theirs
JOIN main.configuration AS ours ON ours.identity = theirs.identity;

CREATE TEMP TABLE merged_track (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO merged_track SELECT theirs.id, ours.id FROM other.track AS theirs
JOIN other.benchmark_set AS their_set ON their_set.id = theirs.set_id
JOIN main.benchmark_set AS our_set ON our_set.name = their_set.name
JOIN main.track AS ours ON ours.set_id = our_set.id AND ours.name = theirs.name;

CREATE TEMP TABLE merged_instance (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO merged_instance SELECT theirs.id, ours.id FROM other.instance AS theirs
JOIN main.instance AS ours ON ours.digest = theirs.digest AND ours.dialect = theirs.dialect;

CREATE TEMP TABLE merged_text (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO merged_text SELECT theirs.id, ours.id FROM other.text AS theirs
JOIN main.text AS ours ON ours.digest = theirs.digest;

UPDATE main.instance SET text_id = (SELECT text.id FROM main.text WHERE text.digest = instance.digest)
WHERE text_id IS NULL AND digest IN (SELECT text.digest FROM main.text);

CREATE TEMP TABLE merged_run (theirs INTEGER PRIMARY KEY, ours INTEGER);
INSERT INTO merged_run SELECT theirs.id, ours.id FROM other.run AS theirs
JOIN merged_configuration AS configuration ON configuration.theirs = theirs.configuration_id
JOIN merged_instance AS instance ON instance.theirs = theirs.instance_id
LEFT JOIN main.run AS ours ON ours.instance_id = instance.ours
    AND ours.configuration_id = configuration.ours AND ours.repetition = theirs.repetition;
";

/// Features that are missing here and known in the other database.
const COPY_FEATURES: &str = "
UPDATE main.instance SET features = theirs.features
FROM other.instance AS theirs
WHERE theirs.digest = main.instance.digest AND theirs.dialect = main.instance.dialect
    AND main.instance.features IS NULL AND theirs.features IS NOT NULL";

/// `?1` is the last instance that was here before.
const COPY_QUERIES: &str = "
INSERT INTO main.query (instance_id, position, planted, planted_core, status)
SELECT merged_instance.ours, position, planted, planted_core, status FROM other.query
JOIN merged_instance ON merged_instance.theirs = query.instance_id
WHERE merged_instance.ours > ?1";

const COPY_MEMBERS: &str = "
INSERT INTO main.member (instance_id, track_id, name)
SELECT merged_instance.ours, merged_track.ours, member.name FROM other.member
JOIN merged_instance ON merged_instance.theirs = member.instance_id
JOIN merged_track ON merged_track.theirs = member.track_id
WHERE true ON CONFLICT DO NOTHING";

/// A label that both have stays as it is here.
const COPY_LABELS: &str = "
INSERT INTO main.label (instance_id, track_id, name, source, verdict)
SELECT merged_instance.ours, merged_track.ours, label.name, source, verdict FROM other.label
JOIN merged_instance ON merged_instance.theirs = label.instance_id
JOIN merged_track ON merged_track.theirs = label.track_id
WHERE true ON CONFLICT DO NOTHING";

const COUNT_THERE: &str = "SELECT count(*) FROM merged_run WHERE ours IS NOT NULL";

const COUNT_DIFFERENT: &str = "
SELECT count(*) FROM merged_run
JOIN other.run AS theirs ON theirs.id = merged_run.theirs
JOIN main.run AS ours ON ours.id = merged_run.ours
WHERE theirs.class <> ours.class
    OR (SELECT group_concat(verdict ORDER BY position) FROM other.answer WHERE run_id = theirs.id)
        IS NOT
       (SELECT group_concat(verdict ORDER BY position) FROM main.answer WHERE run_id = ours.id)";

const COPY_RUNS: &str = "
INSERT INTO main.run (campaign_id, configuration_id, instance_id, repetition, started_ms, ending,
    ending_number, ending_detail, class, cpu_us, wall_us, peak_memory_bytes, left_behind,
    stdout_text_id, stdout_cut, stderr_text_id, stderr_cut, conversion, core, load)
SELECT campaign.ours, configuration.ours, instance.ours, repetition, started_ms, ending,
    ending_number, ending_detail, class, cpu_us, wall_us, peak_memory_bytes, left_behind,
    stdout.ours, stdout_cut, stderr.ours, stderr_cut, conversion, core, load
FROM other.run AS theirs
JOIN merged_run ON merged_run.theirs = theirs.id AND merged_run.ours IS NULL
JOIN merged_campaign AS campaign ON campaign.theirs = theirs.campaign_id
JOIN merged_configuration AS configuration ON configuration.theirs = theirs.configuration_id
JOIN merged_instance AS instance ON instance.theirs = theirs.instance_id
LEFT JOIN merged_text AS stdout ON stdout.theirs = theirs.stdout_text_id
LEFT JOIN merged_text AS stderr ON stderr.theirs = theirs.stderr_text_id
ORDER BY theirs.id";

/// Only runs that were copied get answers; those that were here keep theirs.
const COPY_ANSWERS: &str = "
CREATE TEMP TABLE copied_run (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
INSERT INTO copied_run SELECT theirs.id, ours.id FROM other.run AS theirs
JOIN merged_run ON merged_run.theirs = theirs.id AND merged_run.ours IS NULL
JOIN merged_configuration AS configuration ON configuration.theirs = theirs.configuration_id
JOIN merged_instance AS instance ON instance.theirs = theirs.instance_id
JOIN main.run AS ours ON ours.instance_id = instance.ours
    AND ours.configuration_id = configuration.ours AND ours.repetition = theirs.repetition;

INSERT INTO main.answer (run_id, position, verdict, class, reason_unknown, model_outcome,
    model_detail, core_outcome, core_size, core_detail)
SELECT copied_run.ours, position, verdict, class, reason_unknown, model_outcome, model_detail,
    core_outcome, core_size, core_detail
FROM other.answer JOIN copied_run ON copied_run.theirs = answer.run_id;

INSERT INTO main.opinion (run_id, answer_position, position, configuration_name, class)
SELECT copied_run.ours, answer_position, position, configuration_name, class
FROM other.opinion JOIN copied_run ON copied_run.theirs = opinion.run_id;
";

const COPY_RUN_PLACES: &str = "
INSERT INTO main.run_place (run_id, instance_id, track_id, name)
SELECT copied_run.ours, merged_instance.ours, merged_track.ours, run_place.name
FROM other.run_place
JOIN copied_run ON copied_run.theirs = run_place.run_id
JOIN merged_instance ON merged_instance.theirs = run_place.instance_id
JOIN merged_track ON merged_track.theirs = run_place.track_id";

const DROP_MAPS: &str = "
DROP TABLE merged_campaign;
DROP TABLE merged_configuration;
DROP TABLE merged_track;
DROP TABLE merged_instance;
DROP TABLE merged_text;
DROP TABLE merged_run;
DROP TABLE copied_run;
";

/// A database that was verified and may be merged.
///
/// Its connection stays open, so that the files that SQLite has beside it are removed by the one that
/// may write them, and so that a change by another process is noticed: then it is verified again.
pub struct MergeSource {
    store: Store,
    uri: String,
    data_version: i64,
}

impl MergeSource {
    /// Opens a database, which checks what it is, and verifies it: what reading would refuse is
    /// refused before anything is written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Self::verified(open::read_only(path)?, path)
    }

    fn verified(opened: Opened, path: &Path) -> Result<Self, StoreError> {
        let store = Store::over(opened.connection, path, opened.tables);
        let data_version = store.data_version()?;
        store.verify()?;
        // Many may be open at the same time.
        store.execute_batch("PRAGMA shrink_memory")?;
        Ok(Self { store, uri: opened.uri, data_version })
    }
}

impl Store {
    /// Merges another database into this one, in one transaction. What is here already stays as
    /// it is, so a second merge of the same database adds nothing, and merging two databases in
    /// either order gives the same facts, except for the runs that differ.
    ///
    /// The other database is [verified](Store::verify) first. If anything is wrong, the error names
    /// the file in which it is, and this database stays as it was.
    ///
    /// Not to be called inside [`Store::batch`].
    pub fn merge(&mut self, other: impl AsRef<Path>) -> Result<MergeReport, StoreError> {
        self.merge_source(&MergeSource::open(other)?)
    }

    /// Merges a database that was [published](Store::publish), as [`Store::merge`] does.
    pub fn merge_published(&mut self, other: impl AsRef<Path>) -> Result<MergeReport, StoreError> {
        let other = other.as_ref();
        self.merge_source(&MergeSource::verified(open::unchanging(other)?, other)?)
    }

    /// Merges a database that is verified already, as [`Store::merge`] does.
    pub fn merge_source(&mut self, source: &MergeSource) -> Result<MergeReport, StoreError> {
        let MergeSource { store: source, uri, data_version } = source;
        if is_same_file(&self.path, &source.path) {
            return Err(StoreError::MergeWithItself { path: source.path.clone() });
        }
        if source.data_version()? != *data_version {
            source.verify()?;
        }
        self.execute("ATTACH DATABASE ?1 AS other", [uri])?;
        let merged = self.batch(|store| store.merge_attached(source.tables));
        let detached = self.execute_batch("DETACH DATABASE other");
        // The damage may be in either file, if another process has just written to the other one.
        if matches!(merged, Err(StoreError::Damaged { .. })) {
            source.verify()?;
        }
        let report = merged?;
        detached?;
        Ok(report)
    }

    /// An older database lacks some columns and tables.
    fn merge_attached(&mut self, tables: i64) -> Result<MergeReport, StoreError> {
        let has_features = tables >= schema::WITH_FEATURES;
        let has_labels = tables >= schema::WITH_LABELS;
        let program = if has_labels { "program" } else { "NULL" };
        let features = if has_features { "theirs.features" } else { "NULL" };
        self.execute_batch(COPY_TEXTS_AND_SETS)?;
        let last_instance = self.number("SELECT coalesce(max(id), 0) FROM main.instance")?;
        let mut report = MergeReport {
            campaigns: self.execute(COPY_CAMPAIGNS, [])?,
            configurations: self.execute(&COPY_CONFIGURATIONS.replace("PROGRAM", program), [])?,
            instances: self.execute(&COPY_INSTANCES.replace("FEATURES", features), [])?,
            ..MergeReport::default()
        };
        if has_features {
            self.execute(COPY_FEATURES, [])?;
        }
        self.execute_batch(MAP_ROWS)?;
        self.execute(COPY_QUERIES, [last_instance])?;
        report.members = self.execute(COPY_MEMBERS, [])?;
        let count = |number: i64| usize::try_from(number).unwrap_or_default();
        report.runs_already_there = count(self.number(COUNT_THERE)?);
        report.runs_that_differ = count(self.number(COUNT_DIFFERENT)?);
        report.runs_added = self.execute(COPY_RUNS, [])?;
        self.execute_batch(COPY_ANSWERS)?;
        if has_labels {
            report.labels = self.execute(COPY_LABELS, [])?;
            self.execute(COPY_RUN_PLACES, [])?;
        }
        self.execute_batch(DROP_MAPS)?;
        Ok(report)
    }

    /// The number that a query gives.
    pub(crate) fn number(&self, sql: &str) -> Result<i64, StoreError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|cause| self.failed(cause))
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
