//go:build long

package acceptance_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// A server shuts down in time although an acquirer does not answer. The refund's outcome is unknown
// then, as after a kill, and it is not requested again.
func stopsDespiteASilentAcquirer(t *testing.T) {
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	database := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(database, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	m.gateways.set(t, env, m.who.app, "moamalat")
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)
	intent, page := m.order("silent")
	m.submit(page, "attempts", "lightbox", url.Values{"method": {"moamalat"}})
	body, _, _ := m.visitor.must(http.StatusOK, http.MethodGet, page, nil)
	m.pay("moamalat", lightboxReference.FindStringSubmatch(body)[1], 5000)
	m.submit(page, "attempts", "receipt", url.Values{"method": {"moamalat"}})
	m.served.Stop(t, syscall.SIGTERM)

	var asked atomic.Int32
	ended := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.Contains(strings.ToLower(r.URL.Path), "refund") {
			asked.Add(1)
		}
		<-ended
	}))
	defer silent.Close()
	defer close(ended)
	hung := append(slices.Clone(m.gateways.env), "DAFTAR_MOAMALAT_URL="+silent.URL)
	s := serve(t, db.ServiceURL(), hung...)
	back := m.refund(env, "request", intent, "--note", "sold out")
	pgtest.WaitFor(t, "the acquirer to be asked", func() bool { return asked.Load() > 0 })
	took := s.Stop(t, syscall.SIGTERM)
	if code := s.ProcessState.ExitCode(); took > 10*time.Second || code != 0 {
		t.Errorf("exit %d after %v", code, took)
	}
	serve(t, db.ServiceURL(), hung...)
	pgtest.WaitFor(t, "the refund to be unknown", func() bool {
		r := call(t, env, "refunds", "list", "--state", "unknown", "--json")
		return r.code == 0 && strings.Contains(r.out, back.ID)
	})
	if n := asked.Load(); n != 1 {
		t.Errorf("the acquirer was asked %d times", n)
	}
	t.Logf("stopped after %v", took)
}
