-- +goose Up
-- Anyone who has the password of the service's role can insert rows. The database refuses those that would
-- block others: an event that does not follow the last one, and a checkpoint of more events than there are.

-- The functions name the schema: a temporary table of the same name must not be used instead of the log.
-- +goose StatementBegin
DO $do$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION refuse_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT (SELECT count(*) = max(position) - min(position) + 1
                           AND (min(position) = 1 OR EXISTS (SELECT FROM %1$I.events WHERE position = min(added.position) - 1))
                    FROM added HAVING count(*) > 0) THEN
                RAISE EXCEPTION 'events must follow the last one without a gap' USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN NULL;
        END
        $$$function$, current_schema());
    EXECUTE format($function$
        CREATE FUNCTION refuse_checkpoint_beyond_log() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.size > (SELECT coalesce(max(position), 0) FROM %1$I.events) THEN
                RAISE EXCEPTION 'a checkpoint over %% events is beyond the log', NEW.size USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN NEW;
        END
        $$$function$, current_schema());
END
$do$;
-- +goose StatementEnd

CREATE TRIGGER events_have_no_gaps AFTER INSERT ON events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_gaps();
CREATE TRIGGER transparency_checkpoints_are_of_the_log BEFORE INSERT ON transparency_checkpoints
    FOR EACH ROW EXECUTE FUNCTION refuse_checkpoint_beyond_log();

ALTER TABLE events ENABLE ALWAYS TRIGGER events_have_no_gaps;
ALTER TABLE transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_of_the_log;

-- What witnesses have cosigned: docs/transparency.md.
CREATE TABLE transparency_cosignatures (
    size    bigint NOT NULL, -- of a checkpoint; no foreign key, for nobody may lock rows of those
    witness text   NOT NULL,
    line    text   NOT NULL CHECK (length(line) < 1000),
    PRIMARY KEY (size, witness)
);
COMMENT ON TABLE transparency_cosignatures IS 'The lines that witnesses have signed below checkpoints.';
COMMENT ON COLUMN transparency_cosignatures.witness IS 'The name in the witness''s key.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT ON transparency_cosignatures TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON transparency_cosignatures TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
