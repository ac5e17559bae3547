-- +goose Up
-- Refunds. The ledger has the refunded money, in intent.refund_recorded; this has the refunds that were
-- requested and are under way.

CREATE TABLE refunds (
    uuid               uuid        PRIMARY KEY,
    intent_uuid        uuid        NOT NULL,
    application_uuid   uuid        NOT NULL REFERENCES applications (uuid),
    attempt            text        NOT NULL,
    acquirer           text        NOT NULL,
    amount             bigint      NOT NULL CHECK (amount > 0),
    currency           text        NOT NULL,
    by_acquirer        boolean     NOT NULL,
    state              text        NOT NULL
                       CHECK (state IN ('requested', 'asking', 'unknown', 'recording', 'recorded', 'failed')),
    provider_reference text        NOT NULL DEFAULT '',
    trouble            text        NOT NULL DEFAULT '',
    evidence           text        NOT NULL DEFAULT '' CHECK (evidence IN ('', 'acquirer', 'person')),
    note               text        NOT NULL,
    actor              text        NOT NULL,
    requested_by       text        NOT NULL,
    requested_at       timestamptz NOT NULL,
    busy_until         timestamptz,
    ended_at           timestamptz,
    CHECK ((state IN ('recorded', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((state = 'asking') <= (busy_until IS NOT NULL))
);
-- One at a time: the second waits until the result of the first is known.
CREATE UNIQUE INDEX refunds_under_way ON refunds (attempt) WHERE ended_at IS NULL;
CREATE INDEX refunds_by_intent ON refunds (intent_uuid, requested_at);
CREATE INDEX refunds_by_application ON refunds (application_uuid, requested_at);

COMMENT ON COLUMN refunds.by_acquirer IS
    'The acquirer is asked to give the money back; otherwise somebody says that it went back.';
COMMENT ON COLUMN refunds.state IS
    'requested: a server is to ask; asking: one does; unknown: a person has to find out; recording: it '
    'went back, and the ledger is to say so.';
COMMENT ON COLUMN refunds.trouble IS 'Why it is unknown or failed, as a word.';
COMMENT ON COLUMN refunds.actor IS 'As the ledger has it; requested_by is how people know them.';

-- What the read models have of it.
ALTER TABLE payments ADD COLUMN refunded bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN payments.refunded IS 'What went back of all that was paid for the intent, in minor units.';
ALTER TABLE turnover
    ADD COLUMN refund_count bigint NOT NULL DEFAULT 0,
    ADD COLUMN refund_sum bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN turnover.refund_sum IS 'Of the day on which it was recorded; taken off no other sum.';
ALTER TABLE webhook_deliveries ADD COLUMN refund text;
COMMENT ON COLUMN webhook_deliveries.refund IS
    'What went back, as JSON, as the webhook has it; null for other events.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON refunds TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
