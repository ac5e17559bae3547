package checker

import (
	"bytes"
	"context"
	"strings"

	"github.com/google/uuid"

	"daftar/tools/torture/history"
)

// tenants is I12: only the application that owns an intent gets an answer that shows it; other
// answers about the intent of another application contain none of its data; and a webhook
// goes to the application that owns its intent.
func (c *checker) tenants(_ context.Context, f *finding) error {
	for n, q := range c.run.Requests {
		if q.Kind == history.Pay {
			continue // anyone who has the address of a page may open it
		}
		a := c.answers[n]
		if a.shown {
			f.looked++
			if owner := c.log.owner(a.id); owner != (uuid.UUID{}) && owner != q.Application {
				f.wrongf("application %s was shown intent %s of %s", q.Application, a.id, owner)
			}
			continue
		}
		id, err := uuid.Parse(q.Intent)
		if err != nil {
			continue
		}
		s := c.log.streams[id]
		if s == nil || s.created.Application == q.Application {
			continue
		}
		f.looked++
		for name, secret := range map[string]string{
			"reference":          s.created.Reference,
			"merchant reference": s.created.MerchantReference,
			"checkout token":     s.created.CheckoutToken,
			"owner":              s.created.Application.String(),
		} {
			if len(secret) > 3 && bytes.Contains(q.Answer, []byte(secret)) {
				f.wrongf("application %s was sent the %s of intent %s", q.Application, name, id)
			}
		}
	}
	for n, d := range c.run.Deliveries {
		f.looked++
		body := c.hooks[n]
		if body.err != nil {
			continue // I7 reports it
		}
		if owner := c.log.owner(body.intent); owner != (uuid.UUID{}) && owner != d.Application {
			f.wrongf("application %s got the webhook %s of %s", d.Application, strings.TrimSpace(d.ID), owner)
		}
	}
	return nil
}
