-- +goose Up
-- The mails that members choose to get about the payments of an organisation.

CREATE TABLE mail_preferences (
    user_uuid         uuid        NOT NULL,
    organization_uuid uuid        NOT NULL,
    token             uuid        NOT NULL DEFAULT gen_random_uuid(),
    payments          boolean     NOT NULL DEFAULT false,
    decisions         boolean     NOT NULL DEFAULT false,
    daily_hour        smallint    CHECK (daily_hour BETWEEN 0 AND 23),
    chosen_at         timestamptz,
    noticed           bigint      NOT NULL DEFAULT 0,
    due_at            timestamptz,
    busy_until        timestamptz,
    daily_at          timestamptz,
    mailed_at         timestamptz,
    mail_uuid         uuid,
    mail_through      bigint      NOT NULL DEFAULT 0,
    failures          smallint    NOT NULL DEFAULT 0,
    PRIMARY KEY (user_uuid, organization_uuid),
    FOREIGN KEY (user_uuid, organization_uuid) REFERENCES memberships ON DELETE CASCADE,
    CHECK ((daily_hour IS NULL) = (daily_at IS NULL))
);
CREATE UNIQUE INDEX mail_preferences_by_token ON mail_preferences (token);
CREATE INDEX mail_preferences_by_organization ON mail_preferences (organization_uuid);
CREATE INDEX mail_preferences_due ON mail_preferences (due_at) WHERE due_at IS NOT NULL;

COMMENT ON COLUMN mail_preferences.token IS 'In the links that end the mails: it can do nothing else.';
COMMENT ON COLUMN mail_preferences.daily_hour IS 'Of Libya''s time; null: no summary of the day.';
COMMENT ON COLUMN mail_preferences.chosen_at IS
    'Null: the member has chosen nothing, and as an owner or developer is told of endpoints that stop.';
COMMENT ON COLUMN mail_preferences.noticed IS
    'The position of the last event that is among the notices, or that was there before the choice.';
COMMENT ON COLUMN mail_preferences.due_at IS 'When a server looks at the row again; null: nothing waits.';
COMMENT ON COLUMN mail_preferences.busy_until IS 'A server works on the row until then.';
COMMENT ON COLUMN mail_preferences.daily_at IS 'When the next summary is due: it is of the day before.';
COMMENT ON COLUMN mail_preferences.mailed_at IS 'When the last mail was queued or, once known, sent.';
COMMENT ON COLUMN mail_preferences.mail_uuid IS
    'The mail that is on its way; its notices, up to mail_through, stay until it was sent.';
COMMENT ON COLUMN mail_preferences.failures IS 'Mails in a row that were not taken.';

-- What a member is to be told, until a mail that tells it was sent.
CREATE TABLE notices (
    user_uuid         uuid        NOT NULL,
    organization_uuid uuid        NOT NULL,
    ordinal           bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind              text        NOT NULL CHECK (kind IN ('paid', 'late', 'duplicate', 'refund_failed',
                                                           'unknown_payment', 'unknown_refund', 'stopped')),
    application_uuid  uuid        NOT NULL,
    intent_uuid       uuid,
    attempt           text        NOT NULL,
    amount            bigint      NOT NULL,
    currency          text        NOT NULL,
    reason            text        NOT NULL,
    at                timestamptz NOT NULL,
    PRIMARY KEY (user_uuid, organization_uuid, ordinal),
    FOREIGN KEY (user_uuid, organization_uuid) REFERENCES mail_preferences ON DELETE CASCADE
);
COMMENT ON COLUMN notices.intent_uuid IS 'Null for an endpoint.';

-- The unknown outcomes of which members were told.
CREATE TABLE unknown_noticed (
    kind    text        NOT NULL CHECK (kind IN ('payment', 'refund')),
    subject text        NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (kind, subject)
);
COMMENT ON TABLE unknown_noticed IS 'Rows are deleted after a month: what is still unknown is told again.';

-- What a member who leaves was to be told is not sent.
-- +goose StatementBegin
CREATE FUNCTION withdraw_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mails WHERE uuid = OLD.mail_uuid AND state = 'pending';
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER withdraw_notice AFTER DELETE ON mail_preferences
FOR EACH ROW WHEN (OLD.mail_uuid IS NOT NULL) EXECUTE FUNCTION withdraw_notice();

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON mail_preferences, notices, unknown_noticed TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
