//go:build long

package acceptance_test

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// While the database is down every request is answered 503 with Retry-After; when it is back the
// server soon works again by itself.
func TestLongDatabaseAwayAndBack(t *testing.T) { // alone: it measures
	cluster := pgtest.NewCluster(t, nil)
	_, url := cluster.Database(t, "daftar")
	who := newShop(t, []string{"DAFTAR_DATABASE_URL=" + url, "DAFTAR_SECRET_KEY=" + secretKey})
	s := serve(t, url)
	id := s.ask(t, who, http.MethodPost, "/payment-intents", order("before")).data.UUID

	cluster.Kill()
	for what, r := range map[string]reply{
		"create":   s.ask(t, who, http.MethodPost, "/payment-intents", order("during")),
		"retrieve": s.ask(t, who, http.MethodGet, "/payment-intents/"+id, ""),
	} {
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" ||
			!strings.Contains(r.body, `"message"`) {
			t.Errorf("%s while the database is away: %d %v %s", what, r.status, r.header, r.body)
		}
	}
	if got := s.status("/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz: %d", got)
	}
	if got := s.status("/healthz"); got != http.StatusOK {
		t.Errorf("/healthz: %d", got)
	}
	if err := cluster.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	pgtest.WaitFor(t, "the first good create", func() bool {
		return s.ask(t, who, http.MethodPost, "/payment-intents", order("after")).status < 300
	})
	if took := time.Since(back); took > 5*time.Second {
		t.Errorf("the first good create came %v after the database", took)
	}
	if r := s.ask(t, who, http.MethodGet, "/payment-intents/"+id, ""); r.status != http.StatusOK {
		t.Errorf("retrieve afterwards: %d %s", r.status, r.body)
	}
}

func TestLongDrainUnderLoad(t *testing.T) { // alone: it measures
	if took := drainUnderLoad(t); took > 10*time.Second {
		t.Errorf("stopped after %v", took)
	}
}

func answersDespiteASilentDatabase(t *testing.T) {
	if slowest := silentDatabase(t); slowest > 7*time.Second {
		t.Errorf("an answer took %v", slowest)
	}
}

// The demo runs, is stopped with Ctrl-C and frees its ports. The next run finds the data and the
// same credentials.
func stopsAndStartsTheDemo(t *testing.T) {
	dir := t.TempDir()
	first := demo(t, dir)
	first.signIn(t)
	uuid, _ := first.order(t, "kept", "")
	stopped := first.Stop(t, syscall.SIGINT)
	if code := first.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, url := range []string{first.base, first.sandbox} {
		host := strings.TrimPrefix(strings.TrimSuffix(url, "/api/v1"), "http://")
		l, err := net.Listen("tcp", host)
		if err != nil {
			t.Errorf("%s is still taken: %v", host, err)
			continue
		}
		_ = l.Close()
	}
	began := time.Now()
	second := demo(t, dir)
	ready := time.Since(began)
	if second.key != first.key || second.authorization != first.authorization {
		t.Error("the second run has other credentials")
	}
	if second.email != first.email || second.password != first.password {
		t.Error("the second run has another login for the dashboard")
	}
	second.signIn(t)
	if status := second.get(t, uuid); status != "requires_payment_method" {
		t.Errorf("the intent of the first run is %s", status)
	}
	if stopped > 12*time.Second || ready > 10*time.Second {
		t.Errorf("the first run stopped after %v, the second was ready after %v", stopped, ready)
	}
}
