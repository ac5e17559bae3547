-- +goose Up
-- How the pages of an application look, and where its customers find help.

CREATE TABLE brands (
    application_uuid uuid        PRIMARY KEY REFERENCES applications (uuid),
    name_ar          text        NOT NULL DEFAULT '',
    name_en          text        NOT NULL DEFAULT '',
    accent           text        NOT NULL DEFAULT '' CHECK (accent ~ '^(#[0-9a-f]{6})?$'),
    phone            text        NOT NULL DEFAULT '' CHECK (phone ~ '^(\+[1-9][0-9]{7,14})?$'),
    whatsapp         text        NOT NULL DEFAULT '' CHECK (whatsapp ~ '^(\+[1-9][0-9]{7,14})?$'),
    website          text        NOT NULL DEFAULT '',
    address          text        NOT NULL DEFAULT '',
    logo             text        NOT NULL DEFAULT '' CHECK (logo ~ '^([0-9a-f]{32})?$'),
    mark             bytea       CHECK (octet_length(mark) <= 65536),
    icon             bytea       CHECK (octet_length(icon) <= 8192),
    share            bytea       CHECK (octet_length(share) <= 262144),
    changed_at       timestamptz NOT NULL,
    CHECK ((logo = '') = (mark IS NULL) AND (logo = '') = (icon IS NULL) AND (logo = '') = (share IS NULL))
);

COMMENT ON COLUMN brands.name_ar IS 'Empty: the name of the application.';
COMMENT ON COLUMN brands.phone IS 'In its international form, as is whatsapp.';
COMMENT ON COLUMN brands.logo IS 'The sum of the pictures; empty: there are none.';
COMMENT ON COLUMN brands.mark IS
    'What pages show; icon is for the browser''s tab, share for the preview of a link. PNG or JPEG, made '
    'by the service.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON brands TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
