-- +goose Up
-- Two more roles, and decisions about a payment in terms that can be counted.

-- Servers of the previous release do not know these roles: there, a member with one may do nothing.
ALTER TABLE memberships DROP CONSTRAINT memberships_role_check,
    ADD CONSTRAINT memberships_role_check
    CHECK (role IN ('owner', 'developer', 'finance', 'support', 'viewer'));
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check,
    ADD CONSTRAINT invitations_role_check
    CHECK (role IN ('owner', 'developer', 'finance', 'support', 'viewer'));

ALTER TABLE payment_decisions
    ADD COLUMN kind      text NOT NULL DEFAULT 'other' CHECK (kind IN ('refunded', 'delivered', 'other')),
    ADD COLUMN reference text NOT NULL DEFAULT '',
    ADD COLUMN informed  text NOT NULL DEFAULT '';

COMMENT ON COLUMN payment_decisions.kind IS
    'refunded: the money went back; delivered: what was ordered was handed over; other, and what was '
    'decided before there were kinds.';
COMMENT ON COLUMN payment_decisions.reference IS 'The number of a bank transfer, for example; may be empty.';
COMMENT ON COLUMN payment_decisions.informed IS 'Who was told of the decision, and how; may be empty.';
