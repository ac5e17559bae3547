package checkout_test

import (
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// refundedBy is the refunded amount of all payments in an acquirer's books.
func (s *shop) refundedBy(name string) (sum int64) {
	s.t.Helper()
	var books struct {
		Payments []struct {
			Refunded int64 `json:"refunded"`
		} `json:"payments"`
	}
	s.getJSON(s.fakes[name].URL+"/control/ledger", &books)
	for _, p := range books.Payments {
		sum += p.Refunded
	}
	return sum
}

// A refund uses the account that received the payment, also where the account is disabled or the
// attempt has no row any more.
func TestRefundByTheAcquirersCall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"moamalat", "lypay"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, name)
			i := s.createFor(12_345)
			if name == "moamalat" {
				s.want(s.chooses(i, name), 200, "lightbox")
				s.command(name, "/control/sale",
					map[string]any{"reference": string(s.lastAttempt(i.ID)), "amount": 12_345, "outcome": "approved"})
			} else {
				page := s.want(s.chooses(i, name), 200, "qr")
				s.command(name, "/control/scan",
					map[string]any{"payload": page.document.with(t, "div", "id", "qr").attr("data-payload")})
			}
			s.until(i, "receipt")
			id, paid := s.lastAttempt(i.ID), s.load(i.ID)
			refund := func(minor int64) error {
				amount := domain.Money{Minor: minor, Currency: domain.LYD}
				refunded, err := s.Refund(t.Context(), paid, id, amount)
				if err == nil && refunded.Money.Minor != minor {
					t.Errorf("refunded %s, want %d", refunded.Money, minor)
				}
				return err
			}
			if err := refund(2_345); err != nil {
				t.Errorf("a part: %v", err)
			}
			organization, app := s.app.Organization, s.app.ID
			if err := s.settings.EnableAcquirer(t.Context(), operator, organization, app, name, false); err != nil {
				t.Fatal(err)
			}
			s.exec(`DELETE FROM checkout_attempts WHERE attempt = $1`, id)
			if err := refund(10_000); err != nil {
				t.Errorf("the rest: %v", err)
			}
			if err := refund(1); err == nil {
				t.Error("more than was paid was refunded")
			}
			if sum := s.refundedBy(name); sum != 12_345 {
				t.Errorf("%d refunded in the books", sum)
			}
			if err := s.settings.RemoveAcquirer(t.Context(), operator, organization, app, name); err != nil {
				t.Fatal(err)
			}
			if err := refund(1); !errors.Is(err, payments.ErrNoAccount) {
				t.Errorf("without an account: %v", err)
			}
		})
	}
}

func TestAnAcquirerWithoutACallForRefunds(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	page := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.want(s.submit(page, code("1111")), 200, "receipt")
	_, err := s.Refund(t.Context(), s.load(i.ID), s.lastAttempt(i.ID), i.Amount)
	if !errors.Is(err, payments.ErrNoAccount) {
		t.Errorf("error %v", err)
	}
}

// The sandbox gives money back. Its refusal is an answer, and no fault of it.
func TestRefundAtTheSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := prometheus.NewRegistry()
	config := w.config(w.acquirer)
	config.Registerer = registry
	w.server = serverOf(config)
	for phone, refused := range map[string]bool{"0912345678": false, "0920000007": true, "0960001237": true} {
		i := w.create()
		w.want(w.submit(w.atCode(i, phone), code("111111")), 200, "receipt")
		back, err := w.Refund(t.Context(), w.load(i.ID), w.lastAttempt(i.ID), i.Amount)
		if errors.Is(err, acquirer.ErrRefused) != refused || !refused && back.Money != i.Amount {
			t.Errorf("%s: %+v, %v", phone, back, err)
		}
	}
	wantCalls(t, registry, map[string]float64{"refund answered": 3, "refund fault": 0}, 0)
}
