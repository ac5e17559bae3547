-- +goose Up
-- A rebuild counts in its own row which parts of the streams are copied. Servers of the version before read
-- projection_chunks for their metrics, so the table stays. This comes first: a rebuild that is under way
-- would meet the lock half way otherwise.
ALTER TABLE projection_runs
    ADD COLUMN chunk integer NOT NULL DEFAULT 0,
    ADD COLUMN chunks integer NOT NULL DEFAULT 1;

COMMENT ON COLUMN projection_runs.chunk IS
    'How many parts of the streams are copied; chunks: how many there are.';
COMMENT ON TABLE projection_chunks IS 'Not used any more.';
COMMENT ON COLUMN projection_runs.rows IS 'Not used any more.';
COMMENT ON COLUMN projection_runs.heartbeat IS 'When the last step was done.';
DELETE FROM projection_chunks;

-- A half-done rebuild of the version before counted its parts elsewhere, and its swap would create the
-- group's old place again. It cannot go on after this, neither in a process that is at work on it nor in a
-- new one; --restart starts from the beginning.
UPDATE projection_runs SET structure = '' WHERE finished_at IS NULL;

-- The group that keeps payments and turnover is called after the dashboard, which shows both. Its place in
-- the log goes with it. This is safe while servers of the version before run: the statement waits for their
-- batch, and their group then stands still, because it finds no place under the old name. It would make one
-- when it is started, but that version refuses to start on this schema.
UPDATE consumer_offsets SET consumer_group = 'dashboard' WHERE consumer_group = 'turnover';
