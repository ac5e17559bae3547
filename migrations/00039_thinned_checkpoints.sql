-- +goose Up
-- Checkpoints are signed about once a second. After an hour, only the last one of each five minutes stays,
-- and the last that each witness has cosigned: the tree proves earlier ones. Servers delete the others; the
-- database refuses to delete one that must stay. Servers of the previous version delete none.

CREATE INDEX transparency_checkpoints_by_time ON transparency_checkpoints (signed_at);

-- The functions name the schema: a temporary table of the same name must not be used instead of the
-- checkpoints.
-- +goose StatementBegin
DO $do$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION later_checkpoints(c %1$I.transparency_checkpoints) RETURNS SETOF bigint
        LANGUAGE sql STABLE AS $$
            SELECT size
            FROM (
                SELECT size, signed_at FROM %1$I.transparency_checkpoints
                WHERE signed_at >= date_bin('5 minutes', c.signed_at, timestamptz 'epoch')
                      AND signed_at < date_bin('5 minutes', c.signed_at, timestamptz 'epoch') + interval '5 minutes'
                OFFSET 0 -- by the index, whatever is known of the table
            ) same
            WHERE size > c.size ORDER BY signed_at DESC OFFSET 0
        $$$function$, current_schema());
    EXECUTE format($function$
        CREATE FUNCTION checkpoint_may_go(c %1$I.transparency_checkpoints) RETURNS boolean
        LANGUAGE sql STABLE AS $$
            SELECT c.signed_at < now() - interval '1 hour' AND EXISTS (SELECT FROM %1$I.later_checkpoints(c))
                   AND NOT EXISTS (
                       SELECT FROM %1$I.transparency_cosignatures mine
                       WHERE mine.size = c.size AND NOT EXISTS (
                           SELECT FROM %1$I.later_checkpoints(c) AS later(size) CROSS JOIN LATERAL (
                               SELECT FROM %1$I.transparency_cosignatures its
                               WHERE its.size = later.size AND its.witness = mine.witness OFFSET 0
                           ) its
                       )
                   )
        $$$function$, current_schema());
    EXECUTE format($function$
        CREATE FUNCTION refuse_rewriting_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' OR NOT %1$I.checkpoint_may_go(OLD) THEN
                RAISE EXCEPTION '%% is refused: the checkpoint over %% events is kept', TG_OP, OLD.size USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN OLD;
        END
        $$$function$, current_schema());
    -- With the rights of the tables' owner: servers may not delete cosignatures themselves.
    EXECUTE format($function$
        CREATE FUNCTION delete_cosignatures() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
        BEGIN
            DELETE FROM %1$I.transparency_cosignatures WHERE size = OLD.size;
            RETURN NULL;
        END
        $$$function$, current_schema());
END
$do$;
-- +goose StatementEnd

DROP TRIGGER transparency_checkpoints_are_append_only ON transparency_checkpoints;
CREATE TRIGGER transparency_checkpoints_are_append_only BEFORE UPDATE OR DELETE ON transparency_checkpoints
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_checkpoint();
CREATE TRIGGER transparency_cosignatures_go_with_them AFTER DELETE ON transparency_checkpoints
    FOR EACH ROW EXECUTE FUNCTION delete_cosignatures();
ALTER TABLE transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_append_only;

-- The owner, whose login servers use if there are no roles.
GRANT DELETE ON transparency_checkpoints TO CURRENT_USER;

COMMENT ON TABLE transparency_checkpoints IS
    'The checkpoints that were signed; of each five minutes, after an hour, the last. UPDATE and TRUNCATE '
    'are refused to everyone, and DELETE of those that stay.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT DELETE ON transparency_checkpoints TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
