-- +goose Up
-- An application is live or for tests. What exists, and what servers of the previous version create, is live.

ALTER TABLE applications ADD COLUMN mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test'));
COMMENT ON COLUMN applications.mode IS 'Payments of a test application move no money. It never changes.';

-- +goose StatementBegin
CREATE FUNCTION refuse_another_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the mode of an application never changes' USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER applications_keep_mode BEFORE UPDATE OF mode ON applications
    FOR EACH ROW WHEN (NEW.mode <> OLD.mode) EXECUTE FUNCTION refuse_another_mode();
