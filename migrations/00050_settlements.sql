-- +goose Up
-- What people say of the books of a provider account. Where an organisation wants it, one person proposes
-- and another confirms.

CREATE TABLE settlement_proposals (
    uuid              uuid        PRIMARY KEY,
    organization_uuid uuid        NOT NULL REFERENCES organizations (uuid),
    mode              text        NOT NULL,
    acquirer          text        NOT NULL,
    sha256            text        NOT NULL,
    two               boolean     NOT NULL,
    proposed_by       uuid        NOT NULL,
    proposed_at       timestamptz NOT NULL,
    state             text        NOT NULL
                      CHECK (state IN ('proposed', 'recording', 'recorded', 'rejected', 'overtaken')),
    decided_by        uuid        CHECK (state IN ('proposed', 'overtaken') OR decided_by IS NOT NULL),
    proposal          text        NOT NULL,
    -- Whatever a server does, nobody confirms their own.
    CONSTRAINT two_people CHECK (NOT two OR state IN ('proposed', 'rejected', 'overtaken')
                                 OR decided_by <> proposed_by)
);
CREATE INDEX settlement_proposals_waiting ON settlement_proposals (organization_uuid, mode, proposed_at)
    WHERE state IN ('proposed', 'recording');
CREATE UNIQUE INDEX settlement_proposals_statement
    ON settlement_proposals (organization_uuid, mode, acquirer, sha256)
    WHERE state IN ('proposed', 'recording') AND sha256 <> '';

COMMENT ON TABLE settlement_proposals IS 'What people say of the books of a provider account.';
COMMENT ON COLUMN settlement_proposals.sha256 IS 'Of the statement''s file; empty: it is about none.';
COMMENT ON COLUMN settlement_proposals.state IS
    'proposed: another person is to confirm; recording: the ledger is to say so; overtaken: the books had '
    'changed, so that they refused it.';
COMMENT ON COLUMN settlement_proposals.proposal IS
    'JSON; after the end without the settlements: the ledger has what was recorded.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON settlement_proposals TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
