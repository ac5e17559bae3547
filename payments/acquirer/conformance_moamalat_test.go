package acquirer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/moamalat"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
)

// moamalatDriver causes behaviours at the fake of Moamalat's gateway.
type moamalatDriver struct{ w *world }

func moamalatProvider(*testing.T) provider {
	return provider{"moamalat", (*moamalat.Provider)(nil).Capabilities(), func(w *world) {
		terminal := moamalatfake.Example()
		terminal.NotifyURL = w.inbox.URL
		f := moamalatfake.New(moamalatfake.Config{
			Merchants: []moamalatfake.Merchant{terminal}, Clock: w.theirs, RefuseRepeats: true, HangFor: time.Millisecond,
		})
		w.server = acquirertest.NewServer(w.t, "/cube/", f)
		w.t.Cleanup(f.Close)
		w.driver = moamalatDriver{w}
	}}
}

func (d moamalatDriver) open(url string, stranger bool) acquirer.Acquirer {
	terminal := moamalatfake.Example()
	if stranger {
		terminal.SecureKey, terminal.NotificationKey = "00112233", "44556677"
	}
	p, err := moamalat.New(moamalat.Config{URL: url, Timeout: time.Minute, Now: d.w.clock.Now})
	if err != nil {
		d.w.t.Fatal(err)
	}
	d.w.t.Cleanup(p.Close)
	return opened(d.w.t, p, fmt.Sprintf(`{"merchant_id":%q,"terminal_id":%q,"secure_key":%q,"notification_key":%q}`,
		terminal.MerchantID, terminal.TerminalID, terminal.SecureKey, terminal.NotificationKey))
}

func (moamalatDriver) secrets() []string {
	terminal := moamalatfake.Example()
	return []string{terminal.MerchantID, terminal.TerminalID, terminal.SecureKey, terminal.NotificationKey}
}

func (d moamalatDriver) fault(f fake.Fault) { controlFault(d.w, f) }

func (d moamalatDriver) books(p acquirer.Payment) fake.Payment { return d.w.server.Books(p.Reference) }

func (moamalatDriver) phone(payer) string { return "" }

// moamalatCards are those of the fake's documentation; any other pays.
var moamalatCards = map[payer]string{
	declines: "0000000000000004", paysEarly: "0000000000000003", paysTwice: "0000000000000006",
}

// pay uses the form with the configuration of Begin, as the payer's browser would.
func (d moamalatDriver) pay(s *session, as payer) *acquirer.Message {
	d.w.t.Helper()
	card, code := moamalatCards[as], "111111"
	if card == "" {
		card = "0000000000000000"
	}
	if as == mistypes {
		code = "222222"
	}
	form := s.begun.(acquirer.Embedded).Configuration
	d.w.server.Control("/form", strings.TrimSuffix(form, "}")+fmt.Sprintf(`,"action":"pay","card":%q,"code":%q}`, card, code), nil)
	return nil
}

func (moamalatDriver) repoint(m acquirer.Message, s *session, other string) acquirer.Message {
	m.Body = bytes.ReplaceAll(m.Body, []byte(s.p.Reference), []byte(other))
	return m
}

func (d moamalatDriver) answerOther(s *session, other string) {
	d.w.server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(s.p.Reference), []byte(other))
	})
}
