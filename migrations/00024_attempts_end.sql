-- +goose Up
-- After expires_at the acquirer's answer ends an attempt: it is queried at short intervals, and money that
-- it had not taken by then is late.
ALTER TABLE checkout_attempts DROP CONSTRAINT checkout_attempts_stage_check,
    ADD CONSTRAINT checkout_attempts_stage_check
    CHECK (stage IN ('beginning', 'code', 'bank', 'asking', 'ending', 'closed', 'quarantined'));
