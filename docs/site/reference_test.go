package site_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// The reference's examples are valid JSON, and it covers the whole API.
func TestReferenceIsWhole(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "?lang=en"} {
		page := ask(http.MethodGet, "/docs/api"+query, nil).Body.String()
		for _, want := range []string{
			"POST /payment-intents", "GET /payment-intents/{uuid}", "GET /webhook-deliveries",
			"POST /payment-intents/{uuid}/refunds", `id="onPaymentIntentRefundFailed"`,
			"data.refund.failure_reason", "customer.external_id", "data[].headers",
			"<code>requires_payment_method</code>", "Idempotent-Replayed-Differs",
			"Invalid API key or inactive application.", "X-API-Key: pk_…",
			`daftar-&gt;createRefund($argv[1]`, "daftar.createRefund(process.argv[2]",
			"client.create_refund(", "client.CreateRefund(context.Background()",
			// what is about a field is with it
			`id="createPaymentIntent.amount"`, `id="Refund.failure_reason"`, `id="PaymentIntent.expires_at"`,
			"The amount must be at least 1000 (1.000 LYD).</span></p></dd>",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the reference has no %s", want)
			}
		}
		// Samples can be copied, and so have an id. The first example of all is two headers.
		found := regexp.MustCompile(`(?s)<pre dir="ltr" tabindex="0"><code>(.*?)</code></pre>`)
		examples := found.FindAllStringSubmatch(page, -1)[1:]
		for _, example := range examples {
			if text := html.UnescapeString(example[1]); !json.Valid([]byte(text)) {
				t.Errorf("an example is no JSON:\n%s", text)
			}
		}
		if len(examples) < 30 || len(examples) > 50 {
			t.Errorf("%d examples", len(examples))
		}
	}
}

// The Arabic reference is in Arabic, also its descriptions, and limits are in words.
func TestReferenceIsInBothLanguages(t *testing.T) {
	t.Parallel()
	arabic := ask(http.MethodGet, "/docs/api", nil).Body.String()
	english := ask(http.MethodGet, "/docs/api?lang=en", nil).Body.String()
	for want, page := range map[string]string{
		"من 1 إلى 255 حرفًا": arabic, "1–255 characters": english,
		"من 1.000 إلى 1,000,000.000\u00a0د.ل": arabic, "1.000 to 1,000,000.000\u00a0LYD": english,
		"بأصغر وحدة للعملة، بلا كسر ولا أس.":                    arabic,
		"In minor units, written without fraction or exponent.": english,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("a reference has no %s", want)
		}
	}
	if strings.Contains(arabic, "In minor units") || strings.Contains(english, "int64") {
		t.Error("the reference speaks the other language, or that of programs")
	}
}

// Each page can be had as Markdown at its address with .md, in the same language; /llms.txt lists
// all of them.
func TestPagesAsMarkdown(t *testing.T) {
	t.Parallel()
	const kind = "text/markdown; charset=utf-8"
	list := ask(http.MethodGet, "/llms.txt", nil)
	links := regexp.MustCompile(`\]\(`+regexp.QuoteMeta(publicURL)+`(/docs[^)]*)\)`).
		FindAllStringSubmatch(list.Body.String(), -1)
	if len(links) != 2*23 || list.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%d pages are listed, as %s", len(links), list.Header().Get("Content-Type"))
	}
	for _, link := range links {
		text := ask(http.MethodGet, link[1], nil)
		if text.Code != http.StatusOK || text.Header().Get("Content-Type") != kind ||
			!strings.HasPrefix(text.Body.String(), "# ") {
			t.Errorf("%s: %d, %s", link[1], text.Code, text.Header().Get("Content-Type"))
		}
		page := ask(http.MethodGet, strings.Replace(link[1], ".md", "", 1), nil).Body.String()
		if !strings.Contains(page, `<link rel="alternate" type="text/markdown" href="`+link[1]+`">`) {
			t.Errorf("the page of %s does not lead to it", link[1])
		}
		for _, trace := range []string{"<div", "⟦", "pay.example", ".ar.md)", "](../", "](pictures/"} {
			if strings.Contains(text.Body.String(), trace) {
				t.Errorf("%s has %q", link[1], trace)
			}
		}
	}
	for path, want := range map[string]string{
		"/docs.md":          "](" + publicURL + "/docs/quickstart.md)",
		"/docs.md?lang=en":  "](" + publicURL + "/docs/quickstart.md?lang=en)",
		"/docs/webhooks.md": "| `payment_intent.refund_failed` |",
		// links and pictures of a page below another one
		"/docs/integrate.md?lang=en":        "](" + publicURL + "/docs/integrate/laravel.md?lang=en)",
		"/docs/integrate/social.md":         "](" + publicURL + "/docs/integrate/pictures/payments@2x.ar.png)",
		"/docs/integrate/social.md?lang=en": "](" + publicURL + "/docs/late-payments.md?lang=en#refund-it)",
	} {
		if text := ask(http.MethodGet, path, nil).Body.String(); !strings.Contains(text, want) {
			t.Errorf("%s has no %s", path, want)
		}
	}
}

// The search's index leads to places that exist, and knows fields by name.
func TestIndexOfTheSearch(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "?lang=en"} {
		var places []struct{ T, P, U, X string }
		index := ask(http.MethodGet, "/docs/search.json"+query, nil).Body.Bytes()
		if err := json.Unmarshal(index, &places); err != nil {
			t.Fatal(err)
		}
		page, err := url.PathUnescape(
			strings.ReplaceAll(ask(http.MethodGet, "/docs/search"+query, nil).Body.String(), "%2B", "+"))
		if err != nil {
			t.Fatal(err)
		}
		fields := 0
		for _, p := range places {
			if strings.HasPrefix(p.U, "/docs/api") {
				fields++
			}
			if p.T == "" || p.P == "" || !strings.Contains(page, `<a href="`+html.EscapeString(p.U)+`">`) {
				t.Errorf("the page of the index has no %s at %s", p.T, p.U)
			}
		}
		if len(places) < 200 || fields < 100 {
			t.Errorf("%d places, %d in the reference", len(places), fields)
		}
	}
}
