-- +goose Up
-- The read model that the API serves: one row per intent, written in the transaction of its events.

CREATE TABLE intents (
    uuid               uuid        PRIMARY KEY,
    application_uuid   uuid        NOT NULL,
    version            integer     NOT NULL,
    reference          text        NOT NULL,
    merchant_reference text        COLLATE "C" NOT NULL,
    amount             bigint      NOT NULL,
    currency           text        NOT NULL,
    status             text        NOT NULL,
    description        text        NOT NULL,
    customer           json        NOT NULL,
    return_url         text,
    metadata           json,
    expires_at         timestamptz NOT NULL,
    checkout_url       text        NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL
) WITH (fillfactor = 85); -- room for the later states of a row on its own page

COMMENT ON TABLE intents IS 'Derived from events; daftar projections rebuild intents makes it anew.';
COMMENT ON COLUMN intents.version IS 'The version of the stream that the row shows.';
COMMENT ON COLUMN intents.checkout_url IS 'The path below the public address of the service.';
COMMENT ON COLUMN intents.metadata IS 'As sent, keys in their order (json keeps the text; jsonb would not).';
