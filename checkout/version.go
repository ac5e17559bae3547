package checkout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
)

// renderIntent answers with a page of an intent. One that may change by itself
// says where to ask whether it did.
func (c *Checkout) renderIntent(w http.ResponseWriter, r *http.Request, status int, i domain.Intent, s State) {
	page := Page{State: s, Address: addressOf(r), Now: c.now()}
	if changes(s) {
		page.Version, page.Watch = versionOf(i, s), page.Address+"/state"
	}
	c.renderPage(w, r, status, page)
}

// changes reports whether a page may change although its payer does nothing:
// another tab, the acquirer or the time can do it.
func changes(s State) bool {
	switch s := s.(type) {
	case Pay, OTP, Processing:
		return true
	case Expired:
		return s.Checking
	case Receipt, NotFound, Unavailable:
		return false
	}
	panic(fmt.Sprintf("checkout: does %T change?", s))
}

// versionOf names what the page of an intent shows. It is the same for everyone
// who looks at the same time: what one of them typed or asked for is no part of
// it, nor is what only counts down, nor which of several methods is out of order
// (a page that is loaded again loses what was typed).
func versionOf(i domain.Intent, s State) string {
	var facts any = s
	switch s := s.(type) {
	case Pay:
		facts = payFacts(s)
	case OTP:
		s.Problem, s.TriesLeft, s.Wait, s.ResendAfter, s.Resent = CodeFine, 0, 0, 0, false
		facts = s
	case Receipt:
		s.SendBack = false
		facts = s
	case Processing, Expired, NotFound, Unavailable:
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %T %+v", i.Version, s, facts))
	return hex.EncodeToString(sum[:8])
}

// payFacts are what every payer sees of a pay page.
func payFacts(s Pay) any {
	facts := struct {
		Order    Order
		Deadline time.Time
		Methods  []acquirer.Method
		Usable   bool // any of them
	}{Order: s.Order, Deadline: s.Deadline}
	for _, o := range s.Offers {
		facts.Methods = append(facts.Methods, o.Method)
		facts.Usable = facts.Usable || !o.OutOfOrder
	}
	return facts
}

// tellState answers GET of the address at which a page asks whether it has
// changed. It does what showing the page does, and costs no more.
func (c *Checkout) tellState(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	s, err := c.stateNow(r, i)
	if err != nil {
		return err
	}
	answer, err := json.Marshal(map[string]string{"version": versionOf(i, s)})
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	// A browser that has gone away needs no answer.
	_, _ = w.Write(answer)
	return nil
}
