-- +goose Up
-- What the checkout must remember to help a payer continue: which language they read, when a code was sent
-- and how many were typed recently. The rights on the table cover the new columns.

ALTER TABLE checkout_attempts
    ADD COLUMN language     text        NOT NULL DEFAULT 'ar' CHECK (language IN ('ar', 'en')),
    ADD COLUMN code_sent_at timestamptz,
    ADD COLUMN resent_at    timestamptz,
    ADD COLUMN codes        integer     NOT NULL DEFAULT 0,
    ADD COLUMN codes_since  timestamptz;

COMMENT ON COLUMN checkout_attempts.language IS 'Of the payer, for pages of the acquirer.';
COMMENT ON COLUMN checkout_attempts.code_sent_at IS
    'When a code was last sent, or is being sent; the next waits from here.';
COMMENT ON COLUMN checkout_attempts.resent_at IS 'When the acquirer last said that it sent a new code.';
COMMENT ON COLUMN checkout_attempts.codes IS 'How many codes were handed over since codes_since.';

-- The due attempts of each acquirer are searched for separately, so that an acquirer that hangs does not
-- hide those of others.
CREATE INDEX checkout_attempts_due_by_acquirer ON checkout_attempts (acquirer, ask_at)
    WHERE ask_at IS NOT NULL;
DROP INDEX checkout_attempts_due;

-- For operators, who search for what is not settled.
CREATE INDEX checkout_attempts_unsettled ON checkout_attempts (stage, stage_since) WHERE stage <> 'closed';
