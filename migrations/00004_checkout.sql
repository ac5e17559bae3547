-- +goose Up
-- What the checkout must remember about a payment attempt in addition to the ledger: at which step the
-- payer is, and when to query the acquirer again. The events have the truth about money; losing a row here
-- loses no money, only the reminder to query.

CREATE TABLE checkout_attempts (
    attempt     text        PRIMARY KEY,
    intent_uuid uuid        NOT NULL,
    acquirer    text        NOT NULL,
    method      text        NOT NULL,
    stage       text        NOT NULL
                CHECK (stage IN ('beginning', 'code', 'bank', 'asking', 'closed', 'quarantined')),
    stage_since timestamptz NOT NULL,
    payer       text        NOT NULL,
    sent_to     text        NOT NULL DEFAULT '',
    code_digits integer     NOT NULL DEFAULT 0,
    code_until  timestamptz,
    tries_left  integer     NOT NULL DEFAULT 0,
    bank_url    text        NOT NULL DEFAULT '',
    asked       integer     NOT NULL DEFAULT 0,
    asked_at    timestamptz,
    ask_at      timestamptz,
    busy_until  timestamptz,
    trouble     text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL
);
CREATE INDEX checkout_attempts_due ON checkout_attempts (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX checkout_attempts_by_intent ON checkout_attempts (intent_uuid);

COMMENT ON COLUMN checkout_attempts.stage_since IS 'The schedule of inquiries counts from here.';
COMMENT ON COLUMN checkout_attempts.payer IS 'Masked; empty where the method has none.';
COMMENT ON COLUMN checkout_attempts.sent_to IS 'Where the acquirer sent the code; masked.';
COMMENT ON COLUMN checkout_attempts.code_until IS
    'When the code lapses; null where the acquirer does not say.';
COMMENT ON COLUMN checkout_attempts.tries_left IS 'After a wrong code; 0 before the first.';
COMMENT ON COLUMN checkout_attempts.asked IS 'How often the acquirer was asked what became of the attempt.';
COMMENT ON COLUMN checkout_attempts.ask_at IS
    'When the acquirer is to be asked next; null: not until somebody hints.';
COMMENT ON COLUMN checkout_attempts.busy_until IS
    'Until when a server may be talking to the acquirer about it.';
COMMENT ON COLUMN checkout_attempts.trouble IS
    'Why an operator must look: what the acquirer said does not match.';
