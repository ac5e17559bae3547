//go:build long

package acceptance_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
	"daftar/transparency"
)

// A payer verifies the receipt through its link, as anyone can who has it: the page waits until the
// log is signed, and then proves the receipt.
func theProof(t *testing.T, s *storefront) {
	eachWay(t, []way{{"ar", false, 320}, {"en", true, 390}}, func(t *testing.T, w way) {
		uuid, checkoutURL := s.sellWithReturn(t, "proof-"+w.String(), "lyshop://orders/1")
		b := s.visitor(t, browsertest.Options{Width: w.width, Scripts: w.scripts})
		b.Navigate(localised(checkoutURL, w.lang))
		b.Click(wallet)
		b.Fill(phoneField, newPhone())
		b.Follow(payButton)
		if p := enter(b, rightCode); p.State != "receipt" {
			t.Fatalf("receipt %+v", p)
		}
		link := b.Attribute(".check a", "href")
		b.Navigate(link)
		p := b.Await("the proof", func(p browsertest.Page) bool { return p.State == "proof" && p.Detail == "" })
		reference := strings.TrimSpace(browsertest.Evaluate[string](b, `document.querySelector(".ref").innerText`))
		var body struct{ Data struct{ Reference string } }
		s.fetch(t, s.base+"/payment-intents/"+uuid, &body)
		if !strings.Contains(p.Text, "5.000") || !strings.EqualFold(reference, body.Data.Reference) ||
			strings.Contains(p.Text, "•••") {
			t.Errorf("the proof of %s says %s", body.Data.Reference, p.Text)
		}
		s.checkPage(t, b, w.lang, w.String()+"/10-proof")
		s.checkAccessibility(b)

		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			browsertest.Evaluate[string](b, `document.querySelector("a[download]").href`), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var in transparency.Inclusion
		if err := json.NewDecoder(answer.Body).Decode(&in); err != nil || len(in.Leaves) != 2 {
			t.Errorf("the file: %d, %+v, %v", answer.StatusCode, in, err)
		}
		s.paidOnce(t, uuid)
	})
}
