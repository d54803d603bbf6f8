-- A CHECK that calls json_valid on NULL fails under SQLite before 3.41 (`PRAGMA integrity_check`
-- reports it), so a column that may be NULL says so. A CHECK cannot be changed in place: the
-- tables are built anew, with the same rows and numbers, while foreign keys are off.
DROP VIEW results;
DROP VIEW answers;
DROP VIEW contradictions;

CREATE TABLE new_instance (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    dialect TEXT NOT NULL,
    dialect_reason TEXT NOT NULL,
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    fault TEXT,
    text_id INTEGER REFERENCES text (id),
    features TEXT CHECK (features IS NULL OR json_valid(features)),
    UNIQUE (digest, dialect)
) STRICT;

INSERT INTO new_instance (id, digest, dialect, dialect_reason, size_bytes, fault, text_id, features)
SELECT id, digest, dialect, dialect_reason, size_bytes, fault, text_id, features
FROM instance ORDER BY id;
DROP TABLE instance;
ALTER TABLE new_instance RENAME TO instance;

CREATE TABLE new_query (
    instance_id INTEGER NOT NULL REFERENCES instance (id),
    position INTEGER NOT NULL CHECK (position >= 0),
    planted TEXT CHECK (planted IN ('sat', 'unsat', 'unknown')),
    planted_core TEXT CHECK (planted_core IS NULL OR json_valid(planted_core)),
    status TEXT CHECK (status IN ('sat', 'unsat', 'unknown')),
    PRIMARY KEY (instance_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO new_query (instance_id, position, planted, planted_core, status)
SELECT instance_id, position, planted, planted_core, status
FROM query ORDER BY instance_id, position;
DROP TABLE query;
ALTER TABLE new_query RENAME TO query;

-- New endings: `unrecorded`, for imported results.
CREATE TABLE new_run (
    id INTEGER PRIMARY KEY,
    campaign_id INTEGER NOT NULL REFERENCES campaign (id),
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    instance_id INTEGER NOT NULL REFERENCES instance (id),
    repetition INTEGER NOT NULL CHECK (repetition >= 0),
    started_ms INTEGER NOT NULL,
    ending TEXT NOT NULL CHECK (ending IN (
        'exited', 'signalled', 'timed-out-cpu', 'timed-out-wall', 'out-of-memory', 'output-limit',
        'inexpressible', 'not-started', 'lost', 'unrecorded')),
    ending_number INTEGER CHECK ((ending_number IS NOT NULL) = (ending IN ('exited', 'signalled'))),
    ending_detail TEXT CHECK (
        (ending_detail IS NOT NULL) = (ending IN ('inexpressible', 'not-started', 'lost'))),
    class TEXT NOT NULL CHECK (class IN (
        'sat', 'unsat', 'unknown', 'unsupported', 'malformed', 'timeout', 'memout', 'crash',
        'framework-error')),
    cpu_us INTEGER NOT NULL CHECK (cpu_us >= 0),
    wall_us INTEGER NOT NULL CHECK (wall_us >= 0),
    peak_memory_bytes INTEGER NOT NULL CHECK (peak_memory_bytes >= 0),
    left_behind INTEGER NOT NULL CHECK (left_behind >= 0),
    stdout_text_id INTEGER REFERENCES text (id),
    stdout_cut INTEGER NOT NULL CHECK (stdout_cut IN (0, 1)),
    stderr_text_id INTEGER REFERENCES text (id),
    stderr_cut INTEGER NOT NULL CHECK (stderr_cut IN (0, 1)),
    conversion TEXT CHECK (conversion IS NULL OR json_valid(conversion)),
    core INTEGER,
    load REAL
) STRICT;

INSERT INTO new_run (id, campaign_id, configuration_id, instance_id, repetition, started_ms, ending,
    ending_number, ending_detail, class, cpu_us, wall_us, peak_memory_bytes, left_behind,
    stdout_text_id, stdout_cut, stderr_text_id, stderr_cut, conversion, core, load)
SELECT id, campaign_id, configuration_id, instance_id, repetition, started_ms, ending,
    ending_number, ending_detail, class, cpu_us, wall_us, peak_memory_bytes, left_behind,
    stdout_text_id, stdout_cut, stderr_text_id, stderr_cut, conversion, core, load
FROM run ORDER BY id;
DROP TABLE run;
ALTER TABLE new_run RENAME TO run;

-- In the order in which runs are read; it also makes duplicates impossible.
CREATE UNIQUE INDEX run_by_instance ON run (instance_id, configuration_id, repetition);
-- For going on after an interruption: what is there already?
CREATE INDEX run_by_configuration ON run (configuration_id, instance_id, repetition);

-- New outcome of a model: `exceeded`.
CREATE TABLE new_answer (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    verdict TEXT NOT NULL CHECK (verdict IN ('sat', 'unsat', 'unknown')),
    class TEXT NOT NULL CHECK (class IN (
        'sat', 'unsat', 'unknown', 'unsupported', 'malformed', 'timeout', 'memout', 'crash',
        'framework-error')),
    reason_unknown ANY,
    model_outcome TEXT CHECK (model_outcome IN (
        'valid', 'completed', 'incomplete', 'invalid', 'unsupported', 'exceeded')),
    model_detail TEXT,
    core_outcome TEXT CHECK (core_outcome IN (
        'minimal', 'larger', 'confirmed', 'unconfirmed', 'disputed', 'invalid')),
    core_size INTEGER CHECK ((core_size IS NULL) = (core_outcome IS NULL)),
    core_detail TEXT,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO new_answer (run_id, position, verdict, class, reason_unknown, model_outcome, model_detail,
    core_outcome, core_size, core_detail)
SELECT run_id, position, verdict, class, reason_unknown, model_outcome, model_detail,
    core_outcome, core_size, core_detail
FROM answer ORDER BY run_id, position;
DROP TABLE answer;
ALTER TABLE new_answer RENAME TO answer;

-- The path of the program that was run, on the machine of the campaign.
ALTER TABLE configuration ADD COLUMN program TEXT;

-- Runs that count at these places of their instance only. A run without a row here counts at all.
-- The columns of the key come first: integrity_check of SQLite 3.40 takes others for NULL otherwise.
CREATE TABLE run_place (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    track_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    instance_id INTEGER NOT NULL,
    PRIMARY KEY (run_id, track_id, name),
    FOREIGN KEY (instance_id, track_id, name) REFERENCES member (instance_id, track_id, name)
) STRICT, WITHOUT ROWID;

-- Expected answers from outside, for a place of an instance.
CREATE TABLE label (
    instance_id INTEGER NOT NULL,
    track_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('sat', 'unsat')),
    PRIMARY KEY (instance_id, track_id, name, source),
    FOREIGN KEY (instance_id, track_id, name) REFERENCES member (instance_id, track_id, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER run_removed AFTER DELETE ON run
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER run_changed AFTER UPDATE ON run
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER instance_changed AFTER UPDATE ON instance
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER query_removed AFTER DELETE ON query
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER label_added AFTER INSERT ON label
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER label_changed AFTER UPDATE ON label
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER label_removed AFTER DELETE ON label
BEGIN UPDATE revision SET number = number + 1; END;

CREATE VIEW results AS
SELECT configuration.name AS configuration,
    configuration.solver AS solver,
    configuration.version AS version,
    benchmark_set.name AS "set",
    track.name AS track,
    member.name AS name,
    run.repetition AS repetition,
    run.class AS class,
    run.cpu_us / 1e6 AS cpu_seconds,
    run.wall_us / 1e6 AS wall_seconds,
    run.peak_memory_bytes / 1048576.0 AS peak_memory_mib,
    run.ending AS ending,
    coalesce(run.ending_detail, run.ending_number) AS ending_detail,
    datetime(nullif(run.started_ms, 0) / 1000, 'unixepoch') AS started_utc,
    campaign.host AS host,
    run.id AS run_id,
    run.instance_id AS instance_id
FROM run
JOIN configuration ON configuration.id = run.configuration_id
JOIN campaign ON campaign.id = run.campaign_id
JOIN member ON member.instance_id = run.instance_id
    AND (NOT EXISTS (SELECT 1 FROM run_place WHERE run_place.run_id = run.id)
        OR EXISTS (SELECT 1 FROM run_place WHERE run_place.run_id = run.id
            AND run_place.track_id = member.track_id AND run_place.name = member.name))
JOIN track ON track.id = member.track_id
JOIN benchmark_set ON benchmark_set.id = track.set_id;

CREATE VIEW answers AS
SELECT configuration.name AS configuration,
    benchmark_set.name AS "set",
    track.name AS track,
    member.name AS name,
    run.repetition AS repetition,
    answer.position AS query,
    answer.verdict AS verdict,
    answer.class AS class,
    query.planted AS planted,
    query.status AS status,
    answer.model_outcome AS model,
    answer.core_outcome AS core,
    run.id AS run_id,
    run.instance_id AS instance_id
FROM answer
JOIN run ON run.id = answer.run_id
JOIN configuration ON configuration.id = run.configuration_id
JOIN member ON member.instance_id = run.instance_id
    AND (NOT EXISTS (SELECT 1 FROM run_place WHERE run_place.run_id = run.id)
        OR EXISTS (SELECT 1 FROM run_place WHERE run_place.run_id = run.id
            AND run_place.track_id = member.track_id AND run_place.name = member.name))
JOIN track ON track.id = member.track_id
JOIN benchmark_set ON benchmark_set.id = track.set_id
LEFT JOIN query
    ON query.instance_id = run.instance_id AND query.position = answer.position;

CREATE VIEW contradictions AS
SELECT run.instance_id AS instance_id,
    (SELECT min(member.name) FROM member WHERE member.instance_id = run.instance_id) AS name,
    answer.position AS query,
    group_concat(DISTINCT iif(answer.verdict = 'sat', configuration.name, NULL)) AS sat_by,
    group_concat(DISTINCT iif(answer.verdict = 'unsat', configuration.name, NULL)) AS unsat_by
FROM run
JOIN answer ON answer.run_id = run.id
JOIN configuration ON configuration.id = run.configuration_id
WHERE answer.class NOT IN ('unsupported', 'framework-error')
GROUP BY run.instance_id, answer.position
HAVING sat_by IS NOT NULL AND unsat_by IS NOT NULL;
