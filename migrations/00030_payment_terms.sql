-- +goose Up
-- Payments are found by what people know about them: the amount, the last digits of the payer's phone, the
-- acquirer's reference, words of the description. One index over digests of all of these is smaller than
-- one for each of them, and combines them. Servers of the previous release write no terms: after the last
-- of them has ended, rebuild payments fills them in.
ALTER TABLE payments ADD COLUMN terms text COLLATE "C" NOT NULL DEFAULT '';
COMMENT ON COLUMN payments.terms IS
    'What a search finds the payment by: digests of six characters, each of the application, a kind and a '
    'text.';
CREATE INDEX payments_by_terms ON payments USING gin ((terms::tsvector)) WITH (gin_pending_list_limit = 1024);
COMMENT ON INDEX payments_by_terms IS 'A search reads all that is pending, which therefore is at most 1 MB.';
