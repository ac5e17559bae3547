package checker_test

import (
	"slices"
	"strings"

	"daftar/tools/torture/history"
)

func ofOrder() []planted {
	// Repeats an answer at the end of the run.
	repeated := func(fits func(s *scene) *history.Request) func(*scene) {
		return func(s *scene) {
			q := *fits(s)
			q.Began, q.Ended = q.Began+minute, q.Ended+minute
			s.run.Requests = append(s.run.Requests, q)
		}
	}
	early := repeated(func(s *scene) *history.Request {
		paid := s.answered(history.Read, 200, `"succeeded"`)
		return s.request(func(q history.Request) bool {
			return q.Kind == history.Read && q.Reference == paid.Reference
		})
	})
	return []planted{
		{"a read that is behind", "I10", early, "Illegal"},
		{"known before it was created", "I10", func(s *scene) {
			known := s.answered(history.Create, 200, "")
			for n := range s.run.Requests {
				if q := &s.run.Requests[n]; q.Reference == known.Reference && q.Status == 201 {
					q.Began, q.Ended = q.Began+minute, q.Ended+minute
				}
			}
		}, "Illegal"},
		{"a receipt for nothing", "I10", func(s *scene) {
			q := *s.answered(history.Create, 201, `"waits"`)
			q.Kind, q.Status, q.Answer, q.Page = history.Pay, 200, nil, "receipt"
			q.Began, q.Ended = q.Began+minute, q.Ended+minute
			s.run.Requests = append(s.run.Requests, q)
		}, "Illegal"},
		{"there without a create", "I10", func(s *scene) {
			s.run.Requests = slices.DeleteFunc(s.run.Requests, func(q history.Request) bool {
				return q.Kind == history.Create && q.Reference == "lost-ok"
			})
		}, "Illegal"},
		{"a read that is behind", "I11", early, "after succeeded"},
		{"another status of the same time", "I11", func(s *scene) {
			q := *s.answered(history.Read, 200, `"succeeded"`)
			q.Answer = replaced(q.Answer, `"succeeded"`, `"processing"`)
			q.Began, q.Ended = q.Began+minute, q.Ended+minute
			s.run.Requests = append(s.run.Requests, q)
		}, "processing was shown at"},
	}
}

func ofTheRest() []planted {
	return []planted{
		{"the intent of another application", "I12", func(s *scene) {
			q := s.answered(history.Read, 403, "")
			q.Status, q.Answer = 200, s.answered(history.Create, 201, `"foreign"`).Answer
		}, "was shown intent"},
		{"a refusal that reveals the intent", "I12", func(s *scene) {
			s.answered(history.Read, 403, "").Answer = []byte(`{"message":"foreign is not yours"}`)
		}, "was sent the merchant reference"},
		{"the webhook of another application", "I12", func(s *scene) {
			d := *s.arrival("ok")
			d.Application, d.Sink = s.run.Applications[1].UUID, "500"
			s.run.Deliveries = append(s.run.Deliveries, d)
		}, "got the webhook"},
		{"a key in a log", "I14", func(s *scene) {
			s.log("key " + s.run.Applications[0].APIKey)
		}, "the API key of"},
		{"a key without its prefix in a log", "I14", func(s *scene) {
			s.log(strings.TrimPrefix(s.run.Applications[0].APIKey, "pk_"))
		}, "the API key of"},
		{"a password in a log", "I14", func(s *scene) {
			s.log(`{"p":"` + password + `"}`)
		}, "secret 2 of the servers"},
		{"a token in an answer that was kept", "I14", func(s *scene) {
			s.exec(`UPDATE webhook_deliveries SET try_answer = $1`, "you sent "+s.run.Applications[0].AccessToken)
		}, "is in the table public.webhook_deliveries"},
		{"a webhook secret in the clear", "I14", func(s *scene) {
			a := s.run.Applications[0]
			s.exec(`UPDATE applications SET webhook_secret = convert_to($1, 'UTF8') WHERE uuid = $2`,
				a.WebhookSecret, [16]byte(a.UUID))
		}, "the webhook secret of"},
		{"the bytes of a webhook secret", "I14", func(s *scene) {
			s.exec(`UPDATE applications SET webhook_secret = decode(substr($1, 7), 'base64')`,
				s.run.Applications[0].WebhookSecret)
		}, "the webhook secret of"},
		{"the key of the servers as bytes", "I14", func(s *scene) {
			s.exec(`UPDATE applications SET webhook_secret = decode($1, 'hex')`, secretKey)
		}, "secret 1 of the servers is in the table public.applications"},
		{"memory", "I15", func(s *scene) {
			s.grow(func(x *history.Sample, n int64) { x.RSS += n * (4 << 20) })
		}, "memory of A"},
		{"descriptors", "I15", func(s *scene) {
			s.grow(func(x *history.Sample, n int64) { x.FDs += 6 * n })
		}, "descriptors of A"},
		{"goroutines", "I15", func(s *scene) {
			s.grow(func(x *history.Sample, n int64) { x.Goroutines += 20 * n })
		}, "goroutines of A"},
		{"an intent in the books of others", "I16", func(s *scene) {
			s.exec(`
UPDATE intents
SET application_uuid = (SELECT min(uuid::text)::uuid FROM applications)
WHERE uuid = (SELECT stream_id
              FROM events e
              JOIN intents i ON i.uuid = e.stream_id
              WHERE e.type = 'intent.succeeded'
                AND i.application_uuid = (SELECT max(uuid::text)::uuid FROM applications)
              LIMIT 1)`)
		}, "due, bank and fees are"},
		{"no samples", "I15", func(s *scene) { s.run.Samples = nil }, "nothing was there to look at"},
	}
}
