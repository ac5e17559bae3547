package checkout_test

import (
	"net/url"
	"strings"
	"testing"

	"daftar/accounts/settings"
	"daftar/domain"
)

// limit sets the limits of a method.
func (s *shop) limit(acquirer, method string, least, most int64) {
	s.t.Helper()
	err := s.settings.LimitMethod(s.t.Context(), operator, s.app.Organization, s.app.ID,
		acquirer, method, settings.AmountLimits{Min: least, Max: most})
	if err != nil {
		s.t.Fatal(err)
	}
}

// offer chooses the methods of an account.
func (s *shop) offer(acquirer string, methods ...string) {
	s.t.Helper()
	err := s.settings.OfferMethods(s.t.Context(), operator, s.app.Organization, s.app.ID, acquirer, methods)
	if err != nil {
		s.t.Fatal(err)
	}
}

// Limits are exact to the dirham, and apply to the next page and to a form that was opened before;
// they never let a method take an amount that its acquirer does not support.
func TestLimitsNarrowWhatIsOffered(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat")
	s.offer("plutu", "cards")
	wants := func(amount int64, want string) {
		t.Helper()
		want = strings.TrimSpace(want + " wallet card") // the sandbox's
		if got := s.offered(s.createFor(amount)); got != want {
			t.Errorf("%d dirham: %s, want %s", amount, got, want)
		}
	}
	s.limit("moamalat", "moamalat", 5_001, 20_000)
	s.limit("plutu", "cards", 0, 12_500)
	for amount, want := range map[int64]string{
		5_000:  "cards",
		5_001:  "moamalat",
		5_010:  "cards moamalat",
		12_500: "cards moamalat",
		12_510: "moamalat",
		20_000: "moamalat",
		20_001: "",
		20_010: "",
	} {
		wants(amount, want)
	}
	s.limit("plutu", "cards", 1, domain.MaxAmount*2)
	wants(12_501, "moamalat") // still no third decimal
	wants(domain.MaxAmount, "cards")

	i := s.createFor(9_000)
	form := s.want(s.visit(path(i)), 200, "pay")
	s.limit("moamalat", "moamalat", 0, 8_999)
	s.want(s.submit(form, url.Values{"method": {"moamalat"}}), 422, "pay")
	s.wantHistory(i.ID, "created")
	s.limit("moamalat", "moamalat", 0, 0)
	wants(9_000, "cards moamalat")
}

// An attempt that has begun continues, also if the limits and the methods change.
func TestAnAttemptOutlivesItsLimits(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	waiting := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.limit("plutu", "adfali", 0, 1_000)
	s.set("plutu", strings.TrimSuffix(accountSettings["plutu"], "}")+`,"methods":["tlync"]}`)
	s.want(s.submit(waiting, code("1111")), 200, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

// The pay page shows accounts and their methods in the merchant's order, also methods that the
// settings did not name.
func TestThePageHasTheMerchantsOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat", "lypay")
	s.set("plutu", strings.TrimSuffix(accountSettings["plutu"], "}")+`,"methods":["adfali"]}`)
	i := s.create()
	order := func(first ...string) {
		t.Helper()
		err := s.settings.OrderAcquirers(t.Context(), operator, s.app.Organization, s.app.ID, first)
		if err != nil {
			t.Fatal(err)
		}
	}
	wants := func(want string) {
		t.Helper()
		if got := s.offered(i); got != want+" wallet card" {
			t.Errorf("%s, want %s wallet card", got, want)
		}
	}
	wants("adfali moamalat lypay")
	order("lypay", "moamalat", "plutu")
	wants("lypay moamalat adfali")
	s.offer("plutu", "tlync", "adfali", "cards")
	wants("lypay moamalat tlync adfali cards")
	order("plutu")
	wants("tlync adfali cards lypay moamalat")
	s.want(s.chooses(i, "tlync", "phone", "0912345678"), 200, "processing")
}
