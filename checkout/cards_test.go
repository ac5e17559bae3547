package checkout_test

import (
	"net/url"
	"strings"
	"testing"
)

// A card number typed into a field of the checkout is refused: it reaches neither
// the acquirer nor the database nor the log. The tests of the storybook check that no page asks
// for one.
func TestCardNumbersAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	numbers := []string{
		"4111111111111111", "4111 1111 1111 1111", "378282246310005", "4222222222222", "٤١١١١١١١١١١١١١١١",
	}
	for _, number := range numbers {
		w.want(w.post(path(i)+"/attempts", wallet(number)), 422, "pay")
	}
	waiting := w.atCode(i, "0912345678")
	before := w.acquirer.confirmed.Load()
	for _, number := range numbers {
		w.want(w.post(path(i)+"/code", code(number)), 422, "otp")
	}
	if n := w.acquirer.confirmed.Load() - before; n != 0 {
		t.Errorf("the acquirer got %d of them as a code", n)
	}
	// Fields that no page has are not read.
	extra := url.Values{"otp": {"111111"}, "card_number": {numbers[0]}, "pan": {numbers[0]}, "cvv": {"737"}}
	w.want(w.submit(waiting, extra), 200, "receipt")
	w.wantNoSecret("the log", w.log.String(), numbers)
	w.wantNoSecret("the database", w.allRows(), numbers)
}

// allRows is every row of the tables that a payment writes to.
func (w *world) allRows() string {
	w.t.Helper()
	var text string
	err := w.pool.QueryRow(w.t.Context(), `
		SELECT (SELECT string_agg(a::text, ' ') FROM checkout_attempts a) ||
		       (SELECT string_agg(e::text, ' ') FROM events e) ||
		       (SELECT string_agg(i::text, ' ') FROM intents i)`).Scan(&text)
	if err != nil || !strings.Contains(text, "intent.created") {
		w.t.Errorf("read the database: %v: %s", err, text)
	}
	return text
}
