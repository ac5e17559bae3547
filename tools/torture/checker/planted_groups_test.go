package checker_test

import (
	"slices"
	"strings"
	"time"

	"daftar/tools/torture/history"
)

// ofTheGroups violate I5 and I6.
func ofTheGroups() []planted {
	return []planted{
		{"a row of another time", "I5", func(s *scene) {
			s.exec(`
UPDATE intents
SET updated_at = updated_at + interval '1 microsecond'
WHERE uuid = (SELECT min(uuid::text)::uuid FROM intents)`)
		}, "updated_at is"},
		{"a space in the metadata", "I5", func(s *scene) {
			s.exec(`UPDATE intents SET metadata = '{"z": "<1>","a":"ا"}' WHERE merchant_reference = 'waits'`)
		}, "metadata is"},
		{"a row is missing", "I5", func(s *scene) {
			s.exec(`DELETE FROM intents WHERE merchant_reference = 'waits'`)
		}, "intents lacks"},
		{"a row too many", "I5", func(s *scene) {
			s.exec(`
INSERT INTO intents
SELECT gen_random_uuid(), application_uuid, version, reference, 'x', amount, currency, status, description,
       customer, return_url, metadata, expires_at, checkout_url, created_at, updated_at
FROM intents
LIMIT 1`)
		}, "which no event created"},
		{"a position is missing", "I6", func(s *scene) {
			s.tamper(`UPDATE events SET position = position + 1 WHERE position = (SELECT max(position) FROM events)`)
		}, "events at positions 1 to"},
		{"a delivery is missing", "I6", func(s *scene) {
			s.exec(`DELETE FROM webhook_deliveries WHERE ordinal = (SELECT max(ordinal) FROM webhook_deliveries)`)
		}, "has no delivery"},
		{"a delivery of nothing", "I6", func(s *scene) {
			s.exec(`UPDATE webhook_deliveries SET sequence = 99 WHERE ordinal = 1`)
		}, "there is no version 99"},
		{"a delivery under another name", "I6", func(s *scene) {
			s.exec(`UPDATE webhook_deliveries SET event = 'payment_intent.canceled' WHERE ordinal = 1`)
		}, `event is "payment_intent.canceled"`},
		{"a delivery with another id", "I6", func(s *scene) {
			s.exec(`UPDATE webhook_deliveries SET uuid = gen_random_uuid() WHERE ordinal = 1`)
		}, "id is"},
		{"a group is behind", "I6", func(s *scene) {
			s.exec(`UPDATE consumer_offsets SET position = position - 1 WHERE consumer_group = 'webhooks'`)
		}, "group webhooks is at"},
		{"a group never ran", "I6", func(s *scene) {
			s.exec(`DELETE FROM consumer_offsets WHERE consumer_group = 'transparency'`)
		}, "group transparency never ran"},
		{"an event was parked", "I6", func(s *scene) {
			s.exec(`INSERT INTO parked_events VALUES ('webhooks', 3, 'why not', 3, now(), NULL)`)
		}, "has set aside position 3"},
		{"a timer is missing", "I6", func(s *scene) {
			s.exec(`
DELETE FROM expiry_timers
WHERE intent_uuid = (SELECT uuid FROM intents WHERE merchant_reference = 'waits')`)
		}, "has a timer: false"},
		{"an intent is overdue", "I6", func(s *scene) { s.o.ClockOffset = 48 * time.Hour }, "has been overdue for"},
		{"payments is wrong", "I6", func(s *scene) {
			s.exec(`
UPDATE payments
SET duplicates = duplicates + 1
WHERE intent_uuid = (SELECT min(intent_uuid::text)::uuid FROM payments)`)
		}, "payments of"},
		{"turnover is wrong", "I6", func(s *scene) {
			s.exec(`UPDATE turnover SET succeeded_sum = succeeded_sum + 1`)
		}, "turnover of"},
		{"sums of the books are wrong", "I6", func(s *scene) {
			s.exec(`UPDATE book_sums SET amount = amount + 1`)
		}, "books of"},
		{"the tree lacks events", "I6", func(s *scene) {
			s.exec(`UPDATE transparency_tree SET size = size - 1`)
		}, "the tree"},
		{"an event was changed", "I6", func(s *scene) {
			s.tamper(`UPDATE events SET metadata = '{}' WHERE position = 2`)
		}, "the tree at position 2: changed"},
	}
}

// ofWebhooks violate I7 and I8.
func ofWebhooks() []planted {
	return []planted{
		{"one never arrived", "I7", func(s *scene) {
			id := s.arrival("ok").ID
			s.run.Deliveries = slices.DeleteFunc(s.run.Deliveries, func(d history.Delivery) bool { return d.ID == id })
		}, "never reached the sink ok"},
		{"it arrived and is not marked", "I7", func(s *scene) {
			s.exec(setStateSQL, s.arrival("ok").ID, "held")
		}, "and is held"},
		{"marked as delivered though it was refused", "I7", func(s *scene) {
			s.exec(setStateSQL, s.arrival("500").ID, "delivered")
		}, "and no sink took it"},
		{"another signature", "I7", func(s *scene) {
			s.arrival("ok").Signature = "v1," + strings.Repeat("A", 43) + "="
		}, "no matching signature"},
		{"signed with the secret of another application", "I7", func(s *scene) {
			a, b := &s.run.Applications[0], &s.run.Applications[1]
			a.WebhookSecret, b.WebhookSecret = b.WebhookSecret, a.WebhookSecret
		}, "no matching signature"},
		{"another body", "I7", func(s *scene) {
			d := s.arrival("ok")
			d.Body = append(slices.Clone(d.Body), ' ')
		}, "no matching signature"},
		{"a timestamp that receivers refuse", "I7", func(s *scene) {
			s.run.Started = s.run.Started.Add(-10 * minute)
		}, "its timestamp is"},
		{"delivered twice for no reason", "I8", func(s *scene) {
			d := *s.arrival("ok")
			d.Arrived += time.Second
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, "arrived 2 times, 1 tries are on record, and 0 faults"},
		{"taken twice for no reason", "I8", func(s *scene) {
			d := *s.arrival("ok")
			s.exec(`UPDATE webhook_deliveries SET attempts = 2 WHERE uuid = right($1, 36)::uuid`, d.ID)
			d.Arrived += time.Second
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, "was taken 2 times"},
		{"delivered twice long after the fault", "I8", func(s *scene) {
			d := *s.arrival("ok")
			fault := history.Fault{Name: "F1", Began: d.Arrived - 10*minute, Ended: d.Arrived - 9*minute}
			s.run.Faults = append(s.run.Faults, fault)
			d.Arrived += time.Second
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, "arrived 2 times"},
	}
}

// ofMoney violate I9.
func ofMoney() []planted {
	return []planted{
		{"money that no event has", "I9", func(s *scene) {
			id := idIn(s.answered(history.Create, 201, `"waits"`))
			s.run.Bank = append(s.run.Bank, history.Taken{Intent: id, Amount: 5000, Currency: "LYD"})
		}, "which no event has"},
		{"charged twice, recorded once", "I9", func(s *scene) {
			s.run.Bank = append(s.run.Bank, s.run.Bank[0])
		}, "which no event has"},
		{"recorded, and not taken", "I9", func(s *scene) {
			s.run.Bank = s.run.Bank[1:]
		}, "the acquirer took no such sum"},
		{"another sum was taken", "I9", func(s *scene) {
			s.run.Bank[0].Amount++
		}, "the acquirer took no such sum"},
		{"money for an intent that does not exist", "I9", func(s *scene) {
			s.run.Bank = append(s.run.Bank, history.Taken{Intent: "00000000-0000-4000-8000-000000000000", Amount: 1})
		}, "which no event created"},
	}
}
