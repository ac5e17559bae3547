-- +goose Up
-- Organizations share the inquiries to an acquirer: due inquiries are found by organization. A trigger
-- fills the column in, also for servers of the previous version. Rows without further inquiries stay as
-- they are.

ALTER TABLE checkout_attempts ADD COLUMN organization_uuid uuid;
COMMENT ON COLUMN checkout_attempts.organization_uuid IS
    'Whose payment it is, while the acquirer is to be asked; a trigger fills it in.';

-- +goose StatementBegin
CREATE FUNCTION find_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT a.organization_uuid INTO NEW.organization_uuid
    FROM intents i JOIN applications a ON a.uuid = i.application_uuid WHERE i.uuid = NEW.intent_uuid;
    -- An attempt without an intent must be asked about, too.
    NEW.organization_uuid := coalesce(NEW.organization_uuid, '00000000-0000-0000-0000-000000000000');
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER checkout_attempts_find_organization BEFORE INSERT OR UPDATE ON checkout_attempts
    FOR EACH ROW WHEN (NEW.ask_at IS NOT NULL AND NEW.organization_uuid IS NULL)
    EXECUTE FUNCTION find_organization();

UPDATE checkout_attempts SET updated_at = updated_at WHERE ask_at IS NOT NULL;
CREATE INDEX checkout_attempts_due_by_organization ON checkout_attempts (acquirer, organization_uuid, ask_at)
    WHERE ask_at IS NOT NULL;
