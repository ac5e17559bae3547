package checkout_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments"
)

// refundedBy is what an acquirer's books say went back, of all payments.
func (s *shop) refundedBy(name string) (sum int64) {
	s.t.Helper()
	var books struct {
		Payments []struct {
			Refunded int64 `json:"refunded"`
		} `json:"payments"`
	}
	s.ask(s.fakes[name].URL+"/control/ledger", &books)
	for _, p := range books.Payments {
		sum += p.Refunded
	}
	return sum
}

// What a payer has paid goes back by the account that it was paid to, also where the account
// is switched off or the checkout has forgotten the attempt.
func TestMoneyGoesBackByTheAcquirersCall(t *testing.T) {
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
			back := func(minor int64) error {
				refunded, err := s.Refund(t.Context(), paid, id,
					domain.Money{Minor: minor, Currency: domain.LYD})
				if err == nil && refunded.Money.Minor != minor {
					t.Errorf("%d asked for, %s went back", minor, refunded.Money)
				}
				return err
			}
			if err := back(2_345); err != nil {
				t.Errorf("a part: %v", err)
			}
			if err := s.settings.EnableAcquirer(t.Context(), accounts.Operator("test"), s.app.Organization,
				s.app.ID, name, false); err != nil {
				t.Fatal(err)
			}
			s.exec(`DELETE FROM checkout_attempts WHERE attempt = $1`, id)
			if err := back(10_000); err != nil {
				t.Errorf("the rest: %v", err)
			}
			if err := back(1); err == nil {
				t.Error("more than was paid went back")
			}
			if sum := s.refundedBy(name); sum != 12_345 {
				t.Errorf("%d went back by the books", sum)
			}
			if err := s.settings.RemoveAcquirer(t.Context(), accounts.Operator("test"), s.app.Organization,
				s.app.ID, name); err != nil {
				t.Fatal(err)
			}
			if err := back(1); !errors.Is(err, payments.ErrNoAccount) {
				t.Errorf("without an account: %v", err)
			}
		})
	}
}

func TestAnAcquirerWithoutACallForRefunds(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	s.want(s.submit(s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp"), code("1111")),
		200, "receipt")
	if _, err := s.Refund(t.Context(), s.load(i.ID), s.lastAttempt(i.ID),
		i.Amount); !errors.Is(err, payments.ErrNoAccount) {
		t.Errorf("error %v", err)
	}
}
