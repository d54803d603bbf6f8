-- Times are whole microseconds (_us) or milliseconds (_ms), sizes are bytes (_bytes).
-- Lists are JSON arrays. The columns are described in docs/store.md.

CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    encoding TEXT NOT NULL CHECK (encoding IN ('raw', 'zstd')),
    content BLOB NOT NULL
) STRICT;

CREATE TABLE campaign (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    started_ms INTEGER NOT NULL,
    luthier_version TEXT NOT NULL,
    command_line TEXT NOT NULL CHECK (json_valid(command_line)),
    experiment TEXT NOT NULL,
    host TEXT NOT NULL,
    system TEXT NOT NULL,
    processor TEXT NOT NULL,
    cores INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    jobs INTEGER NOT NULL
) STRICT;

CREATE TABLE configuration (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL UNIQUE CHECK (length(identity) = 32),
    name TEXT NOT NULL,
    solver TEXT NOT NULL,
    family TEXT NOT NULL,
    version TEXT,
    program_digest BLOB NOT NULL CHECK (length(program_digest) = 32),
    arguments TEXT NOT NULL CHECK (json_valid(arguments)),
    script_lines TEXT NOT NULL CHECK (json_valid(script_lines)),
    dialect TEXT NOT NULL,
    seed TEXT,
    models INTEGER NOT NULL CHECK (models IN (0, 1)),
    cores TEXT NOT NULL CHECK (cores IN ('never', 'where-planted', 'always')),
    cpu_limit_us INTEGER CHECK (cpu_limit_us >= 0),
    wall_limit_us INTEGER CHECK (wall_limit_us >= 0),
    memory_limit_bytes INTEGER CHECK (memory_limit_bytes >= 0),
    output_limit_bytes INTEGER CHECK (output_limit_bytes >= 0),
    not_asked TEXT NOT NULL CHECK (json_valid(not_asked))
) STRICT;

CREATE TABLE benchmark_set (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    trust_status INTEGER NOT NULL CHECK (trust_status IN (0, 1))
) STRICT;

CREATE TABLE track (
    id INTEGER PRIMARY KEY,
    set_id INTEGER NOT NULL REFERENCES benchmark_set (id),
    name TEXT NOT NULL,
    UNIQUE (set_id, name)
) STRICT;

CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    dialect TEXT NOT NULL,
    dialect_reason TEXT NOT NULL,
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    fault TEXT,
    text_id INTEGER REFERENCES text (id),
    UNIQUE (digest, dialect)
) STRICT;

CREATE TABLE query (
    instance_id INTEGER NOT NULL REFERENCES instance (id),
    position INTEGER NOT NULL CHECK (position >= 0),
    planted TEXT CHECK (planted IN ('sat', 'unsat', 'unknown')),
    planted_core TEXT CHECK (json_valid(planted_core)),
    status TEXT CHECK (status IN ('sat', 'unsat', 'unknown')),
    PRIMARY KEY (instance_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE member (
    instance_id INTEGER NOT NULL REFERENCES instance (id),
    track_id INTEGER NOT NULL REFERENCES track (id),
    name TEXT NOT NULL,
    PRIMARY KEY (instance_id, track_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX member_by_track ON member (track_id, name);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    campaign_id INTEGER NOT NULL REFERENCES campaign (id),
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    instance_id INTEGER NOT NULL REFERENCES instance (id),
    repetition INTEGER NOT NULL CHECK (repetition >= 0),
    started_ms INTEGER NOT NULL,
    ending TEXT NOT NULL CHECK (ending IN (
        'exited', 'signalled', 'timed-out-cpu', 'timed-out-wall', 'out-of-memory', 'output-limit',
        'inexpressible', 'not-started', 'lost')),
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
    conversion TEXT CHECK (json_valid(conversion)),
    core INTEGER,
    load REAL
) STRICT;

-- In the order in which runs are read; it also makes duplicates impossible.
CREATE UNIQUE INDEX run_by_instance ON run (instance_id, configuration_id, repetition);
-- For going on after an interruption: what is there already?
CREATE INDEX run_by_configuration ON run (configuration_id, instance_id, repetition);

CREATE TABLE answer (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    verdict TEXT NOT NULL CHECK (verdict IN ('sat', 'unsat', 'unknown')),
    class TEXT NOT NULL CHECK (class IN (
        'sat', 'unsat', 'unknown', 'unsupported', 'malformed', 'timeout', 'memout', 'crash',
        'framework-error')),
    reason_unknown ANY,
    model_outcome TEXT CHECK (model_outcome IN (
        'valid', 'completed', 'incomplete', 'invalid', 'unsupported')),
    model_detail TEXT,
    core_outcome TEXT CHECK (core_outcome IN (
        'minimal', 'larger', 'confirmed', 'unconfirmed', 'disputed', 'invalid')),
    core_size INTEGER CHECK ((core_size IS NULL) = (core_outcome IS NULL)),
    core_detail TEXT,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE opinion (
    run_id INTEGER NOT NULL,
    answer_position INTEGER NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    configuration_name TEXT NOT NULL,
    class TEXT NOT NULL CHECK (class IN (
        'sat', 'unsat', 'unknown', 'unsupported', 'malformed', 'timeout', 'memout', 'crash',
        'framework-error')),
    PRIMARY KEY (run_id, answer_position, position),
    FOREIGN KEY (run_id, answer_position) REFERENCES answer (run_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

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
