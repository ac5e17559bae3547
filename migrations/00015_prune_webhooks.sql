-- +goose Up
-- Old deliveries that are finished may be deleted (daftar webhooks prune): they are not events, and the log
-- has what they were about. The offset of a group that no server runs any more may be deleted, too (daftar
-- feed forget).

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT DELETE ON webhook_deliveries, webhook_tries, consumer_offsets TO daftar_service;
    END IF;
END
$$;
-- +goose StatementEnd
