package main

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
)

// life is what happens to an intent after its creation.
type life int

const (
	waiting   life = iota // created, no attempt yet
	started               // attempted, and still under way
	paid                  // attempted and paid
	paidAgain             // declined at first, then paid
	expired               // without any attempt
	declined              // attempted once, then expired
	late                  // paid after it expired
)

// events are all events of an intent with this life.
func (l life) events(created domain.Created, payer, provider string) []domain.Event {
	all := []domain.Event{created}
	var attempt domain.AttemptID
	at := func(minutes int) time.Time { return created.At.Add(time.Duration(minutes) * time.Minute) }
	start := func(minutes int) {
		attempt = domain.NewAttemptID(uuid.New())
		all = append(all, domain.AttemptStarted{
			At: at(minutes), Attempt: attempt, Acquirer: "sandbox", Method: "wallet", Payer: payer,
		})
	}
	fail := func(at time.Time, reason string) {
		all = append(all, domain.AttemptFailed{At: at, Attempt: attempt, Reason: reason})
	}
	pay := func(at time.Time) domain.Succeeded {
		return domain.Succeeded{At: at, Attempt: attempt, Amount: created.Amount, ProviderReference: provider}
	}
	end := domain.Expired{At: created.ExpiresAt}
	switch l {
	case waiting:
	case started:
		start(1)
	case paid:
		start(1)
		all = append(all, pay(at(2)))
	case paidAgain:
		start(1)
		fail(at(2), "declined")
		start(3)
		all = append(all, pay(at(4)))
	case expired:
		all = append(all, end)
	case declined:
		start(1)
		fail(at(2), "declined")
		all = append(all, end)
	case late:
		start(1)
		fail(end.At, domain.ReasonExpired)
		all = append(all, end, domain.LateSucceeded(pay(end.At.Add(time.Minute))))
	}
	return all
}

// ofHundred is the life of each of a hundred intents in a row: three quarters are paid, as with merchants
// that create an intent when the customer has chosen to pay. eventsOfHundred is how many events they have.
var ofHundred, eventsOfHundred = livesOfHundred()

func livesOfHundred() (all [100]life, events int) {
	n := 0
	for _, part := range []struct {
		life  life
		times int
	}{{paid, 66}, {paidAgain, 9}, {expired, 17}, {declined, 7}, {late, 1}} {
		for range part.times {
			all[n*37%100] = part.life // 37 and 100 share no factor, so this spreads the lives evenly
			n++
		}
		events += part.times * len(part.life.events(domain.Created{}, "", ""))
	}
	return all, events
}

const (
	// livedOver is the period in which the intents were created. It ended livedUntil ago, which
	// is longer than timeToPay: every intent that was not paid has expired.
	livedOver  = 3 * 365 * 24 * time.Hour
	livedUntil = 48 * time.Hour
	timeToPay  = 25 * time.Hour
)

// newLives makes a log of about the given number of events as years of business leave it: the
// events of intents most of which have ended, and the rows of intents. The program's rebuild makes
// the other read models from the events. The newest hundredth of the intents, at least a hundred
// and at most a thousand, are open.
func newLives(shop merchant, events int, now time.Time) storing {
	hundreds := max(2, events/eventsOfHundred)
	ended := hundreds*100 - min(1000, max(100, hundreds/100*100))
	last := now.Add(-livedUntil)
	intent := func(n int) (domain.IntentID, []domain.Event) {
		at, life := now.Add(-time.Hour), waiting
		if n < ended {
			at = last.Add(-time.Duration(float64(livedOver) * float64(ended-n) / float64(ended)))
			life = ofHundred[n%100]
		}
		id, created := shop.creation(fmt.Sprintf("lived-%08d", n), n, at, at.Add(timeToPay))
		return id, life.events(created, fmt.Sprintf("09*****%03d", n%1000), fmt.Sprintf("SB-%010d", n))
	}
	before := func(n int) int { // n is a multiple of a hundred
		return min(n, ended)/100*eventsOfHundred + max(0, n-ended)
	}
	return storing{
		intents: hundreds * 100, intent: intent, before: before, actor: shop.actor(),
		tables: []string{"events", "intents"},
	}
}
