-- +goose Up
-- Notes of an organisation's members about a payment, for each other. They are kept permanently: the
-- service may not change them.

CREATE TABLE payment_notes (
    uuid        uuid        PRIMARY KEY,
    intent_uuid uuid        NOT NULL,
    written_at  timestamptz NOT NULL,
    written_by  text        NOT NULL CHECK (written_by <> ''),
    note        text        NOT NULL CHECK (note <> '')
);
CREATE INDEX payment_notes_by_intent ON payment_notes (intent_uuid, written_at);

COMMENT ON TABLE payment_notes IS 'Notes on payments. Not derived: no rebuild touches it.';
COMMENT ON COLUMN payment_notes.uuid IS 'Derived from the form that was sent: sent twice, it is one note.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT ON payment_notes TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
