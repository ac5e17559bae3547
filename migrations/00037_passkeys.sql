-- +goose Up
-- Passkeys: keys of the user's devices that sign in instead of the password, or after it. Servers of the
-- previous version do not know them: until they are replaced, they accept the password alone for users who
-- have asked for a passkey after it.
CREATE TABLE passkeys (
    uuid            uuid        PRIMARY KEY,
    user_uuid       uuid        NOT NULL REFERENCES users,
    credential_id   bytea       NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1023),
    public_key      bytea       NOT NULL,
    sign_count      bigint      NOT NULL,
    backup_eligible boolean     NOT NULL,
    transports      text[]      NOT NULL,
    name            text        NOT NULL CHECK (name <> ''),
    created_at      timestamptz NOT NULL,
    last_used_at    timestamptz
);
CREATE INDEX passkeys_by_user ON passkeys (user_uuid, created_at);

COMMENT ON COLUMN passkeys.credential_id IS 'What the device calls it; no two users have the same.';
COMMENT ON COLUMN passkeys.public_key IS 'COSE. The private key never leaves the device.';
COMMENT ON COLUMN passkeys.sign_count IS
    'How often it has signed, where the device counts; a copy of the device would count again.';
COMMENT ON COLUMN passkeys.transports IS 'How the browser reaches the device, for its own hints.';

-- Answered challenges, until they expire: none is answered twice.
CREATE TABLE passkey_challenges (
    hash       bytea       PRIMARY KEY CHECK (length(hash) = 32),
    expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);

ALTER TABLE users
    ADD COLUMN passkey_handle bytea UNIQUE CHECK (length(passkey_handle) = 64),
    ADD COLUMN asks_passkey   boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN users.passkey_handle IS 'Random; what devices know the user by. Null: never had a passkey.';
COMMENT ON COLUMN users.asks_passkey IS
    'The password alone does not sign in: a passkey is asked for after it.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON passkeys, passkey_challenges TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
