-- +goose Up
-- A payment attempt is changed only if it still has the version that was read. The trigger also counts
-- changes by servers of the previous version, so that neither overwrites the other.

ALTER TABLE checkout_attempts ADD COLUMN version bigint NOT NULL DEFAULT 1;
COMMENT ON COLUMN checkout_attempts.version IS 'Counts the changes of the row; a trigger does.';

-- +goose StatementBegin
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER checkout_attempts_count_versions BEFORE UPDATE ON checkout_attempts
    FOR EACH ROW EXECUTE FUNCTION count_version();
