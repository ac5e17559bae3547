package moamalat_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/conformance"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/moamalat"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
)

// moamalatDriver causes behaviours at the fake of Moamalat's gateway.
type moamalatDriver struct{ w *conformance.World }

// Every method keeps the port's promises, whatever the acquirer does.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		Capabilities: (*moamalat.Provider)(nil).Capabilities(),
		Control: []string{
			"GET ledger", "POST faults", "POST sale", "POST notify", "POST merchant", "POST style",
		},
		Start: func(w *conformance.World) {
			terminal := moamalatfake.Example()
			terminal.NotifyURL = w.Inbox.URL
			f := moamalatfake.New(moamalatfake.Config{
				Merchants: []moamalatfake.Merchant{terminal}, Clock: w.Theirs, RefuseRepeats: true,
				HangFor: time.Millisecond,
			})
			w.Server = acquirertest.NewServer(w.T, "/cube/", f)
			w.T.Cleanup(f.Close)
			w.Driver = moamalatDriver{w}
		},
	})
}

func (d moamalatDriver) Open(url string, stranger bool) acquirer.Acquirer {
	terminal := moamalatfake.Example()
	if stranger {
		terminal.SecureKey, terminal.NotificationKey = "00112233", "44556677"
	}
	p, err := moamalat.New(moamalat.Config{URL: url, Timeout: time.Minute, Now: d.w.Clock.Now})
	if err != nil {
		d.w.T.Fatal(err)
	}
	d.w.T.Cleanup(p.Close)
	settings := fmt.Sprintf(`{"merchant_id":%q,"terminal_id":%q,"secure_key":%q,"notification_key":%q}`,
		terminal.MerchantID, terminal.TerminalID, terminal.SecureKey, terminal.NotificationKey)
	return conformance.Opened(d.w.T, p, settings)
}

func (moamalatDriver) Secrets() []string {
	terminal := moamalatfake.Example()
	return []string{terminal.MerchantID, terminal.TerminalID, terminal.SecureKey, terminal.NotificationKey}
}

func (d moamalatDriver) Fault(f fake.Fault) { conformance.ControlFault(d.w, f) }

func (d moamalatDriver) Books(p acquirer.Payment) fake.Payment { return d.w.Server.Books(p.Reference) }

func (moamalatDriver) Phone(conformance.Payer) string { return "" }

// moamalatCards are those of the fake's documentation; any other pays.
var moamalatCards = map[conformance.Payer]string{
	conformance.Declines:  "0000000000000004",
	conformance.PaysEarly: "0000000000000003",
	conformance.PaysTwice: "0000000000000006",
}

// Pay uses the form with the configuration of Begin, as the payer's browser would.
func (d moamalatDriver) Pay(s *conformance.Session, as conformance.Payer) *acquirer.Message {
	d.w.T.Helper()
	card, code := moamalatCards[as], "111111"
	if card == "" {
		card = "0000000000000000"
	}
	if as == conformance.Mistypes {
		code = "222222"
	}
	configuration := strings.TrimSuffix(s.Begun.(acquirer.Embedded).Configuration, "}")
	body := configuration + fmt.Sprintf(`,"action":"pay","card":%q,"code":%q}`, card, code)
	d.w.Server.Control("/form", body, nil)
	return nil
}

func (moamalatDriver) Repoint(m acquirer.Message, s *conformance.Session, other string) acquirer.Message {
	m.Body = bytes.ReplaceAll(m.Body, []byte(s.Payment.Reference), []byte(other))
	return m
}

func (d moamalatDriver) AnswerOther(s *conformance.Session, other string) {
	d.w.Server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(s.Payment.Reference), []byte(other))
	})
}
