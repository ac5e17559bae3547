-- +goose Up
-- A paid intent takes fewer bytes. Indexes come first, because they are built while others read; what follows
-- takes moments. Servers of the previous version work with all of it, but their pages about an
-- organisation's webhooks read all its deliveries, for 8 seconds at most.

-- Equal keys are stored once: the 128 deliveries that follow each other are a run.
CREATE INDEX webhook_deliveries_by_run ON webhook_deliveries (application_uuid, (ordinal / 128));
-- Buckets of a hash index are split when they are full on average, and not at three quarters.
CREATE INDEX payments_by_full_reference ON payments USING hash (reference) WITH (fillfactor = 100);
DROP INDEX webhook_deliveries_by_application, payments_by_reference;
ALTER INDEX payments_by_full_reference RENAME TO payments_by_reference;

-- What arrived has no next step, and its latest try is the last of its attempts.
ALTER TABLE webhook_deliveries ALTER COLUMN step DROP NOT NULL;
COMMENT ON COLUMN webhook_deliveries.step IS 'Tries made of the schedule; null once it arrived.';
COMMENT ON COLUMN webhook_deliveries.try_attempt IS 'The latest try; null where it delivered.';
CREATE OR REPLACE VIEW webhook_log WITH (security_invoker = true) AS
SELECT delivery_uuid, attempt, at, coalesce(duration, '0') AS duration, status, error, answer
FROM webhook_tries
UNION ALL
SELECT uuid, coalesce(try_attempt, attempts), try_at,
       coalesce(try_duration, try_micros * interval '1 microsecond'), last_status, try_error, try_answer
FROM webhook_deliveries
WHERE try_at IS NOT NULL;

-- Servers of the previous version keep an earlier try by its number.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION restore_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.try_attempt := coalesce(NEW.try_attempt, NEW.attempts);
    SELECT reference, merchant_reference INTO NEW.reference, NEW.merchant_reference
    FROM intents WHERE uuid = NEW.intent_uuid;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
