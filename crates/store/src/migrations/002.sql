-- What an instance uses, as a JSON object; NULL if nobody has looked.
ALTER TABLE instance ADD COLUMN features TEXT CHECK (json_valid(features));

-- Whoever follows a database sees new rows by their numbers. The number in here grows with every
-- change that cannot be seen that way, so that it can be read again as a whole.
CREATE TABLE revision (
    number INTEGER NOT NULL
) STRICT;

INSERT INTO revision (number) VALUES (0);

CREATE TRIGGER run_removed AFTER DELETE ON run
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER run_changed AFTER UPDATE ON run
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER instance_changed AFTER UPDATE ON instance
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER query_removed AFTER DELETE ON query
BEGIN UPDATE revision SET number = number + 1; END;

CREATE TRIGGER trust_changed AFTER UPDATE ON benchmark_set
WHEN OLD.trust_status IS NOT NEW.trust_status
BEGIN UPDATE revision SET number = number + 1; END;
