-- +goose Up
-- Organisations that people open themselves have test applications only, until the operator makes
-- them live. What exists, and what servers of the previous version create, is not limited.

ALTER TABLE organizations ADD COLUMN test_only boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN organizations.test_only IS
    'It was opened by its owner and has test applications only; it becomes false once, and stays so.';

-- Here, so that servers of the previous version and people with psql are refused, too.
-- +goose StatementBegin
CREATE FUNCTION refuse_live_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT test_only FROM organizations WHERE uuid = NEW.organization_uuid) THEN
        RAISE EXCEPTION 'the organisation has test applications only'
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'applications_of_tests';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER applications_of_tests BEFORE INSERT OR UPDATE OF organization_uuid ON applications
    FOR EACH ROW WHEN (NEW.mode <> 'test') EXECUTE FUNCTION refuse_live_application();

-- Links by which people open an organisation: one for each address, the latest. A used one stays for
-- a day, because links are limited by day.
CREATE TABLE sign_ups (
    email_key    text        PRIMARY KEY,
    email        text        NOT NULL,
    uuid         uuid        NOT NULL,
    token_hash   bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    used_at      timestamptz
);
COMMENT ON COLUMN sign_ups.uuid IS 'That of the mail that brings the link.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON sign_ups TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
