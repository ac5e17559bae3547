-- +goose Up
-- The amounts for which a merchant offers each method of an account with an acquirer.

ALTER TABLE acquirer_accounts
    ADD COLUMN limits jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(limits) = 'object');
COMMENT ON COLUMN acquirer_accounts.limits IS
    'By method: min and max in dirham, both included; what is missing is for the acquirer to say.';
