package plutu_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
)

func (w *world) wantForged(name string, m acquirer.Message) {
	w.t.Helper()
	got, err := w.account.ParseNotification(m)
	if !errors.Is(err, acquirer.ErrForged) || got.Reference != "" || got.Proof != nil {
		w.t.Errorf("%s: %+v, %v, want ErrForged", name, got, err)
	}
}

// messageOfKind asks the fake for a message of that kind.
func (w *world) messageOfKind(p acquirer.Payment, kind string) acquirer.Message {
	w.t.Helper()
	var answer struct {
		Query  string `json:"query"`
		Status int    `json:"status"`
	}
	w.Control("/control/messages", fmt.Sprintf(`{"reference":%q,"kind":%q}`, p.Reference, kind), &answer)
	if p.Method == plutu.Cards {
		return acquirer.Message{Returned: true, Query: answer.Query, Header: http.Header{}}
	}
	if answer.Status != http.StatusOK {
		w.t.Errorf("%s: the inbox answered %d", kind, answer.Status)
	}
	return w.inbox.Next()
}

func TestStrangeMessages(t *testing.T) {
	t.Parallel()
	for _, m := range []acquirer.Method{plutu.Cards, plutu.TLync} {
		w := newWorld(t)
		p := w.payment(m, "2345678")
		w.openPage(p)
		for _, kind := range []string{"forged", "altered", "repointed"} {
			w.wantForged(kind, w.messageOfKind(p, kind))
		}
		w.wantTaken(p.Reference, 0, 0)
		w.wantProof(p, w.messageOfKind(p, "undecided"), "")
		w.wantProof(p, w.messageOfKind(p, "canceled"), acquirer.StateDeclined)
		for _, kind := range []string{"paid", "paid", "extra", "unsigned_extra", "lower"} {
			w.wantProof(p, w.messageOfKind(p, kind), acquirer.StatePaid)
		}
		w.wantForged("doubled", w.messageOfKind(p, "doubled"))
		if m == plutu.TLync {
			w.wantProof(p, w.messageOfKind(p, "misspelt"), acquirer.StatePaid)
			w.wantProof(p, w.messageOfKind(p, "typed"), acquirer.StatePaid)
		}
		w.wantTaken(p.Reference, 1, 12_500)

		less := p
		less.Money.Minor -= 10 // the caller compares
		w.wantProof(less, w.messageOfKind(p, "underpaid"), acquirer.StatePaid)
	}
}

// The signatures follow the rule of Plutu's documentation; another program computed them for the key
// of these tests.
func TestVectors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	money := domain.Money{Minor: 12_500, Currency: domain.LYD}
	about := acquirer.Payment{Reference: "a1b2c3d4", Money: money}
	returned := func(query string) acquirer.Message { return acquirer.Message{Returned: true, Query: query} }
	posted := func(body string) acquirer.Message { return acquirer.Message{Body: []byte(body)} }
	for name, tc := range map[string]struct {
		message acquirer.Message
		state   acquirer.State
	}{
		"a card payment": {
			returned("gateway=localbankcards&approved=1&amount=12.50&invoice_no=a1b2c3d4&transaction_id=9001" +
				"&hashed=D76E46A0B5871A4FC379C5D3DDD87EA9EC806E7D109DB5CAB73A3096E10D1946"),
			acquirer.StatePaid,
		},
		"a canceled one": {
			returned("hashed=9968FDF0B9B3619D334A179CF11DDC72F98C1D1CA94FA68BD771393F03F7195F" +
				"&gateway=localbankcards&canceled=1&amount=12.50&invoice_no=a1b2c3d4&transaction_id=9001"),
			acquirer.StateDeclined,
		},
		"a further parameter, signed": {
			returned("gateway=localbankcards&approved=1&amount=12.50&invoice_no=a1b2c3d4&transaction_id=9001" +
				"&note=%d8%b4%20~%26%3D" +
				"&hashed=650B6E24DDC2E0529F427848F15BA684BF947CF6E641D2E79ED996992841D2AF"),
			acquirer.StatePaid,
		},
		"the way back from T-Lync": {
			returned("approved=1&invoice_no=a1b2c3d4" +
				"&hashed=93311493D566CB991CA52E9D0E36226AAC84123675BE16E93AE0966422114EA8"),
			"",
		},
		"T-Lync": {
			posted(`{"gateway":"tlync","approved":1,"invoice_no":"a1b2c3d4","amount":12.5,` +
				`"payment_method":"tad awul~/","transaction_id":"9001",` +
				`"hashed":"ADBA3D6DAF272EE1462F29C61906BBB44BE701D435D6BBCCEDB5B50E2BD9A5D3"}`),
			acquirer.StatePaid,
		},
		"T-Lync with a number that PHP shortens": {
			posted(`{"gateway":"tlync","approved":true,"invoice_no":"a1b2c3d4","amount":12.50,` +
				`"payment_method":"tad awul~\/","transaction_id":9001,"nothing":null,` +
				`"hashed":"adba3d6daf272ee1462f29c61906bbb44be701d435d6bbccedb5b50e2bd9a5d3"}`),
			acquirer.StatePaid,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := *w
			inner.t = t
			inner.wantProof(about, tc.message, tc.state)
		})
	}
}

// signed appends the signature to a query that is escaped as by PHP.
func signed(query string) acquirer.Message {
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write([]byte(query))
	hash := strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
	return acquirer.Message{Returned: true, Query: query + "&hashed=" + hash}
}

// flood adds very many names, which a parser would compare with each other.
func flood(query string) string {
	var b strings.Builder
	b.WriteString(query)
	for i := range 100_000 {
		fmt.Fprintf(&b, "&%d=", i)
	}
	return b.String()
}

func TestForgeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	genuine := signed("gateway=localbankcards&approved=1&amount=12.50&invoice_no=a1&transaction_id=9").Query
	hash := genuine[strings.LastIndex(genuine, "=")+1:]
	const otherOrder = "approved=1&gateway=localbankcards&amount=12.50&invoice_no=a1&transaction_id=9"
	for name, query := range map[string]string{
		"nothing":                "",
		"no signature":           strings.Split(genuine, "&hashed")[0],
		"an empty one":           strings.ReplaceAll(genuine, hash, ""),
		"half of one":            strings.ReplaceAll(genuine, hash, hash[:32]),
		"no hex":                 strings.ReplaceAll(genuine, hash, "x"+hash[1:]),
		"another order":          otherOrder + "&hashed=" + hash,
		"another way to write":   strings.ReplaceAll(genuine, "12.50", "12.5"),
		"two signatures":         genuine + "&hashed=" + hash,
		"two amounts":            genuine + "&amount=99",
		"two, one encoded":       genuine + "&%61mount=99",
		"two of our own":         genuine + "&ours=1&ours=2",
		"a malformed escape":     genuine + "&ours=%zz",
		"a known name, unsigned": genuine + "&payment_method=x",
		"a flood of names":       flood(genuine),
		"canceled, unsigned":     strings.ReplaceAll(genuine, "approved", "canceled"),
	} {
		w.wantForged(name, acquirer.Message{Returned: true, Query: query})
	}
	body := `{"gateway":"localbankcards","approved":1,"amount":"12.50","invoice_no":"a1",` +
		`"transaction_id":"9","hashed":"` + hash + `"}`
	if _, err := w.account.ParseNotification(acquirer.Message{Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
	for name, forged := range map[string]string{
		"nothing":         "",
		"no JSON":         "<html>",
		"an array":        "[" + body + "]",
		"two objects":     body + body,
		"cut short":       body[:len(body)-1],
		"a name twice":    strings.Replace(body, "{", `{"approved":1,`, 1),
		"a nested amount": strings.Replace(body, `"12.50"`, `{"x":"12.50"}`, 1),
		"another amount":  strings.Replace(body, "12.50", "12.60", 1),
		"an empty object": "{}",
	} {
		w.wantForged(name, acquirer.Message{Body: []byte(forged)})
	}
	// Only the body of a posted message counts, and only the query of one that a browser brings.
	w.wantForged("a query that was posted", acquirer.Message{Query: genuine})
	w.wantForged("a body that was returned", acquirer.Message{Returned: true, Body: []byte(body)})
}

func TestGenuineMessagesThatProveNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, query := range map[string]string{
		"both":      "approved=1&canceled=1&amount=12.50&invoice_no=a1&transaction_id=9",
		"neither":   "gateway=localbankcards&amount=12.50&invoice_no=a1&transaction_id=9",
		"a no":      "approved=0&amount=12.50&invoice_no=a1&transaction_id=9",
		"no amount": "canceled=1&invoice_no=a1",
	} {
		got, err := w.account.ParseNotification(signed(query))
		if err != nil || got.Reference != "a1" || got.Proof != nil {
			t.Errorf("%s: %+v, %v, want a hint", name, got, err)
		}
	}
	for name, query := range map[string]string{
		"no reference":      "approved=1&amount=12.50&transaction_id=9",
		"a strange one":     "approved=1&amount=12.50&invoice_no=a%2F1&transaction_id=9",
		"dollars":           "approved=1&amount=12.50&currency=USD&invoice_no=a1&transaction_id=9",
		"too fine":          "approved=1&amount=12.5001&invoice_no=a1&transaction_id=9",
		"no transaction id": "approved=1&amount=12.50&invoice_no=a1",
	} {
		got, err := w.account.ParseNotification(signed(query))
		if err == nil || errors.Is(err, acquirer.ErrForged) || got.Reference != "" || got.Proof != nil {
			t.Errorf("%s: %+v, %v, want it unreadable", name, got, err)
		}
	}
}

// A message that is signed with another key proves nothing, and no text makes the parser panic.
func FuzzNotification(f *testing.F) {
	p := signed("gateway=localbankcards&approved=1&amount=12.50&invoice_no=a1&transaction_id=9")
	f.Add(true, p.Query)
	f.Add(false, `{"approved":1,"amount":12.50,"invoice_no":"a1","transaction_id":9,"hashed":"00"}`)
	f.Add(false, `{"a":{},"hashed":""}`)
	other := openOffline(f, strings.ReplaceAll(allSettings, secretKey, "another-key"))
	f.Fuzz(func(t *testing.T, returned bool, text string) {
		m := acquirer.Message{Returned: returned, Query: text, Body: []byte(text)}
		notice, err := other.ParseNotification(m)
		if !errors.Is(err, acquirer.ErrForged) || notice.Proof != nil {
			t.Errorf("%+v, %v, want ErrForged", notice, err)
		}
	})
}
