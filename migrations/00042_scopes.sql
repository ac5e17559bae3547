-- +goose Up
-- What programs with an access token may do, and from where. What exists, and what servers of the previous
-- version create, creates payments, from anywhere.

ALTER TABLE access_tokens
    ADD COLUMN scopes text[] NOT NULL DEFAULT '{payments}'
        CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'payments', 'refunds']),
    ADD COLUMN networks cidr[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN access_tokens.scopes IS 'What the token allows. They never change.';
COMMENT ON COLUMN access_tokens.networks IS
    'Where its requests come from; empty: anywhere. They never change.';

-- +goose StatementBegin
CREATE FUNCTION refuse_wider_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the scopes and networks of an access token never change'
        USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER access_tokens_keep_scopes BEFORE UPDATE OF scopes, networks ON access_tokens
    FOR EACH ROW WHEN (NEW.scopes <> OLD.scopes OR NEW.networks <> OLD.networks)
    EXECUTE FUNCTION refuse_wider_token();
