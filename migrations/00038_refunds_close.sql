-- +goose Up
-- An exception is closed by the ledger: when a recorded refund leaves nothing of its money to refund.
-- Servers of the previous release do not write this: after the last of them has ended, a rebuild of
-- payments fills it in.
ALTER TABLE payment_exceptions ADD COLUMN closed_at timestamptz, ADD COLUMN closed_by uuid;
COMMENT ON COLUMN payment_exceptions.closed_at IS
    'When nothing was left to give back, by the event; null: something is.';
COMMENT ON COLUMN payment_exceptions.closed_by IS 'The refund that left nothing.';

COMMENT ON COLUMN refunds.busy_until IS
    'asking: until when a server may be at it; requested and recording: not before this another one takes '
    'it up.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT UPDATE ON payment_exceptions TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
