//go:build long

package acceptance_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/tools/acceptance/browsertest"
)

const (
	// From "I have paid" to the green screen.
	tillLimit = 5 * time.Second
	// What a person takes for a character.
	perKey = 250 * time.Millisecond
)

// A customer pays on the page of a shop; at the till the ten characters of the receipt are typed on a
// phone, at 400 kbit/s and 400 ms latency. A second till is told of the first.
func TestLongMeasuredTill(t *testing.T) {
	d := demo(t, t.TempDir())
	phone := browsertest.Options{
		Width: 360, Height: 640, Scripts: true,
		Slow: &browsertest.Slow{Latency: 400 * time.Millisecond, BytesPerSecond: 400_000 / 8},
	}
	m := &merchant{way: way{"ar", true, 360}, demonstration: d, t: t, b: browsertest.Open(t, phone)}
	m.enter(nil)
	home, _, _ := strings.Cut(strings.TrimPrefix(m.b.Page().Address, d.dashboard), "/overview")
	m.open(home+"/applications", "applications")
	application := strings.TrimPrefix(m.b.Attribute("main .cards h2 a", "href"), "/dashboard")
	m.open(application+"/shop", "shop-page")
	m.b.Fill("#name", "measured")
	m.checkView(m.b.Follow(formButton), "shop-page-made")
	address := m.value("#link")

	payer := browsertest.Open(t, phone)
	var took []time.Duration
	for n := range 10 {
		payer.Navigate(address)
		payer.Fill("#amount", "٢٥٫٥")
		if p := payer.Follow("main form button"); p.State != "pay" {
			t.Fatalf("the shop page leads to %+v", p)
		}
		payer.Click(wallet)
		payer.Fill(phoneField, newPhone())
		payer.Follow(payButton)
		if p := enter(payer, rightCode); p.State != "receipt" {
			t.Fatalf("the payer sees %+v", p)
		}
		reference := browsertest.Evaluate[string](payer, `document.querySelector(".ref").innerText.trim()`)
		verdict := m.check(home, reference)
		took = append(took, verdict.took)
		if verdict.is != "good" || !strings.Contains(verdict.text, "25.500") {
			t.Fatalf("the till says %+v", verdict)
		}
		if n == 0 {
			if again := m.check(home, reference); again.is != "before" {
				t.Errorf("the second time the till says %+v", again)
			}
		}
	}
	slices.Sort(took)
	t.Logf("from the receipt to green: from %s to %s", took[0], took[len(took)-1])
	if longest := took[len(took)-1]; longest > tillLimit {
		t.Errorf("it took %s, want %s", longest, tillLimit)
	}
}

// checked is the answer of the till, and how long it took to get it with a person's typing.
type checked struct {
	is, text string
	took     time.Duration
}

// check types a reference on the page of the till.
func (m *merchant) check(home, reference string) checked {
	m.t.Helper()
	m.open(home+"/check", "check")
	began := time.Now()
	m.b.Fill("#reference", strings.ToLower(reference))
	m.b.Click(formButton)
	m.b.Await("the verdict", func(browsertest.Page) bool { return m.b.Count("[data-verdict]") > 0 })
	took := time.Since(began) + time.Duration(len(reference))*perKey
	focus := browsertest.Evaluate[string](m.b, `document.activeElement.className`)
	if !strings.HasPrefix(focus, "verdict") {
		m.t.Errorf("the focus is at %q", focus)
	}
	text := browsertest.Evaluate[string](m.b, `document.querySelector("[data-verdict]").innerText`)
	return checked{m.b.Attribute("[data-verdict]", "data-verdict"), text, took}
}
