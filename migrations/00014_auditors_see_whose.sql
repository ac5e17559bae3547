-- +goose Up
-- Auditors may read which applications an organisation has, to export its events, but nothing of the
-- credentials.

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT (uuid, organization_uuid, name) ON applications TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
