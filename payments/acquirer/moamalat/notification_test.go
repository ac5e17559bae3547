package moamalat_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/moamalat"
)

func TestEveryKindOfNotification(t *testing.T) {
	t.Parallel()
	const other = "zzzzzzzzzzzzzzzzzzzzzzzzzz"
	for _, tc := range []struct {
		kind   string
		forged bool
		about  string // empty: the payment
	}{
		{kind: "right"},
		{kind: "form"},
		{kind: "short"},
		{kind: "lower"},
		{kind: "numbers"},
		{kind: "old"}, // it causes one inquiry
		{kind: "repointed", about: other},
		{kind: "altered", forged: true},
		{kind: "forged", forged: true},
		{kind: "foreign", forged: true},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.control("style", `{"extra":true}`)
			p := w.paid()
			w.inbox.Next() // that of the payment itself
			w.control("notify", fmt.Sprintf(`{"reference":%q,"kind":%q,"as":%q}`, p.Reference, tc.kind, other))
			notice, err := w.account.ParseNotification(w.inbox.Next())
			if tc.forged {
				if !errors.Is(err, acquirer.ErrForged) || notice != (acquirer.Notice{}) {
					t.Errorf("notice = %+v, %v; want ErrForged", notice, err)
				}
				return
			}
			want := acquirer.Notice{Reference: p.Reference, Reply: `{"Message":"Success","Success":true}`}
			if tc.about != "" {
				want.Reference = tc.about
			}
			if err != nil || notice != want {
				t.Errorf("notice = %+v, %v; want %+v", notice, err, want)
			}
		})
	}
}

func TestNoisyNotifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.press(w.begin(p), "pay", noisy, right)
	about := map[string]int{}
	for range 5 {
		notice, err := w.account.ParseNotification(w.inbox.Next())
		if err != nil {
			about["forged"]++
			continue
		}
		about[notice.Reference]++
	}
	if about[p.Reference] != 2 || about["forged"] != 2 || about["0000000000000000000000000"] != 1 {
		t.Errorf("notices by reference: %v", about)
	}
}

func TestARefundIsAHintToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.paid()
	w.inbox.Next()
	report := w.inquire(p)
	ref := refOf(p)
	ref.ProviderReference, ref.Memo = report.ProviderReference, report.Memo
	if _, err := w.account.Refund(t.Context(), ref, p.Money); err != nil {
		t.Fatal(err)
	}
	notice, err := w.account.ParseNotification(w.inbox.Next())
	if err != nil || notice.Reference != p.Reference {
		t.Errorf("notice = %+v, %v", notice, err)
	}
}

// The hash was computed with openssl under the notification key.
const vector = "3F2BA767E611BAFBEF95D49823AEE39B2C1F606A5C9B153F6AEAF75107C09D51"

func vectorFields() map[string]string {
	return map[string]string{
		"Amount":            "1234500",
		"Currency":          "434",
		"DateTimeLocalTrxn": "20261121010203",
		"MerchantId":        merchantID,
		"TerminalId":        terminalID,
		"MerchantReference": reference,
		"SecureHash":        vector,
		"TxnType":           "1",
	}
}

func asForm(fields map[string]string) []byte {
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	return []byte(form.Encode())
}

func TestTheHashOfANotification(t *testing.T) {
	t.Parallel()
	a := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	notice, err := a.ParseNotification(acquirer.Message{Body: asForm(vectorFields())})
	if err != nil || notice.Reference != reference {
		t.Fatalf("the vector: %+v, %v", notice, err)
	}
	// Nothing that the hash covers can be changed or left out.
	for _, name := range []string{
		"Amount", "Currency", "DateTimeLocalTrxn", "MerchantId", "TerminalId", "SecureHash",
	} {
		for _, change := range []func(string) string{
			func(string) string { return "" },
			func(v string) string { return v + "0" },
			func(v string) string { return v[:len(v)-1] + "7" },
		} {
			fields := vectorFields()
			fields[name] = change(fields[name])
			_, err := a.ParseNotification(acquirer.Message{Body: asForm(fields)})
			if !errors.Is(err, acquirer.ErrForged) {
				t.Errorf("%s = %q: %v, want ErrForged", name, fields[name], err)
			}
		}
	}
}

func TestOtherMessagesAreForged(t *testing.T) {
	t.Parallel()
	a := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	for name, m := range map[string]acquirer.Message{
		"nothing":          {},
		"a browser's":      {Returned: true, Query: string(asForm(vectorFields()))},
		"a query":          {Query: string(asForm(vectorFields()))},
		"half of JSON":     {Body: []byte(`{"MerchantId":`)},
		"JSON of others":   {Body: []byte(`{"id":"1"}`)},
		"an object in one": {Body: []byte(`{"Amount":{}}`)},
		"a list":           {Body: []byte(`[{"Amount":"1"}]`)},
		"a page":           {Body: []byte(`<html>`)},
		"a broken form":    {Body: []byte(`Amount=%zz`)},
		"a field twice":    {Body: []byte(string(asForm(vectorFields())) + "&Amount=1234500")},
		"a name twice":     {Body: []byte(`{"Amount":"1","Amount":"1234500"}`)},
	} {
		notice, err := a.ParseNotification(m)
		if !errors.Is(err, acquirer.ErrForged) || notice != (acquirer.Notice{}) {
			t.Errorf("%s: %+v, %v; want ErrForged", name, notice, err)
		}
	}
}

// Such a message is genuine, but it must not cause inquiries about every open payment.
func TestReferencesOfOtherForms(t *testing.T) {
	t.Parallel()
	a := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	for _, given := range []string{"", "../../../..", "12", strings.Repeat("a", 37)} {
		fields := vectorFields()
		fields["MerchantReference"] = given
		_, err := a.ParseNotification(acquirer.Message{Body: asForm(fields)})
		if err == nil || errors.Is(err, acquirer.ErrForged) || given != "" && strings.Contains(err.Error(), given) {
			t.Errorf("%q: %v, want an error that is not ErrForged", given, err)
		}
	}
}

func FuzzNotification(f *testing.F) {
	f.Add(asForm(vectorFields()))
	f.Add([]byte(`{"Amount":1234500,"Currency":"434"}`))
	f.Add([]byte(`{`))
	p, err := moamalat.New(moamalat.Config{URL: "https://gateway.example", Now: time.Now})
	if err != nil {
		f.Fatal(err)
	}
	a, err := p.Open([]byte(settings))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		notice, err := a.ParseNotification(acquirer.Message{Body: body})
		if (err == nil) != (notice.Reference != "") || notice.Proof != nil {
			t.Errorf("notice = %+v, %v", notice, err)
		}
		if err == nil && !strings.Contains(strings.ToUpper(string(body)), vector) {
			t.Errorf("a message without the known hash was taken: %q", body)
		}
	})
}
