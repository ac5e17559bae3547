package dashboard

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
)

// deadlines records the deadlines of a connection.
type deadlines []time.Time

// SetReadDeadline records a deadline.
func (d *deadlines) SetReadDeadline(t time.Time) error {
	*d = append(*d, t)
	return nil
}

// The time for an upload grows with what arrives: 10 kB a second on average, after five seconds.
func TestTheRateOfUploads(t *testing.T) {
	t.Parallel()
	var set deadlines
	begun := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	body := &pacedBody{
		ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", 10_000_000))),
		control:    &set, begun: begun, end: begun.Add(uploadLimit),
	}
	_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{body}, make([]byte, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	for n, at := range set {
		if want := begun.Add(min(time.Duration(5+n)*time.Second, 2*time.Minute)); !at.Equal(want) {
			t.Fatalf("after %d bytes %v, want %v", n*10_000, at, want)
		}
	}
}

// With one slot for each organisation and two in all, an organisation with many uploads does not
// block others.
func TestPlaces(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	a := accounts.OrganizationID(uuid.New())
	b := accounts.OrganizationID(uuid.New())
	c := accounts.OrganizationID(uuid.New())
	s := newSlots(2, 1, time.Minute)
	take := func(of accounts.OrganizationID) func() {
		release, ok := s.take(ctx, of)
		if !ok {
			t.Fatal("no slot")
		}
		return release
	}
	releaseA := take(a)
	second := make(chan func())
	go func() {
		release, _ := s.take(ctx, a)
		second <- release
	}()
	releaseB := take(b) // although a waits
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, of := range []accounts.OrganizationID{a, b, c} {
		if _, ok := s.take(ended, of); ok {
			t.Error("a third slot was taken")
		}
	}
	releaseA()
	releaseA() // again
	releaseA = <-second
	if _, ok := s.take(ended, c); ok {
		t.Error("releasing a slot twice released two")
	}
	releaseB()
	take(c)()
	releaseA()
	take(a)()

	noWait := newSlots(1, 1, 0)
	if _, ok := noWait.take(ctx, a); !ok {
		t.Error("a free slot was not taken")
	}
	if _, ok := noWait.take(ctx, b); ok {
		t.Error("one slot was taken twice")
	}
}
