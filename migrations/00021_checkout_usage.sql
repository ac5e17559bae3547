-- +goose Up
-- How many text messages and codes went to acquirers within the last hour, for a telephone number, an
-- intent and a network, so that limits apply to all servers, tabs and links together. A row is useless an
-- hour after its last_at and is deleted then; losing one allows a few more.

CREATE TABLE checkout_usage (
    subject bytea         NOT NULL CHECK (length(subject) = 32),
    kind    text          NOT NULL CHECK (kind IN ('message', 'code')),
    used_at timestamptz[] NOT NULL,
    last_at timestamptz   NOT NULL,
    PRIMARY KEY (subject, kind)
);
CREATE INDEX checkout_usage_by_time ON checkout_usage (last_at);

COMMENT ON COLUMN checkout_usage.subject IS
    'HMAC-SHA-256 of the number, intent or network, under a key derived from DAFTAR_SECRET_KEY.';
COMMENT ON COLUMN checkout_usage.used_at IS
    'When, within the hour before last_at; never more than the limit.';

ALTER TABLE checkout_attempts ADD COLUMN counted_for bytea[];
COMMENT ON COLUMN checkout_attempts.counted_for IS
    'Subjects of checkout_usage, while the attempt is open: number, intent, network.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON checkout_usage TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
