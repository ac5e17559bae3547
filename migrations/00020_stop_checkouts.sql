-- +goose Up
-- Deactivating an application can stop the checkouts that it has opened: no attempt begins any more, and
-- their intents are canceled once no attempt is open.

ALTER TABLE applications ADD COLUMN checkouts_stopped_at timestamptz;
CREATE INDEX applications_stopped ON applications (checkouts_stopped_at)
    WHERE checkouts_stopped_at IS NOT NULL;
COMMENT ON COLUMN applications.checkouts_stopped_at IS
    'No attempt begins since then, by the database''s clock; null: attempts may begin.';

ALTER TABLE expiry_timers ADD COLUMN stopped boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN expiry_timers.stopped IS
    'The merchant has stopped the checkout: it is due before expires_at.';
