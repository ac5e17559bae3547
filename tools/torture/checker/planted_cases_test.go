package checker_test

import (
	"fmt"
	"slices"
	"time"

	"daftar/domain"
	"daftar/tools/torture/history"
)

// setStateSQL sets the state of the delivery with the webhook-id $1.
const setStateSQL = `
UPDATE webhook_deliveries
SET state = $2, next_attempt_at = NULL
WHERE uuid = right($1, 36)::uuid`

// clean are changes that violate no invariant.
func clean() []planted {
	return []planted{
		{"nothing", "", func(*scene) {}, ""},
		{"a webhook delivered twice, after a server was killed", "", func(s *scene) {
			d := *s.arrival("ok")
			s.run.Faults = append(s.run.Faults, history.Fault{Name: "F1", Target: "A", Began: d.Arrived})
			d.Arrived += time.Second
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, ""},
		{"a webhook that arrived after the record was copied and before the database was read", "", func(s *scene) {
			d := *s.arrival("500")
			s.exec(setStateSQL, d.ID, "delivered")
			d.Answered = 200
			s.o.Late = func() []history.Delivery { return []history.Delivery{d} }
		}, ""},
		{"a webhook delivered twice, after an answer that was lost", "", func(s *scene) {
			d := *s.arrival("ok")
			s.exec(`
INSERT INTO webhook_tries (delivery_uuid, attempt, at, duration, status, error, answer)
VALUES (right($1, 36)::uuid, 2, now(), '1 s', NULL, 'timeout', '')`, d.ID)
			s.exec(`UPDATE webhook_deliveries SET attempts = 2 WHERE uuid = right($1, 36)::uuid`, d.ID)
			d.Arrived += time.Second
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, ""},
		{"money of a quarantined attempt", "", func(s *scene) {
			q := s.answered(history.Create, 201, `"waits"`)
			s.run.Bank = append(s.run.Bank, history.Taken{Intent: idIn(q), Amount: 5000, Currency: "LYD"})
			s.exec(`
INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage,
                               stage_since, payer, created_at, updated_at)
VALUES ('x', $1::uuid, 'sandbox', 'wallet', 'quarantined', now(), '', now(), now())`, idIn(q))
		}, ""},
		{"a vacuum that holds the log for longer than the lock timeout", "", (*scene).holdLog, ""},
		{"a deadlock with another transaction is tried again", "", (*scene).deadlockLog, ""},
		{"an event of an unknown type, added on purpose", "", func(s *scene) {
			s.tamper(`
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT max(position) + 1, gen_random_uuid(), 1, 'intent.of_another_age', 1, '{}', '{}', clock_timestamp()
FROM events`)
			var position int64
			if err := s.super.QueryRow(s.t.Context(), `SELECT max(position) FROM events`).Scan(&position); err != nil {
				s.t.Fatal(err)
			}
			s.o.Parked = []int64{position}
			s.exec(`
UPDATE consumer_offsets
SET halted_reason = 'unknown', retry_at = now()
WHERE consumer_group IN ('expiry', 'dashboard', 'books')`)
			s.exec(`UPDATE consumer_offsets SET position = $1 WHERE consumer_group = 'webhooks'`, position)
			s.exec(`INSERT INTO parked_events VALUES ('webhooks', $1, 'unknown', 3, now(), NULL)`, position)
			// The tree has events of any type; here it is written by hand.
			s.exec(`UPDATE consumer_offsets SET position = $1 WHERE consumer_group = 'transparency'`, position)
			s.growTree(position)
		}, ""},
	}
}

// ofTheRecord violate I1 and I2.
func ofTheRecord() []planted {
	return []planted{
		{"an acknowledged intent is lost", "I1", func(s *scene) {
			id := idIn(s.answered(history.Create, 201, `"waits"`))
			s.tamper(`DELETE FROM events WHERE stream_id = $1::uuid`, id)
		}, "it is not in the log"},
		{"another amount was acknowledged", "I1", func(s *scene) {
			q := s.answered(history.Create, 201, `"waits"`)
			q.Answer = replaced(q.Answer, `"amount":5000`, `"amount":5001`)
		}, "amount is 5001, not 5000"},
		{"the intent differs from the request", "I1", func(s *scene) {
			q := s.answered(history.Create, 201, `"waits"`)
			q.Sent = replaced(q.Sent, `"c-1"`, `"c-2"`)
		}, `customer is "=c-1", not "=c-2"`},
		{"metadata in another order", "I1", func(s *scene) {
			q := s.answered(history.Read, 200, `"metadata":{"z":"<1>","a":"ا"}`)
			q.Answer = replaced(q.Answer, `{"z":"<1>","a":"ا"}`, `{"a":"ا","z":"<1>"}`)
		}, "metadata is"},
		{"a state that never was", "I1", func(s *scene) {
			q := s.answered(history.Read, 200, `"succeeded"`)
			q.Answer = replaced(q.Answer, `"succeeded"`, `"canceled"`)
		}, "it never was canceled"},
		{"not found after it was acknowledged", "I1", func(s *scene) {
			q := *s.answered(history.Read, 200, `"succeeded"`)
			q.Status, q.Answer = 404, []byte(`{"message":"Not found."}`)
			q.Began, q.Ended = q.Ended+minute, q.Ended+minute+1
			s.run.Requests = append(s.run.Requests, q)
		}, "and not found at"},
		{"half an answer with status 200", "I1", func(s *scene) {
			q := s.answered(history.Read, 200, `"succeeded"`)
			q.Answer = q.Answer[:len(q.Answer)/2]
		}, "unexpected end of JSON input"},
		{"created twice, by the answers", "I2", func(s *scene) {
			s.answered(history.Create, 200, "").Status = 201
		}, "was created 2 times"},
		{"two uuids for a reference", "I2", func(s *scene) {
			q := s.answered(history.Create, 200, "")
			q.Answer = replaced(q.Answer, `"uuid":"`+idIn(q)[:8], `"uuid":"00000000`)
		}, "two answers differ: uuid"},
		{"the body of another create", "I2", func(s *scene) {
			q := s.answered(history.Create, 200, "")
			q.Answer = replaced(q.Answer, "قهوة", "ماء")
		}, "two answers differ: description"},
		{"two intents in the log", "I2", func(s *scene) {
			s.tamper(`
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT (SELECT max(position) FROM events) + 1, gen_random_uuid(), 1, type, 1, payload, '{}', now()
FROM events
WHERE position = 1`)
		}, "has the intents"},
		{"an intent without a create", "I2", func(s *scene) {
			s.run.Requests = slices.DeleteFunc(s.run.Requests, func(q history.Request) bool {
				return q.Reference == "waits"
			})
		}, "was never asked for"},
		{"no unique index", "I2", func(s *scene) {
			s.exec(`ALTER TABLE events DROP CONSTRAINT events_stream_id_version_key`)
		}, "no valid unique index"},
	}
}

// ofTheLog violate I3, I4 and I13.
func ofTheLog() []planted {
	again := func(kind, payload string) func(*scene) {
		return func(s *scene) { s.tamper(appendedSQL, domain.TypeSucceeded, kind, payload) }
	}
	return []planted{
		{"two successes", "I3", again(domain.TypeSucceeded,
			`{"at":"2026-11-22T12:00:00Z","attempt":"x","amount":5000,"currency":"LYD","provider_reference":""}`),
			"2 successes"},
		{"created again", "I3", func(s *scene) {
			s.tamper(`
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT (SELECT max(position) FROM events) + 1, stream_id,
       (SELECT max(version) FROM events x WHERE x.stream_id = e.stream_id) + 1,
       type, 1, payload, '{}', now()
FROM events e
WHERE position = 1`)
		}, "2 created"},
		{"a version is missing", "I3", func(s *scene) {
			s.tamper(`UPDATE events SET version = 9 WHERE position = ` + first(domain.TypeSucceeded))
		}, "with versions 1 to 9"},
		{"versions are not in the order of positions", "I3", func(s *scene) {
			s.exec(`ALTER TABLE events DROP CONSTRAINT events_stream_id_version_key`)
			s.tamper(`
UPDATE events
SET version = 3 - version
WHERE stream_id = (SELECT stream_id FROM events WHERE type = $1 ORDER BY position LIMIT 1)
  AND version < 3`, domain.TypeAttemptStarted)
		}, "follows the one at"},
		{"expired after it was paid", "I4", again(domain.TypeExpired, `{"at":"2026-12-31T12:00:00Z"}`),
			`intent.expired in state "succeeded"`},
		{"expired before its time", "I4", func(s *scene) {
			s.tamper(appendedSQL, domain.TypeCreated, domain.TypeExpired,
				fmt.Sprintf(`{"at":%q}`, time.Now().UTC().Format(time.RFC3339Nano)))
		}, "expired ("},
		{"an attempt pays twice", "I4", func(s *scene) {
			s.tamper(`
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT (SELECT max(position) FROM events) + 1, e.stream_id, e.version + 1,
       'intent.duplicate_payment', 1, e.payload, '{}', now()
FROM events e
WHERE position = ` + first(domain.TypeDuplicatePayment))
		}, "pays twice"},
		{"another amount", "I4", func(s *scene) {
			s.tamper(`
UPDATE events
SET payload = replace(payload, '"amount":5000', '"amount":500')
WHERE position = ` + first(domain.TypeSucceeded))
		}, "0.500 LYD paid where 5.000 LYD is due"},
		{"an event of an unknown type", "I4", again("intent.refunded", `{}`), "unknown"},
		{"rewritten with the triggers off", "I13", func(s *scene) {
			s.tamper(`UPDATE events SET payload = replace(payload, 'قهوة', 'نبيذ') WHERE position = 1`)
		}, "rows were rewritten"},
		{"a trigger is off", "I13", func(s *scene) {
			s.exec(`ALTER TABLE events DISABLE TRIGGER events_are_append_only`)
		}, "events has 1 of 2 triggers in force"},
		{"a trigger that replication bypasses", "I13", func(s *scene) {
			s.exec(`ALTER TABLE audit_records ENABLE TRIGGER audit_records_are_append_only`)
		}, "audit_records has 1 of 2"},
		{"the function refuses nothing", "I13", func(s *scene) {
			s.exec(`
CREATE OR REPLACE FUNCTION refuse_rewriting() RETURNS trigger
LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`)
		}, "was carried out"},
		{"the service may delete", "I13", func(s *scene) {
			s.exec(`GRANT DELETE ON events TO daftar_service`)
		}, "daftar_service may DELETE events"},
		{"the service may change a column", "I13", func(s *scene) {
			s.exec(`GRANT UPDATE (payload) ON events TO daftar_service`)
		}, "daftar_service may UPDATE events"},
	}
}
