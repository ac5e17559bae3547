-- +goose Up
-- A paid intent takes fewer bytes: rows keep what is read after their end, and indexes what is looked for.
-- The indexes come first, because they are built while others read; what follows takes moments. Servers of
-- the previous version work with all of it. Without the indexes that go, what they read for pages about one
-- payment's webhooks and about methods, and for messages that name no payment, are whole tables, for 8
-- seconds at most.

-- Only a payer who pays at the acquirer can be meant by a message that names no payment: not one who
-- enters a code here.
CREATE INDEX checkout_attempts_elsewhere ON checkout_attempts (acquirer, created_at)
    WHERE bank_url <> '' OR presented <> '';
-- Equal keys are stored once. An attempt is in few of these stages for long, so that no time is needed.
CREATE INDEX checkout_attempts_open ON checkout_attempts (stage) WHERE stage <> 'closed';
CREATE INDEX checkout_attempts_due_of_organization
    ON checkout_attempts (acquirer, organization_uuid, date_bin('10 minutes', ask_at, timestamptz 'epoch'))
    WHERE ask_at IS NOT NULL;
-- Intents' attempts are found by the events of the intents, and expired usage every ten minutes among that
-- of an hour. Deliveries of an intent are found by their ids, which are derived.
DROP INDEX checkout_attempts_recent, checkout_attempts_unsettled, checkout_attempts_due_by_organization,
    checkout_attempts_by_intent, checkout_usage_by_time, webhook_deliveries_by_intent;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    IF NEW.ask_at IS NULL THEN
        NEW.organization_uuid := NULL; -- the other trigger fills it in
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
ALTER TABLE checkout_attempts ALTER COLUMN updated_at DROP NOT NULL;
COMMENT ON COLUMN checkout_attempts.updated_at IS 'Only servers of the previous version write it.';
COMMENT ON COLUMN checkout_attempts.organization_uuid IS
    'Whose payment it is, while the acquirer is to be asked; triggers fill it in and remove it.';

-- A webhook that arrived is rarely sent again: its references are those of the intent. A trigger restores
-- them, also for servers of the previous version.
-- +goose StatementBegin
CREATE FUNCTION restore_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT reference, merchant_reference INTO NEW.reference, NEW.merchant_reference
    FROM intents WHERE uuid = NEW.intent_uuid;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER webhook_deliveries_restore_references BEFORE UPDATE ON webhook_deliveries
    FOR EACH ROW WHEN (NEW.state <> 'delivered' AND NEW.reference = '' AND NEW.intent_uuid IS NOT NULL)
    EXECUTE FUNCTION restore_references();
COMMENT ON COLUMN webhook_deliveries.reference IS 'Empty once it arrived: the intent has it.';
COMMENT ON COLUMN webhook_deliveries.merchant_reference IS 'Empty once it arrived: the intent has it.';

-- The same for how long the try took that delivered it, in 4 bytes instead of 16. Servers of the previous
-- version read it in webhook_log.
ALTER TABLE webhook_deliveries ADD COLUMN try_micros integer;
COMMENT ON COLUMN webhook_deliveries.try_micros IS 'The duration of the try that delivered it.';
COMMENT ON COLUMN webhook_deliveries.try_duration IS 'Of a latest try that did not deliver it.';
-- Servers of the previous version that send such a webhook again store no duration of the earlier try.
ALTER TABLE webhook_tries ALTER COLUMN duration DROP NOT NULL;
CREATE OR REPLACE VIEW webhook_log WITH (security_invoker = true) AS
SELECT delivery_uuid, attempt, at, coalesce(duration, '0') AS duration, status, error, answer
FROM webhook_tries
UNION ALL
SELECT uuid, try_attempt, try_at, coalesce(try_duration, try_micros * interval '1 microsecond'), last_status,
       try_error, try_answer
FROM webhook_deliveries
WHERE try_attempt IS NOT NULL;

-- Room for a state of one or two rows of a page, which suffices: their earlier states are removed soon.
ALTER TABLE intents SET (fillfactor = 95);
ALTER TABLE payments SET (fillfactor = 95);
