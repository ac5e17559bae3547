package migrations_test

import (
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/migrations"
)

// For existing accounts, the audit trail shows which ones an operator made. No address counts as
// proved, and no link as sent by mail.
func TestAccountsAreKnownByTheirMaker(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	ctx, pool := t.Context(), db.OwnerPool(t)
	upTo(t, db, "00019")
	const before = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at)
SELECT gen_random_uuid(), name, lower(name), '', now(), now()
FROM unnest('{operator,invited}'::text[]) AS n(name);
INSERT INTO audit_records (at, actor, action, subject, subject_uuid, detail, address, request_id, outcome)
SELECT now(), 'x', CASE email WHEN 'operator' THEN 'user.create' ELSE 'invitation.accept' END, 'user', uuid,
       '{}', '', '', 'done'
FROM users`
	if _, err := pool.Exec(ctx, before); err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.Up(ctx, db.URL()); err != nil {
		t.Fatal(err)
	}
	var made string
	err := pool.QueryRow(ctx,
		`SELECT string_agg(email, ',') FROM users WHERE by_operator AND email_proved_at IS NULL`).Scan(&made)
	if err != nil || made != "operator" {
		t.Errorf("made by an operator: %q, %v", made, err)
	}
}
