-- +goose Up
-- Rebuilds of the read models and their progress, so that an interrupted one continues where it stopped,
-- and every machine can show it. New tables are stored next to the table they will replace, as NAME_rID;
-- replaced tables are kept for a while, as NAME_old_ID.

CREATE TABLE projection_runs (
    id          bigint           PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name        text             NOT NULL,
    version     integer          NOT NULL,
    tables      text[]           NOT NULL,
    structure   text             NOT NULL,
    phase       text             NOT NULL
                CHECK (phase IN ('copying', 'indexing', 'catching_up', 'verifying', 'swapping', 'done')),
    h0          bigint           NOT NULL,
    position    bigint           NOT NULL,
    rows        bigint           NOT NULL DEFAULT 0,
    events      bigint           NOT NULL DEFAULT 0,
    rate        double precision NOT NULL DEFAULT 0,
    drift       integer          NOT NULL DEFAULT 0,
    started_at  timestamptz      NOT NULL DEFAULT clock_timestamp(),
    heartbeat   timestamptz      NOT NULL DEFAULT clock_timestamp(),
    host        text             NOT NULL,
    pid         integer          NOT NULL,
    finished_at timestamptz,
    outcome     text             CHECK (outcome IN ('swapped', 'discarded')),
    dropped_at  timestamptz,
    CHECK ((finished_at IS NULL) = (outcome IS NULL))
) WITH (fillfactor = 50); -- a row is rewritten every two seconds
CREATE UNIQUE INDEX projection_runs_unfinished ON projection_runs (name) WHERE finished_at IS NULL;

COMMENT ON COLUMN projection_runs.version IS
    'Of the read model''s schema; that of the last one swapped is the table''s.';
COMMENT ON COLUMN projection_runs.structure IS
    'A digest of the columns and indexes that the new tables were copied from.';
COMMENT ON COLUMN projection_runs.h0 IS 'The chunks hold the events up to here.';
COMMENT ON COLUMN projection_runs.position IS
    'Up to where the new tables hold every event; 0 while they are being filled.';
COMMENT ON COLUMN projection_runs.events IS 'Replayed so far, as of the heartbeat; rate: a second.';
COMMENT ON COLUMN projection_runs.drift IS
    'Differences between the old tables and the events; the run waits until they are accepted.';
COMMENT ON COLUMN projection_runs.dropped_at IS
    'When the tables that were replaced were dropped; null: they are kept.';

CREATE TABLE projection_chunks (
    run_id  bigint  NOT NULL REFERENCES projection_runs,
    number  integer NOT NULL,
    first   uuid    NOT NULL,
    last    uuid    NOT NULL,
    events  bigint,
    rows    bigint,
    done_at timestamptz,
    PRIMARY KEY (run_id, number)
);

COMMENT ON TABLE projection_chunks IS
    'Parts of the streams, by uuid, both ends included. A chunk''s rows and its mark are one transaction.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT ON projection_runs, projection_chunks TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON projection_runs, projection_chunks TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
