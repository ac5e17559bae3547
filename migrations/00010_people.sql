-- +goose Up
-- The people of an organisation: who they are, what they may do, how they sign in, and the record of what
-- they did.

CREATE TABLE users (
    uuid                uuid        PRIMARY KEY,
    email               text        NOT NULL,
    email_key           text        COLLATE "C" NOT NULL UNIQUE CHECK (email_key <> ''),
    password            text        NOT NULL,
    session_epoch       bigint      NOT NULL DEFAULT 1,
    totp_secret         bytea,
    totp_pending        bytea,
    totp_last_step      bigint      NOT NULL DEFAULT 0,
    signed_in_from      text        NOT NULL DEFAULT '',
    password_changed_at timestamptz NOT NULL,
    created_at          timestamptz NOT NULL
);

COMMENT ON COLUMN users.email_key IS 'The address in lower case: no two users differ by case alone.';
COMMENT ON COLUMN users.password IS 'argon2id in the PHC form.';
COMMENT ON COLUMN users.session_epoch IS
    'A session counts while it carries this number; a new password advances it.';
COMMENT ON COLUMN users.totp_secret IS 'AES-256-GCM under DAFTAR_SECRET_KEY; null: no second factor.';
COMMENT ON COLUMN users.totp_pending IS 'Sealed likewise; shown, and not yet confirmed with a code.';
COMMENT ON COLUMN users.totp_last_step IS
    'The time step of the last code that was taken: none is taken twice.';
COMMENT ON COLUMN users.signed_in_from IS
    'The network of the last sign-in: strangers'' failures do not delay it.';

CREATE TABLE recovery_codes (
    user_uuid uuid  NOT NULL REFERENCES users,
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
    used_at   timestamptz,
    PRIMARY KEY (user_uuid, code_hash)
);

CREATE TABLE memberships (
    user_uuid         uuid        NOT NULL REFERENCES users,
    organization_uuid uuid        NOT NULL REFERENCES organizations,
    role              text        NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
    created_at        timestamptz NOT NULL,
    PRIMARY KEY (user_uuid, organization_uuid)
);
CREATE INDEX memberships_by_organization ON memberships (organization_uuid);

CREATE TABLE invitations (
    uuid              uuid        PRIMARY KEY,
    organization_uuid uuid        NOT NULL REFERENCES organizations,
    email             text        NOT NULL,
    role              text        NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
    token_hash        bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    invited_by        text        NOT NULL,
    created_at        timestamptz NOT NULL,
    expires_at        timestamptz NOT NULL,
    accepted_at       timestamptz,
    revoked_at        timestamptz
);
CREATE INDEX invitations_by_organization ON invitations (organization_uuid, created_at);

CREATE TABLE sessions (
    token      text        COLLATE "C" PRIMARY KEY,
    data       bytea       NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (expires_at);

COMMENT ON COLUMN sessions.token IS 'The hash of what the browser has.';

-- How often signing in has failed recently. Losing rows here allows a few more guesses.
CREATE TABLE sign_in_failures (
    key           bytea       PRIMARY KEY,
    failures      integer     NOT NULL,
    last_at       timestamptz NOT NULL,
    blocked_until timestamptz NOT NULL,
    recorded_for  timestamptz
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);

COMMENT ON COLUMN sign_in_failures.key IS
    'SHA-256 of what is being guessed at, or of the network that guesses.';
COMMENT ON COLUMN sign_in_failures.recorded_for IS
    'The delay of which the audit trail tells already: once each.';

-- Who did what. A change and its record are one transaction: no record, no change.
CREATE TABLE audit_records (
    position          bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    organization_uuid uuid,
    at                timestamptz NOT NULL,
    actor             text        NOT NULL CHECK (actor <> ''),
    user_uuid         uuid,
    action            text        NOT NULL CHECK (action <> ''),
    subject           text        NOT NULL DEFAULT '',
    subject_uuid      uuid,
    detail            json        NOT NULL,
    address           text        NOT NULL,
    request_id        text        NOT NULL,
    outcome           text        NOT NULL CHECK (outcome IN ('done', 'denied', 'failed'))
);
CREATE INDEX audit_records_by_organization ON audit_records (organization_uuid, position);

COMMENT ON TABLE audit_records IS 'Append-only. UPDATE, DELETE and TRUNCATE are refused to everyone.';
COMMENT ON COLUMN audit_records.organization_uuid IS
    'Null where no organisation is concerned; a sign-in has a record for each.';
COMMENT ON COLUMN audit_records.detail IS 'Names and roles; never the value of a credential.';

-- +goose StatementBegin
CREATE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the audit trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER audit_records_are_append_only BEFORE UPDATE OR DELETE ON audit_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER audit_records_are_never_truncated BEFORE TRUNCATE ON audit_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
ALTER TABLE audit_records ENABLE ALWAYS TRIGGER audit_records_are_append_only;
ALTER TABLE audit_records ENABLE ALWAYS TRIGGER audit_records_are_never_truncated;

REVOKE UPDATE, DELETE, TRUNCATE ON audit_records FROM PUBLIC, CURRENT_USER;

-- From where a credential was last used: this breaks when it is replaced.
ALTER TABLE applications ADD COLUMN api_key_last_used_from text;
ALTER TABLE access_tokens ADD COLUMN last_used_from text;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON users, invitations TO daftar_service;
        GRANT SELECT, INSERT, UPDATE, DELETE ON memberships, recovery_codes, sessions, sign_in_failures
            TO daftar_service;
        GRANT SELECT, INSERT ON audit_records TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON audit_records TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
