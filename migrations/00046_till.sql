-- +goose Up
-- The till: a page of an application on which customers pay what they type, and receipts that members
-- checked.

CREATE TABLE shop_pages (
    application_uuid uuid        PRIMARY KEY REFERENCES applications (uuid),
    name             text        COLLATE "C" NOT NULL UNIQUE
                                 CHECK (name ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'),
    description_ar   text        NOT NULL DEFAULT '',
    description_en   text        NOT NULL DEFAULT '',
    fixed_minor      bigint      CHECK (fixed_minor BETWEEN 1000 AND 1000000000),
    enabled          boolean     NOT NULL,
    changed_at       timestamptz NOT NULL
);
COMMENT ON COLUMN shop_pages.name IS
    'In the address, which is on paper: it is chosen once, and no other application gets it.';
COMMENT ON COLUMN shop_pages.fixed_minor IS 'In dirhams; null: customers type the amount.';

CREATE TABLE receipt_checks (
    intent_uuid uuid        PRIMARY KEY,
    user_uuid   uuid        NOT NULL,
    form        text        NOT NULL,
    checked_at  timestamptz NOT NULL
);
COMMENT ON TABLE receipt_checks IS 'The first check of each receipt by a member of its organisation.';
COMMENT ON COLUMN receipt_checks.form IS 'The number of the form: one that is sent again is the same check.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON shop_pages TO daftar_service;
        GRANT SELECT, INSERT ON receipt_checks TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
