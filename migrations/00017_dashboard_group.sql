-- +goose Up
-- A rebuild counts in its own row which parts of the streams are copied. Servers of the previous version
-- read projection_chunks for their metrics, so the table stays. This comes first: otherwise a rebuild that
-- is under way would meet the lock in the middle.
ALTER TABLE projection_runs
    ADD COLUMN chunk integer NOT NULL DEFAULT 0,
    ADD COLUMN chunks integer NOT NULL DEFAULT 1;

COMMENT ON COLUMN projection_runs.chunk IS
    'How many parts of the streams are copied; chunks: how many there are.';
COMMENT ON TABLE projection_chunks IS 'Not used any more.';
COMMENT ON COLUMN projection_runs.rows IS 'Not used any more.';
COMMENT ON COLUMN projection_runs.heartbeat IS 'When the last step was done.';
DELETE FROM projection_chunks;

-- An unfinished rebuild of the previous version counted its parts elsewhere, and its swap would create the
-- group's old offset again. It cannot continue after this, neither in a running process nor in a new one;
-- --restart starts from the beginning.
UPDATE projection_runs SET structure = '' WHERE finished_at IS NULL;

-- The group that writes payments and turnover is named after the dashboard, which shows both. Its offset is
-- renamed, too. This is safe while servers of the previous version run: the statement waits for their
-- batch, and their group then stops, because it finds no offset under the old name. A start would create
-- one, but that version refuses to start on this schema.
UPDATE consumer_offsets SET consumer_group = 'dashboard' WHERE consumer_group = 'turnover';
