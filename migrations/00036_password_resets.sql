-- +goose Up
-- Links by which people choose a new password when they have forgotten theirs: one for each account, the
-- latest.
CREATE TABLE password_resets (
    user_uuid    uuid        PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    uuid         uuid        NOT NULL,
    token_hash   bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
COMMENT ON COLUMN password_resets.uuid IS 'That of the mail that brings the link.';

-- An invited person may need a password before being a member of anything.
CREATE INDEX invitations_open_by_email ON invitations (lower(email))
    WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, DELETE ON password_resets TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
