package transparency_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/transparency"
)

// receiver accepts checkpoints; it answers with status.
type receiver struct {
	mu     sync.Mutex
	status int
	got    []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == http.StatusOK {
		r.got = append(r.got, string(body))
	}
	w.WriteHeader(r.status)
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) received() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

func TestURLGetsNewCheckpointsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := &receiver{status: http.StatusServiceUnavailable}
	server := httptest.NewServer(r)
	defer server.Close()
	to := func(c *transparency.Config) { c.URL = server.URL + "/secret-path" }
	first, second := w.notary(to), w.notary(to)
	w.fill(4)
	w.grow(10)
	c := w.sign()
	if err := first.Publish(t.Context()); err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("refused by the receiver: %v", err)
	}
	r.answer(http.StatusOK)
	for range 2 {
		for _, n := range []*transparency.Notary{first, second} {
			if err := n.Publish(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	if got := r.received(); len(got) != 1 || got[0] != c.Note {
		t.Errorf("received %q, want the checkpoint once", got)
	}
	server.Close()
	w.fill(1)
	w.grow(10)
	w.sign()
	if err := first.Publish(t.Context()); err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("nobody listens: %v", err)
	}
}

// While a checkpoint is being sent no transaction is open, and other servers do not send to the
// destination until the claim has ended.
func TestCheckpointIsSentOutsideOfTransactions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	arrived, answer := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-answer
	}))
	defer server.Close()
	to := func(c *transparency.Config) { c.URL = server.URL }
	first, second := w.notary(to), w.notary(to)
	w.fill(4)
	w.grow(10)
	w.sign()
	sent := make(chan error, 2)
	send := func(n *transparency.Notary) {
		t.Helper()
		go func() { sent <- n.Publish(context.Background()) }()
		select {
		case <-arrived:
		case err := <-sent:
			t.Fatalf("nothing was sent, %v", err)
		}
	}
	send(first)
	n := value[int](w, `
		SELECT count(*)
		FROM pg_stat_activity
		WHERE datname = current_database()
		  AND xact_start IS NOT NULL
		  AND pid <> pg_backend_pid()`)
	if n != 0 {
		t.Errorf("%d transactions are open while a checkpoint is sent", n)
	}
	if err := second.Publish(t.Context()); err != nil { // would send, and wait for an answer
		t.Error(err)
	}
	w.now = w.now.Add(time.Minute) // as if the first server had died
	send(second)
	close(answer)
	for range 2 {
		if err := <-sent; err != nil {
			t.Error(err)
		}
	}
	if err := second.Publish(t.Context()); err != nil {
		t.Error(err)
	}
}

// A server of the previous version locks the destination's row while it sends: others skip it
// instead of waiting.
func TestDestinationIsLockedByAnOlderServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := &receiver{status: http.StatusOK}
	server := httptest.NewServer(r)
	defer server.Close()
	n := w.notary(func(c *transparency.Config) { c.URL = server.URL })
	w.fill(4)
	w.grow(10)
	w.sign()
	if err := n.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.fill(5)
	w.grow(10)
	w.sign()
	tx, err := w.super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	if _, err := tx.Exec(t.Context(), `SELECT FROM transparency_posts FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	if err := n.Publish(t.Context()); err != nil || len(r.received()) != 1 {
		t.Errorf("while another server sends: %v, %d sent", err, len(r.received()))
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := n.Publish(t.Context()); err != nil || len(r.received()) != 2 {
		t.Errorf("afterwards: %v, %d sent", err, len(r.received()))
	}
}
