-- +goose Up
-- How far each consumer group has read the log, and what it has set aside.

CREATE TABLE consumer_offsets (
    consumer_group text        PRIMARY KEY,
    position       bigint      NOT NULL CHECK (position >= 0),
    updated_at     timestamptz NOT NULL,
    halted_reason  text,
    retry_at       timestamptz,
    CHECK ((halted_reason IS NULL) = (retry_at IS NULL))
) WITH (fillfactor = 10); -- a row is rewritten with every batch: its versions stay on its page

COMMENT ON TABLE consumer_offsets IS 'Locked by the server on which the group is active.';
COMMENT ON COLUMN consumer_offsets.position IS 'Of the last event that the group is done with; 0: none.';
COMMENT ON COLUMN consumer_offsets.halted_reason IS
    'Why the group has stopped before the next event; null: it has not.';
COMMENT ON COLUMN consumer_offsets.retry_at IS 'When a halted group may try that event again.';

CREATE TABLE parked_events (
    consumer_group text        NOT NULL,
    position       bigint      NOT NULL,
    reason         text        NOT NULL,
    attempts       integer     NOT NULL,
    parked_at      timestamptz NOT NULL,
    released_at    timestamptz,
    PRIMARY KEY (consumer_group, position)
);
CREATE INDEX parked_events_released ON parked_events (consumer_group, position) WHERE released_at IS NOT NULL;

COMMENT ON TABLE parked_events IS 'Events that a group could not handle and has passed over.';
COMMENT ON COLUMN parked_events.released_at IS 'Set: the group is to try the event again.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON consumer_offsets TO daftar_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON parked_events TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON consumer_offsets, parked_events TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
