-- +goose Up
-- A webhook reports whether the payment was late, and its time is the one that the event left in the
-- intent.
ALTER TABLE webhook_deliveries ADD COLUMN late boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN webhook_deliveries.late IS 'The intent was canceled before it was paid.';
COMMENT ON COLUMN webhook_deliveries.occurred_at IS
    'The updated_at that the event left in the intent; of older rows, when it was recorded.';
