-- +goose Up
-- The ledger: every change of every payment intent, in the order in which it happened.

CREATE TABLE events (
    position       bigint      PRIMARY KEY CHECK (position > 0),
    stream_id      uuid        NOT NULL,
    version        integer     NOT NULL CHECK (version > 0),
    type           text        NOT NULL,
    schema_version integer     NOT NULL,
    payload        text        NOT NULL,
    metadata       text        NOT NULL,
    recorded_at    timestamptz NOT NULL,
    UNIQUE (stream_id, version)
);

COMMENT ON TABLE events IS 'Append-only. UPDATE, DELETE and TRUNCATE are refused to everyone.';
COMMENT ON COLUMN events.position IS 'Gap-free from 1, in commit order.';
COMMENT ON COLUMN events.stream_id IS 'The uuid of the payment intent.';
COMMENT ON COLUMN events.version IS 'The number of the event within its stream, from 1.';
COMMENT ON COLUMN events.payload IS 'JSON text, exactly as written; never rewritten.';
COMMENT ON COLUMN events.metadata IS 'JSON text: actor, request, correlation and causation.';

-- +goose StatementBegin
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

-- Statement triggers also refuse statements that would change no row; ALWAYS keeps them active under
-- session_replication_role = replica.
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_append_only;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_never_truncated;

REVOKE UPDATE, DELETE, TRUNCATE ON events FROM PUBLIC, CURRENT_USER;
