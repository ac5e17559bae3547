-- +goose Up
-- Webhooks: which events go to which endpoint, the result of each try, and the state of each endpoint. The
-- ledger has the truth about what happened; a delivery that was lost here can be recorded again from it.

CREATE TABLE webhook_endpoints (
    application_uuid uuid        PRIMARY KEY REFERENCES applications,
    url              text,
    busy_with        uuid,
    busy_until       timestamptz,
    failures         integer     NOT NULL DEFAULT 0,
    failing_since    timestamptz,
    probes           integer     NOT NULL DEFAULT 0,
    probe_at         timestamptz,
    disabled_at      timestamptz,
    disabled_for     text        NOT NULL DEFAULT '' CHECK (disabled_for IN ('', 'gone', 'failing')),
    CHECK ((disabled_at IS NULL) = (disabled_for = ''))
) WITH (fillfactor = 50); -- few rows that change often, each on its own page

COMMENT ON COLUMN webhook_endpoints.url IS
    'The address that the rest of the row is about; a new one starts afresh.';
COMMENT ON COLUMN webhook_endpoints.busy_with IS 'The dispatcher that sends to it, alone, until busy_until.';
COMMENT ON COLUMN webhook_endpoints.failures IS 'In a row, since the last success.';
COMMENT ON COLUMN webhook_endpoints.probes IS 'In a row, each after a longer pause.';
COMMENT ON COLUMN webhook_endpoints.probe_at IS 'Nothing is sent before; then one delivery, to see.';

CREATE TABLE webhook_deliveries (
    uuid               uuid        PRIMARY KEY,
    ordinal            bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    application_uuid   uuid        NOT NULL,
    event              text        NOT NULL,
    intent_uuid        uuid,
    sequence           integer,
    reference          text        NOT NULL DEFAULT '',
    merchant_reference text        COLLATE "C" NOT NULL DEFAULT '',
    occurred_at        timestamptz NOT NULL,
    state              text        NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'held')),
    step               integer     NOT NULL DEFAULT 0,
    attempts           integer     NOT NULL DEFAULT 0,
    next_attempt_at    timestamptz,
    last_status        integer,
    UNIQUE (intent_uuid, sequence, application_uuid),
    CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
    CHECK ((event = 'webhook.test') = (intent_uuid IS NULL))
) WITH (fillfactor = 85);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (application_uuid, next_attempt_at)
    WHERE state = 'pending';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (application_uuid) WHERE state = 'held';
CREATE INDEX webhook_deliveries_by_application ON webhook_deliveries (application_uuid, ordinal);
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (application_uuid, ordinal)
    WHERE event = 'webhook.test';

COMMENT ON COLUMN webhook_deliveries.uuid IS 'The webhook-id is evt_ and this; derived from the event.';
COMMENT ON COLUMN webhook_deliveries.sequence IS 'The version of the event in its stream.';
COMMENT ON COLUMN webhook_deliveries.step IS 'How far the schedule is through; a resend begins it anew.';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'All that were ever made.';
COMMENT ON COLUMN webhook_deliveries.last_status IS 'Of the last answer; null where the last try had none.';

CREATE TABLE webhook_tries (
    delivery_uuid uuid        NOT NULL,
    attempt       integer     NOT NULL,
    at            timestamptz NOT NULL,
    duration      interval    NOT NULL,
    status        integer,
    error         text        NOT NULL,
    answer        text        NOT NULL,
    PRIMARY KEY (delivery_uuid, attempt)
);

COMMENT ON COLUMN webhook_tries.error IS
    'The kind of error, empty where the try succeeded; never an address.';
COMMENT ON COLUMN webhook_tries.answer IS 'The beginning of the body that came back.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON webhook_endpoints, webhook_deliveries TO daftar_service;
        GRANT SELECT, INSERT ON webhook_tries TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
