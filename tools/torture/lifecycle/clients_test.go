package lifecycle_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
	"daftar/tools/torture/lifecycle"
)

// digits are the last digits of the phone numbers for which the bank behaves like the wallet.
var digits = map[rune]byte{
	lifecycle.Pays: '0', lifecycle.Holds: '3', lifecycle.Hangs: '1', lifecycle.Refuses: '4',
}

// phone is one of a thousand numbers of a wallet, because each gets only a few codes an hour.
func phone(wallet rune, random *rand.Rand) string {
	return fmt.Sprintf("096000%03d%c", random.IntN(1000), digits[wallet])
}

// pick chooses one of the letters; repeated letters are more likely.
func pick(random *rand.Rand, letters string) rune { return rune(letters[random.IntN(len(letters))]) }

// act makes a random operation on the intent, at one of the servers.
func (o *watch) act(client int, random *rand.Rand) {
	in := o.servers[random.IntN(len(o.servers))]
	switch pick(random, "bbbbcccccppplluuxssn") {
	case 'b':
		wallet := pick(random, "yyyhhgrrrrr")
		number := phone(wallet, random)
		o.record(client, lifecycle.Operation{Do: "begin", Wallet: wallet}, func() (lifecycle.Observation, bool) {
			o.post(in, "/attempts", map[string][]string{"method": {"wallet"}, "phone": {number}})
			return lifecycle.Observation{}, true
		})
	case 'c':
		code := map[rune]string{'r': "111111", 'd': "000000", 'w': "222222"}[pick(random, "rrrddw")]
		o.record(client, lifecycle.Operation{Do: "code", Code: code}, func() (lifecycle.Observation, bool) {
			location := o.post(in, "/code", map[string][]string{"otp": {code}})
			return lifecycle.Observation{Wrong: strings.Contains(location, "code=wrong")}, true
		})
	case 'p':
		o.record(client, lifecycle.Operation{Do: "page"}, func() (lifecycle.Observation, bool) {
			return lifecycle.Observation{Page: o.page(in)}, true
		})
	case 'l':
		o.record(client, lifecycle.Operation{Do: "load"}, func() (lifecycle.Observation, bool) {
			return o.look(in), true
		})
	case 'u':
		o.record(client, lifecycle.Operation{Do: "current"}, func() (lifecycle.Observation, bool) {
			i, err := in.ledger.Current(o.t.Context(), o.intent.ID, 0)
			return lifecycle.Observation{State: lifecycle.State{Status: i.Status, Version: i.Version}}, o.ok(err)
		})
	case 'x':
		o.record(client, lifecycle.Operation{Do: "expire"}, func() (lifecycle.Observation, bool) {
			origin := ledger.Origin{Actor: ledger.ActorExpiry}
			i, err := in.ledger.Execute(o.t.Context(), o.intent.ID, domain.Expire{}, origin)
			if refusal, refused := errors.AsType[domain.Refusal](err); refused {
				return lifecycle.Observation{Refused: string(refusal)}, true
			}
			return lifecycle.Observation{State: lifecycle.State{Status: i.Status, Version: i.Version}}, o.ok(err)
		})
	case 's', 'n':
		known := o.loaded(in).Attempts
		if len(known) == 0 {
			return
		}
		id := known[random.IntN(len(known))].ID
		if random.IntN(3) == 0 {
			o.record(client, lifecycle.Operation{Do: "notify", Attempt: id}, func() (lifecycle.Observation, bool) {
				return lifecycle.Observation{}, o.hint(id)
			})
			return
		}
		o.settleAttempt(client, in, id, map[rune]string{'p': "paid", 'd': "declined"}[pick(random, "ppd")])
	}
}

func checkoutPath(i domain.Intent) string { return projections.CheckoutPath(i.ID, i.CheckoutToken) }

// ok reports whether err is nil; other errors fail the test.
func (o *watch) ok(err error) bool {
	if err != nil {
		o.t.Error(err)
	}
	return err == nil
}

// post sends a form of the page and returns the Location of the answer.
func (o *watch) post(in *server, form string, fields map[string][]string) string {
	res, body := in.ask(o.t, http.MethodPost, checkoutPath(o.intent)+form, fields)
	if res.StatusCode != http.StatusSeeOther {
		o.t.Errorf("%s: status %d\n%s", form, res.StatusCode, body)
	}
	return res.Header.Get("Location")
}

func (o *watch) page(in *server) string {
	res, body := in.ask(o.t, http.MethodGet, checkoutPath(o.intent), nil)
	_, state, found := strings.Cut(body, `data-state="`)
	state, _, _ = strings.Cut(state, `"`)
	if res.StatusCode != http.StatusOK || !found {
		o.t.Errorf("the page: status %d, state %q", res.StatusCode, state)
	}
	return state
}

// hint sends a notification that claims that the attempt is paid, true or not.
func (o *watch) hint(id domain.AttemptID) bool {
	body := fmt.Sprintf(`{"id":%q,"intent":%q,"amount":%d,"currency":"LYD","state":"paid","reference":"SB1"}`,
		id, o.intent.ID, o.intent.Amount.Minor)
	if got := o.notify(body); got != http.StatusNoContent {
		o.t.Errorf("notification: status %d", got)
	}
	return true
}

// settleAttempt makes the bank decide. The operation lasts until the ledger has the outcome,
// unless the bank has nothing to decide.
func (o *watch) settleAttempt(client int, in *server, id domain.AttemptID, outcome string) {
	settle := lifecycle.Operation{Do: "settle", Attempt: id, Outcome: outcome}
	o.record(client, settle, func() (lifecycle.Observation, bool) {
		address := o.bankURL + "/control/payments/" + string(id) + "/settle"
		body := strings.NewReader(fmt.Sprintf(`{"outcome":%q}`, outcome))
		res, err := http.Post(address, "application/json", body)
		if !o.ok(err) {
			return lifecycle.Observation{}, false
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return lifecycle.Observation{}, false // it is paid already, or does not exist yet
		}
		o.awaitEnd(in, id, outcome)
		return lifecycle.Observation{}, true
	})
}

// awaitEnd waits until the ledger has the outcome of an attempt. It does not wait for an
// attempt that was declined after another paid, because no event records that.
func (o *watch) awaitEnd(in *server, id domain.AttemptID, outcome string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(patience); ; <-tick.C {
		i := o.loaded(in)
		a, _ := i.Attempt(id)
		switch {
		case a.State == domain.AttemptStatePaid:
			return
		case outcome != "paid" && (a.State == domain.AttemptStateFailed || i.Status == domain.StatusSucceeded):
			return
		case time.Now().After(limit):
			o.t.Errorf("attempt %s is still %s, and should be %q", id, a.State, outcome)
			return
		}
		o.page(in) // opening the page brings the inquiry forward
	}
}

func (o *watch) loaded(in *server) domain.Intent {
	i, err := in.ledger.Load(o.t.Context(), o.intent.ID)
	o.ok(err)
	return i
}

// look observes the state in the ledger.
func (o *watch) look(in *server) lifecycle.Observation {
	return lifecycle.Observation{State: stateOf(o.loaded(in))}
}

func stateOf(i domain.Intent) lifecycle.State {
	l := lifecycle.State{Status: i.Status, Late: i.Late, Version: i.Version}
	for n, a := range i.Attempts {
		for wallet, digit := range digits {
			if a.Payer[len(a.Payer)-1] == digit {
				l.Attempts += string(wallet)
			}
		}
		l.Attempts += string(a.State[0])
		if a.ID == i.PaidBy {
			l.PaidBy = n + 1
		}
	}
	return l
}
