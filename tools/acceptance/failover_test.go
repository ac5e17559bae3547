package acceptance_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// pair is two database servers, with the program's settings for both.
type pair struct {
	*pgtest.Replicated
	url string
	env []string
	who shop
}

func newPair(t *testing.T) *pair {
	t.Helper()
	r := pgtest.NewReplicated(t, nil)
	p := &pair{Replicated: r, url: r.URL(pgtest.Service)}
	p.env = []string{"DAFTAR_DATABASE_URL=" + p.url, "DAFTAR_SECRET_KEY=" + secretKey}
	p.who = newShop(t, p.env)
	return p
}

// on opens a superuser's connection to one of the servers.
func (p *pair) on(t *testing.T, c *pgtest.Cluster) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, c.URL(p.Database, "postgres"), postgres.Options{MaxConns: 2})
}

// The primary hangs, the standby is promoted, and the old primary wakes up and accepts connections.
// Servers that reach both use the new one. A server that reaches only the old one acknowledges
// nothing.
func TestOldPrimaryWakesUp(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	s := serve(t, p.url)
	stuck := serve(t, p.Primary.URL(p.Database, pgtest.Service))
	for n, server := range []*service{s, stuck} {
		r := server.ask(t, p.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("before ", n)))
		if r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
	}
	if err := p.Primary.Pause(); err != nil {
		t.Fatal(err)
	}
	p.Promote(t)
	pgtest.WaitFor(t, "a create at the new primary", func() bool {
		return s.ask(t, p.who, http.MethodPost, "/payment-intents",
			order("while it hangs")).status == http.StatusCreated
	})
	if err := p.Primary.Resume(); err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	for _, reference := range []string{"new", "before 0", "while it hangs"} {
		waiting.Go(func() {
			r := stuck.ask(t, p.who, http.MethodPost, "/payment-intents", order(reference))
			if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
				t.Errorf("create of %q at the old primary: %d %s", reference, r.status, r.body)
			}
		})
	}
	waiting.Wait()
	restarted := serve(t, p.url) // its URL names the old primary first
	for n, server := range []*service{s, restarted} {
		created := server.ask(t, p.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("afterwards ", n)))
		if created.status != http.StatusCreated {
			t.Errorf("create with the old primary up: %d %s", created.status, created.body)
		}
		r := s.ask(t, p.who, http.MethodGet, "/payment-intents/"+created.data.UUID, "")
		if r.status != http.StatusOK {
			t.Errorf("retrieve with the old primary up: %d %s", r.status, r.body)
		}
	}
	var there, here int
	const afterSQL = `
		SELECT count(*)
		FROM intents
		WHERE merchant_reference LIKE 'afterwards %'
		OR merchant_reference = 'while it hangs'`
	if err := p.on(t, p.Standby).QueryRow(t.Context(), afterSQL).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if err := p.on(t, p.Primary).QueryRow(t.Context(), afterSQL).Scan(&here); err != nil {
		t.Fatal(err)
	}
	if there != 3 || here != 0 {
		t.Errorf("the new primary has %d of what was acknowledged, the old one %d; want 3 and 0", there, here)
	}
	p.Primary.Kill() // otherwise stuck would wait for it to the end
}
