-- +goose Up
-- What people say became of payments and refunds whose outcome is unknown. Where an organisation wants it,
-- one person proposes and another confirms.

ALTER TABLE organizations
    ADD COLUMN four_eyes_above bigint CHECK (four_eyes_above >= 0),
    ADD COLUMN four_eyes_loosened_by uuid REFERENCES users (uuid) ON DELETE SET NULL;
COMMENT ON COLUMN organizations.four_eyes_above IS
    'More than this many minor units need a second person; null: nothing does.';
COMMENT ON COLUMN organizations.four_eyes_loosened_by IS
    'Who made that weaker, and has had no second person for it: they settle nothing alone.';

CREATE TABLE outcome_proposals (
    uuid               uuid        PRIMARY KEY,
    kind               text        NOT NULL CHECK (kind IN ('payment', 'refund')),
    subject            text        NOT NULL,
    application_uuid   uuid        NOT NULL REFERENCES applications (uuid),
    intent_uuid        uuid        NOT NULL,
    attempt            text        NOT NULL,
    verdict            text        NOT NULL CHECK (verdict IN ('paid', 'refunded', 'failed')),
    provider_reference text        NOT NULL,
    note               text        NOT NULL,
    statement          text        NOT NULL,
    needs              text        NOT NULL CHECK (needs IN ('one', 'two')),
    state              text        NOT NULL
                       CHECK (state IN ('proposed', 'recording', 'recorded', 'rejected', 'overtaken')),
    proposed_by        uuid        NOT NULL,
    proposer           text        NOT NULL,
    proposed_at        timestamptz NOT NULL,
    decided_by         uuid,
    decider            text        NOT NULL DEFAULT '',
    decided_at         timestamptz,
    busy_until         timestamptz,
    ended_at           timestamptz,
    CHECK ((state IN ('recorded', 'rejected', 'overtaken')) = (ended_at IS NOT NULL)),
    CHECK (state IN ('proposed', 'overtaken') OR decided_by IS NOT NULL),
    -- Whatever a server does, nobody confirms their own.
    CONSTRAINT two_people CHECK (needs = 'one' OR state IN ('proposed', 'rejected', 'overtaken')
                                 OR decided_by <> proposed_by)
);
CREATE INDEX outcome_proposals_by_intent ON outcome_proposals (intent_uuid);
CREATE UNIQUE INDEX outcome_proposals_open ON outcome_proposals (kind, subject) WHERE ended_at IS NULL;

COMMENT ON TABLE outcome_proposals IS 'What people say became of something whose outcome is unknown.';
COMMENT ON COLUMN outcome_proposals.subject IS 'The attempt of the payment, or the uuid of the refund.';
COMMENT ON COLUMN outcome_proposals.statement IS 'The line of a statement that shows it; empty: none.';
COMMENT ON COLUMN outcome_proposals.state IS
    'proposed: another person is to confirm; recording: the ledger is to say so; overtaken: the outcome '
    'became known in another way.';

-- What statements show of them, until their outcome is known.
CREATE TABLE statement_proofs (
    kind               text        NOT NULL CHECK (kind IN ('payment', 'refund')),
    subject            text        NOT NULL,
    found_by           uuid        NOT NULL REFERENCES users (uuid) ON DELETE CASCADE,
    finder             text        NOT NULL,
    found_at           timestamptz NOT NULL,
    verdict            text        NOT NULL CHECK (verdict IN ('paid', 'refunded', 'failed')),
    line               integer     NOT NULL CHECK (line >= 0),
    provider_reference text        NOT NULL,
    amount             bigint      NOT NULL,
    at                 timestamptz,
    PRIMARY KEY (kind, subject, found_by)
);
COMMENT ON COLUMN statement_proofs.line IS
    'Of the file; 0: the statement covers the time of the attempt, and no line names it.';

-- A refund that a person settled has both people and the line in the ledger.
ALTER TABLE refunds
    ADD COLUMN proposed_by text NOT NULL DEFAULT '',
    ADD COLUMN statement text NOT NULL DEFAULT '';
COMMENT ON COLUMN refunds.proposed_by IS
    'Who said first what became of it, as the ledger has them; empty: the actor alone did.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON outcome_proposals TO daftar_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON statement_proofs TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
