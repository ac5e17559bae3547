-- +goose Up
-- Access tokens for accountants' software. Servers of the previous version allow such a token nothing.

ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_scopes_check;
ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_scopes_check
    CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'payments', 'refunds', 'books']);
