-- +goose Up
-- Most webhooks arrive at the first try. The row of a delivery has its latest try, and webhook_tries the
-- earlier ones; webhook_log has all.
ALTER TABLE webhook_deliveries
    ADD COLUMN try_attempt  integer,
    ADD COLUMN try_at       timestamptz,
    ADD COLUMN try_duration interval,
    ADD COLUMN try_error    text,
    ADD COLUMN try_answer   text,
    -- An update changes indexed columns, so free space on the page would not help.
    SET (fillfactor = 100);
COMMENT ON COLUMN webhook_deliveries.try_attempt IS
    'The number of the latest try, whose status is last_status; null before the first, and where '
    'webhook_tries has it.';

CREATE VIEW webhook_log WITH (security_invoker = true) AS
SELECT delivery_uuid, attempt, at, duration, status, error, answer FROM webhook_tries
UNION ALL
SELECT uuid, try_attempt, try_at, try_duration, last_status, try_error, try_answer
FROM webhook_deliveries
WHERE try_attempt IS NOT NULL;
COMMENT ON VIEW webhook_log IS 'Every try of every delivery.';

-- The uuid of a delivery is derived from the intent and the sequence, so its key allows one delivery for
-- each event. The other unique key was also used to find an intent's deliveries; an index that is not
-- unique stores each intent once.
CREATE INDEX webhook_deliveries_by_intent ON webhook_deliveries (intent_uuid) WHERE intent_uuid IS NOT NULL;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_intent_uuid_sequence_application_uuid_key;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT ON webhook_log TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
