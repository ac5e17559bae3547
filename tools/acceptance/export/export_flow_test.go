package export_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/export"
)

// headers are the headers of every message.
var headers = []string{
	"_watermill_message_uuid",
	"Daftar-Position", "Daftar-Recorded-At", "Daftar-Schema-Version",
	"Daftar-Stream", "Daftar-Type", "Daftar-Version",
	"Nats-Expected-Last-Sequence", "Nats-Expected-Stream", "Nats-Msg-Id",
}

// Followers get every event in order, under subjects that they can filter, with headers that
// describe the body.
func TestEveryEventArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	stream := w.add(3)
	r := w.run(2)
	w.wantComplete()
	w.addTo(stream, 3, 1) // the event that names the application is in another batch
	_, err := w.store.Append(t.Context(), eventstore.Append{
		Stream: stream, Expected: 4,
		Events: []eventstore.Event{{Type: "alone", SchemaVersion: 1, Payload: []byte(`[]`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.wantComplete()
	owner := fmt.Sprintf("%s.%s.%s", subjects, w.organization, w.application)
	for n, m := range w.follower(0) {
		version := strconv.Itoa(n + 1)
		want := map[string]string{
			"Daftar-Position": version, "Daftar-Stream": stream.String(), "Daftar-Version": version,
			"Daftar-Schema-Version": "2",
			"Daftar-Type":           "intent.changed", "Nats-Msg-Id": stream.String() + "/" + version,
		}
		switch n {
		case 0:
			want["Daftar-Type"], want["Daftar-Schema-Version"] = "intent.created", "1"
		case 4:
			want["Daftar-Type"], want["Daftar-Schema-Version"] = "alone", "1"
		}
		for name, value := range want {
			if got := m.Headers().Get(name); got != value {
				t.Errorf("message %d: %s is %q, want %q", n+1, name, got, value)
			}
		}
		if got := m.Headers().Get("Daftar-Recorded-At"); got == "" {
			t.Errorf("message %d does not say when it was recorded", n+1)
		}
		if want := owner + "." + want["Daftar-Type"]; m.Subject() != want {
			t.Errorf("message %d has the subject %s, want %s", n+1, m.Subject(), want)
		}
		// The NATSMarshaler of github.com/ThreeDotsLabs/watermill-nats v2.1.3
		// (pkg/nats/marshaler.go) reads a message's UUID from the header _watermill_message_uuid
		// and its metadata from all others, each of which must have one value. It leaves out the
		// headers that JetStream defines.
		if got := m.Headers().Get("_watermill_message_uuid"); got != stream.String()+"/"+version {
			t.Errorf("message %d has the UUID %q for Watermill", n+1, got)
		}
		for _, name := range slices.Sorted(maps.Keys(m.Headers())) {
			if values := m.Headers().Values(name); len(values) != 1 || !slices.Contains(headers, name) {
				t.Errorf("message %d has the header %s: %q", n+1, name, values)
			}
		}
		if len(m.Headers()) != len(headers) {
			t.Errorf("message %d has the headers %v, want %v", n+1, m.Headers(), headers)
		}
	}
	for filter, want := range map[string]int{
		subjects + ".*.*.intent.created":                 1,
		subjects + ".*.*.intent.>":                       4,
		subjects + "." + w.organization.String() + ".>":  5,
		subjects + ".*." + w.application.String() + ".>": 5,
		subjects + "." + w.application.String() + ".>":   0,
		subjects + ".*.*.alone":                          1,
	} {
		if got := len(w.follower(0, filter)); got != want {
			t.Errorf("%s: %d messages, want %d", filter, got, want)
		}
	}
	if r.metric(t, "published_total") != 5 || r.metric(t, "duplicates_total") != 0 ||
		r.metric(t, "position") != 5 || r.metric(t, "connected") != 1 {
		t.Errorf("metrics: %v published, %v of them before, at %v", r.metric(t, "published_total"),
			r.metric(t, "duplicates_total"), r.metric(t, "position"))
	}
}

// An event of a stream that names no application is exported as well.
func TestEventsOfNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.application = w.organization // there is no such application
	first := w.add(2)
	other := eventstore.Event{Type: "other", SchemaVersion: 1, Payload: []byte(`"text"`)}
	_, err := w.store.Append(t.Context(), eventstore.Append{
		Stream: w.application, Events: []eventstore.Event{other},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.run(10)
	w.wantComplete()
	want := []string{
		subjects + ".none." + w.application.String() + ".intent.created",
		subjects + ".none." + w.application.String() + ".intent.changed",
		subjects + ".none.none.other",
	}
	for n, m := range w.follower(0) {
		if m.Subject() != want[n] {
			t.Errorf("event %d of %s: %s, want %s", n+1, first, m.Subject(), want[n])
		}
	}
}

// An account at a provider belongs to its organisation and to no application. The largest settlement fits
// a message.
func TestEventsOfAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	k := books.Key{Organization: w.organization, Mode: domain.ModeLive, Acquirer: "moamalat"}
	s := books.NewSettlement{
		ID: uuid.New(), ValueDate: domain.Day{Year: 2026, Month: 11, Day: 22},
		BankReference: strings.Repeat("ق", books.MaxText),
	}
	for n := range books.MaxShares {
		back := uuid.New()
		s.Shares = append(s.Shares, books.Share{
			Intent: uuid.New(), Attempt: domain.NewAttemptID(uuid.New()), Refund: &back,
			Amount: -domain.MaxAmount, Line: int64(100_000 + n),
		})
	}
	s.Taken = bookstest.TakenOn(s.ValueDate, s.Shares...)
	a := books.Blank(k)
	decided, err := books.Decide(&a, books.RecordStatement{
		File: strings.Repeat("ق", books.MaxText), SHA256: strings.Repeat("a", 64),
		Settlements: []books.NewSettlement{s},
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := books.Encode(decided[0])
	if err != nil {
		t.Fatal(err)
	}
	w.run(10)
	for version := range 2 { // the event that names the organisation is in another batch
		_, err = w.store.Append(t.Context(), eventstore.Append{
			Stream: k.StreamID(), Expected: version, Events: []eventstore.Event{eventstore.Event(stored)},
			NotShown: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.wantComplete()
	}
	for _, m := range w.follower(0) {
		if want := subjects + "." + w.organization.String() + ".none.settlement.recorded"; m.Subject() != want {
			t.Errorf("%s, want %s", m.Subject(), want)
		}
	}
}

// More events than the limit of unacknowledged messages, in one batch and in several.
func TestBacklog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(3*export.InFlight + 7)
	w.run(1000)
	w.wantComplete()
	info, err := w.js().Stream(t.Context(), streamName)
	if err != nil {
		t.Fatal(err)
	}
	c := info.CachedInfo().Config
	if c.Storage != jetstream.FileStorage || c.Retention != jetstream.LimitsPolicy || c.MaxAge != 0 ||
		c.MaxMsgs != -1 ||
		c.MaxBytes != -1 || !c.DenyDelete || c.Duplicates == 0 {
		t.Errorf("the stream was made as %+v", c)
	}
}
