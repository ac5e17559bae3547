-- +goose Up
-- What the books' accounts moved by, so that a balance at any position needs few rows: written from the
-- events by the group "books".

CREATE TABLE book_sums (
    owner    uuid   NOT NULL,
    acquirer text   COLLATE "C" NOT NULL,
    account  text   COLLATE "C" NOT NULL,
    bucket   bigint NOT NULL CHECK (bucket >= 0),
    day      date   NOT NULL,
    amount   bigint NOT NULL,
    PRIMARY KEY (owner, acquirer, account, bucket, day)
);
COMMENT ON TABLE book_sums IS 'Derived from events; daftar projections rebuild books makes it again.';
COMMENT ON COLUMN book_sums.owner IS
    'The application whose money it is; for settlements an id that stands for organisation and mode.';
COMMENT ON COLUMN book_sums.bucket IS 'The position of the events, without its lowest 13 bits.';
COMMENT ON COLUMN book_sums.day IS
    'Of what is due, when the money was taken or given back, also in the rows of settlements: so it has an '
    'age. Of other accounts, when the event happened.';
COMMENT ON COLUMN book_sums.amount IS 'In minor units; a debit is positive.';

-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        GRANT SELECT, INSERT, UPDATE ON book_sums TO daftar_service;
    END IF;
    -- Live and test applications of an organisation have separate books.
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT SELECT ON book_sums TO daftar_auditor;
        GRANT SELECT (mode) ON applications TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
