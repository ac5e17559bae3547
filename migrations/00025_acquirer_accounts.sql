-- +goose Up
-- Accounts of applications with acquirers, and what an attempt has to remember for flows in which the payer
-- continues elsewhere than on the acquirer's page.

CREATE TABLE acquirer_accounts (
    application_uuid uuid        NOT NULL REFERENCES applications (uuid),
    acquirer         text        NOT NULL CHECK (acquirer ~ '^[a-zA-Z0-9-]{1,40}$'),
    settings         bytea       NOT NULL,
    methods          text[]      NOT NULL CHECK (cardinality(methods) > 0),
    enabled          boolean     NOT NULL,
    position         integer     NOT NULL,
    created_at       timestamptz NOT NULL,
    changed_at       timestamptz NOT NULL,
    PRIMARY KEY (application_uuid, acquirer)
);
COMMENT ON COLUMN acquirer_accounts.settings IS
    'Credentials as JSON, sealed under DAFTAR_SECRET_KEY for this application and acquirer.';
COMMENT ON COLUMN acquirer_accounts.methods IS 'What the checkout offers of the account, in this order.';
COMMENT ON COLUMN acquirer_accounts.position IS
    'Where its methods stand among those of the application''s other accounts.';

ALTER TABLE checkout_attempts
    ADD COLUMN presented text NOT NULL DEFAULT '',
    ADD COLUMN memo text NOT NULL DEFAULT '';
COMMENT ON COLUMN checkout_attempts.presented IS
    'What the payer pays with elsewhere: the text of a QR code, or the configuration of a form.';
COMMENT ON COLUMN checkout_attempts.memo IS 'What the acquirer''s adapter has to remember of the payment.';

-- After a message of an acquirer that names no payment, the recent ones are queried.
CREATE INDEX checkout_attempts_recent ON checkout_attempts (acquirer, created_at);

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON acquirer_accounts TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
