-- +goose Up
-- Checkpoints are sent outside of any transaction: a server claims the destination for a while instead of
-- locking its row.

ALTER TABLE transparency_posts ADD COLUMN claimed_until timestamptz;
COMMENT ON COLUMN transparency_posts.claimed_until IS
    'Until then one server sends to this destination; null while none does.';
