-- +goose Up
-- After expires_at an attempt is ended by the acquirer's word: it is asked at short intervals, and what it
-- had not taken by then comes late.
ALTER TABLE checkout_attempts DROP CONSTRAINT checkout_attempts_stage_check,
    ADD CONSTRAINT checkout_attempts_stage_check
    CHECK (stage IN ('beginning', 'code', 'bank', 'asking', 'ending', 'closed', 'quarantined'));
