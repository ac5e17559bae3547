-- +goose Up
-- Mail that waits to be sent, and which accounts have proved that mail to their address reaches them.

ALTER TABLE users ADD COLUMN email_proved_at timestamptz;
COMMENT ON COLUMN users.email_proved_at IS
    'When a link that went to the address by mail was used; null: not proved.';

ALTER TABLE users ADD COLUMN by_operator boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.by_operator IS
    'An operator made the account and handed over its password; false: a link of an invitation did.';
UPDATE users u SET by_operator = true
WHERE EXISTS (SELECT FROM audit_records r WHERE r.action = 'user.create' AND r.subject_uuid = u.uuid);

ALTER TABLE invitations ADD COLUMN by_mail boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN invitations.by_mail IS
    'The link went to the address and nowhere else; false: it was shown to whoever invited.';

CREATE TABLE mails (
    uuid            uuid        PRIMARY KEY,
    state           text        NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
    message         bytea,
    attempts        integer     NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT '-infinity',
    error           text        NOT NULL DEFAULT '',
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    CHECK ((state = 'pending') = (message IS NOT NULL)),
    CHECK ((state = 'pending') = (finished_at IS NULL))
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'pending';
CREATE INDEX mails_by_end ON mails (finished_at) WHERE state <> 'pending';

COMMENT ON COLUMN mails.uuid IS 'That of the invitation which the mail brings.';
COMMENT ON COLUMN mails.message IS
    'Address, subject and text, AES-256-GCM under DAFTAR_SECRET_KEY; null once it is sent or given up.';
COMMENT ON COLUMN mails.next_attempt_at IS
    'Before that no server tries it; a server that claims a mail moves this on.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON mails TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
