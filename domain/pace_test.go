package domain_test

import (
	"fmt"
	"testing"
	"time"

	"daftar/domain"
)

// manyAttempts has as many attempts as may follow each other at once.
func manyAttempts() []domain.Event {
	events := []domain.Event{created()}
	for n := range domain.FreeAttempts {
		id := domain.AttemptID(fmt.Sprint("early", n))
		events = append(events, started(id, soon), failed(id, soon))
	}
	return events
}

// A client that starts and gives up attempts as fast as it can leaves a short history, and the
// intent can be paid until its expiry.
func TestTheHistoryOfAnIntentStaysShort(t *testing.T) {
	t.Parallel()
	for life, want := range map[time.Duration]int{
		domain.MaxExpiry: 37, domain.DefaultExpiry: 32, time.Hour: 27,
	} {
		c := created()
		c.ExpiresAt = t0.Add(life)
		i := domain.Fold(intent, []domain.Event{c})
		for now := t0; now.Before(c.ExpiresAt); now = i.NextAttemptAt() {
			id := domain.AttemptID(fmt.Sprint(len(i.Attempts)))
			for _, command := range []domain.Command{start(id), fail(id)} {
				events, err := domain.Decide(i, command, now)
				if err != nil {
					t.Fatal(err)
				}
				i = domain.Evolve(i, events[0])
			}
		}
		if got := len(i.Attempts); got != want || i.Version != 1+2*want {
			t.Errorf("in %v: %d attempts and %d events, want %d attempts", life, got, i.Version, want)
		}
	}
}
