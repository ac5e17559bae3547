-- +goose Up
-- Which columns of an acquirer's statement hold what, as a member of the organisation chose them.

CREATE TABLE statement_formats (
    organization_uuid uuid  NOT NULL REFERENCES organizations (uuid),
    acquirer          text  NOT NULL,
    unit              text  NOT NULL CHECK (unit IN ('', 'dinars', 'dirhams')),
    columns           jsonb NOT NULL,
    PRIMARY KEY (organization_uuid, acquirer)
);
COMMENT ON TABLE statement_formats IS 'Each comparison that was made with a choice replaces the row.';
COMMENT ON COLUMN statement_formats.unit IS 'Of the amounts; empty: as the acquirer''s API has them.';
COMMENT ON COLUMN statement_formats.columns IS
    'The name of the column of each field; an empty name: it is not read. Empty: by the usual names.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON statement_formats TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
