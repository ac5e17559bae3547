-- +goose Up
-- The Merkle tree over the events and what was signed about it: docs/transparency.md.

CREATE TABLE transparency_tree (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    size     bigint  NOT NULL CHECK (size >= 0)
) WITH (fillfactor = 10); -- rewritten with every batch: its versions stay on its page
INSERT INTO transparency_tree (size) VALUES (0);

COMMENT ON COLUMN transparency_tree.size IS 'How many events are in the tree: those at positions 1 to size.';

CREATE TABLE transparency_tiles (
    level  smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
    n      bigint   NOT NULL CHECK (n >= 0),
    hashes bytea    NOT NULL
           CHECK (octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0),
    PRIMARY KEY (level, n)
);
ALTER TABLE transparency_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL; -- hashes do not compress

COMMENT ON TABLE transparency_tiles IS
    'Tiles of height 8; a tile grows until it has 256 hashes and then stays as it is.';

CREATE TABLE transparency_keys (
    public_key text        PRIMARY KEY,
    first_used timestamptz NOT NULL
);
COMMENT ON TABLE transparency_keys IS 'Every key that checkpoints were signed with. Append-only.';

CREATE TABLE transparency_sealed_keys (
    public_key text        PRIMARY KEY,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE transparency_sealed_keys IS
    'A signing key made by the service itself, under DAFTAR_SECRET_KEY; none where '
    'DAFTAR_TRANSPARENCY_KEY is set.';

CREATE TABLE transparency_checkpoints (
    size      bigint      PRIMARY KEY CHECK (size > 0),
    root      bytea       NOT NULL CHECK (octet_length(root) = 32),
    note      text        NOT NULL,
    signed_at timestamptz NOT NULL
);
COMMENT ON TABLE transparency_checkpoints IS
    'Every checkpoint that was signed. UPDATE, DELETE and TRUNCATE are refused to everyone.';
COMMENT ON COLUMN transparency_checkpoints.note IS 'The signed note, exactly as it was published.';

CREATE TABLE transparency_posts (
    destination bytea       PRIMARY KEY,
    size        bigint      NOT NULL,
    posted_at   timestamptz NOT NULL
) WITH (fillfactor = 10);
COMMENT ON TABLE transparency_posts IS 'Which checkpoint was accepted last where checkpoints are sent.';
COMMENT ON COLUMN transparency_posts.destination IS 'SHA-256 of the address, which may hold a secret.';

CREATE TRIGGER transparency_checkpoints_are_append_only BEFORE UPDATE OR DELETE ON transparency_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER transparency_checkpoints_are_never_truncated BEFORE TRUNCATE ON transparency_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER transparency_keys_are_append_only BEFORE UPDATE OR DELETE ON transparency_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER transparency_keys_are_never_truncated BEFORE TRUNCATE ON transparency_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
ALTER TABLE transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_append_only;
ALTER TABLE transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_never_truncated;
ALTER TABLE transparency_keys ENABLE ALWAYS TRIGGER transparency_keys_are_append_only;
ALTER TABLE transparency_keys ENABLE ALWAYS TRIGGER transparency_keys_are_never_truncated;
REVOKE UPDATE, DELETE, TRUNCATE ON transparency_checkpoints, transparency_keys FROM PUBLIC, CURRENT_USER;

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, UPDATE ON transparency_tree TO daftar_service;
        GRANT SELECT, INSERT, UPDATE ON transparency_tiles, transparency_posts TO daftar_service;
        GRANT SELECT, INSERT ON transparency_checkpoints, transparency_keys, transparency_sealed_keys
            TO daftar_service;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON transparency_tree, transparency_tiles, transparency_checkpoints, transparency_keys
            TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
