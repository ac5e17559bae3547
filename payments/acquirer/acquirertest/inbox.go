package acquirertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"daftar/payments/acquirer"
)

// Inbox is where an acquirer sends its messages.
type Inbox struct {
	URL string

	t        testing.TB
	received chan acquirer.Message
}

// NewInbox listens until the end of the test.
func NewInbox(t testing.TB) *Inbox {
	t.Helper()
	in := &Inbox{t: t, received: make(chan acquirer.Message, 1000)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read message: %v", err)
		}
		in.received <- acquirer.Message{Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"Message":"Success","Success":true}`)
	}))
	t.Cleanup(server.Close)
	in.URL = server.URL + "/notify"
	return in
}

// Len is how many messages have come and were not taken yet.
func (in *Inbox) Len() int { return len(in.received) }

// Next takes the next message, and waits for it.
func (in *Inbox) Next() acquirer.Message {
	in.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	select {
	case m := <-in.received:
		return m
	case <-deadline.C:
		in.t.Fatal("no message came")
		return acquirer.Message{}
	}
}
