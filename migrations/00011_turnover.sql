-- +goose Up
-- What came in, and where to find it: written from the events by the group "turnover", for the
-- organisations' dashboard. The values on pages come from intents; these tables find and add them up.

CREATE TABLE payments (
    intent_uuid      uuid        PRIMARY KEY,
    application_uuid uuid        NOT NULL,
    version          integer     NOT NULL,
    state            text        COLLATE "C" NOT NULL CHECK (state IN ('open', 'succeeded', 'canceled')),
    attempting       boolean     NOT NULL,
    amount           bigint      NOT NULL,
    currency         text        COLLATE "C" NOT NULL,
    reference        text        COLLATE "C" NOT NULL,
    customer_key     bigint,
    created_at       timestamptz NOT NULL,
    succeeded_at     timestamptz,
    canceled_at      timestamptz,
    late             boolean     NOT NULL,
    duplicates       integer     NOT NULL
) WITH (fillfactor = 85); -- an attempt changes no indexed column: its row stays on its page
CREATE INDEX payments_by_application ON payments (application_uuid, state, created_at, intent_uuid);
-- Half the cost of a btree; only used for equality.
CREATE INDEX payments_by_reference ON payments USING hash (reference);
-- Few rows of many.
CREATE INDEX payments_late ON payments (application_uuid, state, created_at, intent_uuid) WHERE late;
CREATE INDEX payments_by_customer ON payments (customer_key, created_at) WHERE customer_key IS NOT NULL;

COMMENT ON TABLE payments IS 'Derived from events; daftar projections rebuild payments makes it anew.';
COMMENT ON COLUMN payments.version IS 'The version of the stream that the row shows.';
COMMENT ON COLUMN payments.state IS
    'What became of the intent; the two statuses of an unpaid one are both open.';
COMMENT ON COLUMN payments.attempting IS 'An attempt is open: the status is processing.';
COMMENT ON COLUMN payments.customer_key IS
    'Eight bytes of the SHA-256 of application and customer: short in the index; intents tells who it is.';
COMMENT ON COLUMN payments.canceled_at IS
    'Kept when a late payment follows: the day whose canceled it is taken off.';

CREATE TABLE turnover (
    application_uuid uuid   NOT NULL,
    day              date   NOT NULL,
    currency         text   COLLATE "C" NOT NULL,
    succeeded_count  bigint NOT NULL,
    succeeded_sum    bigint NOT NULL,
    late_count       bigint NOT NULL,
    late_sum         bigint NOT NULL,
    canceled_count   bigint NOT NULL,
    canceled_sum     bigint NOT NULL,
    duplicate_count  bigint NOT NULL,
    duplicate_sum    bigint NOT NULL,
    PRIMARY KEY (application_uuid, day, currency)
) WITH (fillfactor = 50); -- today's rows are rewritten with every batch

COMMENT ON TABLE turnover IS 'Derived from events; daftar projections rebuild turnover makes it anew.';
COMMENT ON COLUMN turnover.day IS 'Of Tripoli''s calendar, from the time that the event itself tells.';
COMMENT ON COLUMN turnover.succeeded_sum IS
    'In minor units, like all sums; the late ones are among them, duplicates are not.';
COMMENT ON COLUMN turnover.canceled_count IS
    'Intents that were canceled on the day and have not been paid since.';

CREATE TABLE payment_exceptions (
    intent_uuid      uuid        NOT NULL,
    version          integer     NOT NULL,
    application_uuid uuid        NOT NULL,
    kind             text        NOT NULL CHECK (kind IN ('late', 'duplicate')),
    attempt          text        NOT NULL,
    amount           bigint      NOT NULL,
    currency         text        NOT NULL,
    since            timestamptz NOT NULL,
    PRIMARY KEY (intent_uuid, version)
);
CREATE INDEX payment_exceptions_by_application ON payment_exceptions (application_uuid, since);

COMMENT ON TABLE payment_exceptions IS
    'Money that somebody must decide about. Derived from events, together with payments.';
COMMENT ON COLUMN payment_exceptions.version IS 'Of the event that tells of the money.';

CREATE TABLE payment_decisions (
    intent_uuid uuid        NOT NULL,
    version     integer     NOT NULL,
    decided_at  timestamptz NOT NULL,
    decided_by  text        NOT NULL CHECK (decided_by <> ''),
    note        text        NOT NULL CHECK (note <> ''),
    PRIMARY KEY (intent_uuid, version)
);

COMMENT ON TABLE payment_decisions IS
    'What people decided about payment_exceptions. Not derived: no rebuild touches it.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON payments, turnover TO daftar_service;
        GRANT SELECT, INSERT ON payment_exceptions, payment_decisions TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON payments, turnover, payment_exceptions TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
