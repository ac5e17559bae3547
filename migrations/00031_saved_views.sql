-- +goose Up
-- Views of the list of payments that a person has given a name: the query in the address of the list.
CREATE TABLE saved_views (
    uuid              uuid        PRIMARY KEY,
    user_uuid         uuid        NOT NULL REFERENCES users,
    organization_uuid uuid        NOT NULL REFERENCES organizations,
    name              text        NOT NULL CHECK (name <> ''),
    query             text        NOT NULL CHECK (query <> ''),
    created_at        timestamptz NOT NULL,
    UNIQUE (user_uuid, organization_uuid, name)
);
COMMENT ON TABLE saved_views IS
    'Each person''s own; nobody else sees them, and the audit trail does not tell of them.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
