-- +goose Up
-- When to check whether an intent has expired: a row for each intent that is neither paid nor canceled,
-- written from the events by the group "expiry". Losing a row here delays a webhook; the first request that
-- reads an overdue intent cancels it.

CREATE TABLE expiry_timers (
    intent_uuid uuid        PRIMARY KEY,
    due_at      timestamptz NOT NULL,
    looks       integer     NOT NULL DEFAULT 0,
    busy_until  timestamptz
) WITH (
    -- Space for busy_until on the row's page, so that a lease changes no index.
    fillfactor = 85,
    -- Every row is deleted: the start of the index must not fill with dead entries.
    autovacuum_vacuum_scale_factor = 0.05
);
CREATE INDEX expiry_timers_due ON expiry_timers (due_at);

COMMENT ON COLUMN expiry_timers.due_at IS
    'expires_at by the ledger''s clock; later where an open attempt is being settled.';
COMMENT ON COLUMN expiry_timers.looks IS 'How often the time had come and an attempt was still open.';
COMMENT ON COLUMN expiry_timers.busy_until IS
    'Until when a server may be at work on it; null or past: nobody is.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON expiry_timers TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
