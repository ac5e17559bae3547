-- +goose Up
-- The last requests of each application to the API, for its developers. They are not part of the ledger:
-- the table is unlogged, so that writing it costs no write-ahead log and no flush. After a crash of the
-- database, and on a standby that was promoted, it is empty.
CREATE UNLOGGED TABLE api_requests (
    application_uuid uuid        NOT NULL,
    ordinal          bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    at               timestamptz NOT NULL,
    micros           integer     NOT NULL,
    request_id       text        NOT NULL,
    method           text        NOT NULL,
    route            text        NOT NULL,
    intent_uuid      uuid,
    query            text        NOT NULL,
    status           smallint    NOT NULL,
    replayed         boolean     NOT NULL,
    error            text        NOT NULL,
    skipped          integer     NOT NULL,
    PRIMARY KEY (application_uuid, ordinal)
);
COMMENT ON TABLE api_requests IS
    'About a thousand of each application; the oldest are deleted when new ones come.';
COMMENT ON COLUMN api_requests.at IS 'When it came.';
COMMENT ON COLUMN api_requests.micros IS 'How long it took until it was answered.';
COMMENT ON COLUMN api_requests.route IS 'The path with names in place of what varies.';
COMMENT ON COLUMN api_requests.intent_uuid IS 'The intent that the path names, or the answer to a create.';
COMMENT ON COLUMN api_requests.query IS 'Without values that could be of a customer, or a credential.';
COMMENT ON COLUMN api_requests.error IS
    'The beginning of the body of a refusal, without names that the sender chose.';
COMMENT ON COLUMN api_requests.skipped IS 'How many requests just before it are not in the table.';

COMMENT ON COLUMN mails.uuid IS
    'That of the invitation which the mail brings; of another mail, one of its own.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, DELETE ON api_requests TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
