-- +goose Up
-- Refunds that programs request. Several refunds of an attempt may be under way: a server that requests one
-- takes the lock of the intent's refunds, and then finds out how much the others leave.

ALTER TABLE refunds
    ADD COLUMN reference text,
    ADD COLUMN reason text,
    ADD COLUMN updated_at timestamptz,
    ADD COLUMN unrecorded text NOT NULL DEFAULT '' CHECK (unrecorded IN ('', 'failure'));
COMMENT ON COLUMN refunds.reference IS 'The merchant''s own; null for a refund that a person requested.';
COMMENT ON COLUMN refunds.reason IS 'What the merchant''s request had; note is what the ledger has.';
COMMENT ON COLUMN refunds.updated_at IS 'When the state changed that merchants see.';
COMMENT ON COLUMN refunds.busy_until IS
    'asking: until when a server may be at it; requested, recording and unrecorded: not before this another '
    'one takes it up.';
-- A word, and not a boolean: without statistics PostgreSQL takes half of a table's booleans for true, and
-- would read the whole table.
COMMENT ON COLUMN refunds.unrecorded IS 'failure: it failed, and the ledger does not say so yet.';

UPDATE refunds SET updated_at = coalesce(ended_at, requested_at);
ALTER TABLE refunds ALTER COLUMN updated_at SET NOT NULL;

DROP INDEX refunds_under_way;
CREATE INDEX refunds_under_way ON refunds (attempt)
    WHERE ended_at IS NULL OR unrecorded = 'failure';

-- Servers of the previous release write no updated_at. They know no reservations, so they begin a refund
-- only where no other of the attempt is under way; with no row returned they say so.
-- +goose StatementBegin
CREATE FUNCTION refuse_second_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(x'72666e64'::int, hashtext(NEW.intent_uuid::text)); -- as package refunds
    IF EXISTS (SELECT FROM refunds WHERE attempt = NEW.attempt AND ended_at IS NULL) THEN
        RETURN NULL;
    END IF;
    NEW.updated_at := NEW.requested_at;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER refunds_of_previous_release BEFORE INSERT ON refunds
    FOR EACH ROW WHEN (NEW.updated_at IS NULL)
    EXECUTE FUNCTION refuse_second_refund();
