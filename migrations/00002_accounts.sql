-- +goose Up
-- Organisations, their applications and their credentials. Keys and tokens are kept as SHA-256 hashes only.

CREATE TABLE organizations (
    uuid       uuid        PRIMARY KEY,
    name       text        NOT NULL CHECK (name <> ''),
    created_at timestamptz NOT NULL
);

CREATE TABLE applications (
    uuid                     uuid        PRIMARY KEY,
    organization_uuid        uuid        NOT NULL REFERENCES organizations,
    name                     text        NOT NULL CHECK (name <> ''),
    active                   boolean     NOT NULL,
    namespace                uuid        NOT NULL UNIQUE,
    webhook_url              text,
    api_key_hash             bytea       NOT NULL UNIQUE CHECK (length(api_key_hash) = 32),
    api_key_ending           text        NOT NULL,
    api_key_rolled_at        timestamptz NOT NULL,
    api_key_last_used_at     timestamptz,
    webhook_secret           bytea       NOT NULL,
    webhook_secret_rolled_at timestamptz NOT NULL,
    created_at               timestamptz NOT NULL
);
CREATE INDEX applications_by_organization ON applications (organization_uuid);

COMMENT ON COLUMN applications.namespace IS
    'Secret: the ids of the application''s intents are derived from it. Never changes.';
COMMENT ON COLUMN applications.webhook_secret IS 'AES-256-GCM under DAFTAR_SECRET_KEY.';

CREATE TABLE access_tokens (
    uuid              uuid        PRIMARY KEY,
    organization_uuid uuid        NOT NULL REFERENCES organizations,
    name              text        NOT NULL CHECK (name <> ''),
    token_hash        bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    token_ending      text        NOT NULL,
    expires_at        timestamptz,
    revoked_at        timestamptz,
    last_used_at      timestamptz,
    created_at        timestamptz NOT NULL
);
CREATE INDEX access_tokens_by_organization ON access_tokens (organization_uuid);

-- A server may cache a credential only while this number is the same. It is read inside the statements that
-- do the work, so a change below takes effect at once, on every server, without a separate query.
CREATE TABLE credential_epoch (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    epoch  bigint  NOT NULL
);
INSERT INTO credential_epoch (epoch) VALUES (1);

-- +goose StatementBegin
CREATE FUNCTION advance_credential_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE credential_epoch SET epoch = epoch + 1;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Triggers, so that no code path and no operator's SQL can forget it.
CREATE TRIGGER applications_advance_epoch
    AFTER UPDATE OF organization_uuid, active, namespace, api_key_hash OR DELETE OR TRUNCATE ON applications
    FOR EACH STATEMENT EXECUTE FUNCTION advance_credential_epoch();
CREATE TRIGGER access_tokens_advance_epoch
    AFTER UPDATE OF organization_uuid, token_hash, expires_at, revoked_at OR DELETE OR TRUNCATE
    ON access_tokens
    FOR EACH STATEMENT EXECUTE FUNCTION advance_credential_epoch();
