-- +goose Up
-- The user of a session, and where it is used: people see where they are signed in, and end sessions there.
-- Sessions that servers of the previous version begin have no user until a server of this one sees them.
ALTER TABLE sessions
    ADD COLUMN uuid      uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN user_uuid uuid REFERENCES users ON DELETE CASCADE,
    ADD COLUMN began_at  timestamptz,
    ADD COLUMN seen_at   timestamptz,
    ADD COLUMN address   text NOT NULL DEFAULT '',
    ADD COLUMN agent     text NOT NULL DEFAULT '';
CREATE INDEX sessions_by_user ON sessions (user_uuid) WHERE user_uuid IS NOT NULL;

COMMENT ON COLUMN sessions.uuid IS 'What a form names it by; it opens nothing.';
COMMENT ON COLUMN sessions.agent IS 'What the browser says of itself.';
