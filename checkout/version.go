package checkout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments/acquirer"
)

// renderIntent answers with a page of an intent. A page that may change by itself has its
// version, and the address of the current version.
func (c *Checkout) renderIntent(w http.ResponseWriter, r *http.Request, status int, i domain.Intent,
	s State,
) {
	page := Page{State: s, Address: addressOf(r), Now: c.ledger.Now()}
	if s.frame(textsIn(locale.LangFrom(r))).live {
		page.Version, page.Watch = versionOf(i, s), page.Address+"/state"
	}
	if p, chooses := s.(Pay); chooses {
		w.Header().Set("Content-Security-Policy", web.LeadingPolicy(p.LeadsTo))
	}
	if l, embeds := s.(Lightbox); embeds {
		web.AllowEmbedding(w.Header(), l.ScriptURL)
	}
	c.renderPage(w, r, status, page)
}

// servePicture answers GET of the QR code that an intent's page shows.
func (c *Checkout) servePicture(w http.ResponseWriter, r *http.Request) error {
	_, s, err := c.state(r)
	if err != nil {
		return err
	}
	shown, is := s.(QR)
	if !is {
		return ledger.ErrNotFound
	}
	picture, err := layout.QRPicture(shown.Payload)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/png")
	// A browser that has gone away needs no picture.
	_, _ = w.Write(picture)
	return nil
}

// versioned is a state of which not everything is part of the version.
type versioned interface {
	// facts are the part that is the same for all payers at one time.
	facts() any
}

// versionOf names the contents of an intent's page. It is the same for all payers at one
// time. It leaves out what one of them typed or requested, what only counts down, and which
// of several methods is out of order (a page that is loaded again loses what was typed).
func versionOf(i domain.Intent, s State) string {
	var facts any = s
	if v, ok := s.(versioned); ok {
		facts = v.facts()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %T %+v", i.Version, s, facts))
	return hex.EncodeToString(sum[:8])
}

func (s Pay) facts() any {
	facts := struct {
		Order    Order
		Deadline time.Time
		Methods  []acquirer.Method
		Usable   bool // any of them
		Limited  bool
	}{Order: s.Order, Deadline: s.Deadline, Usable: s.CanPay(), Limited: !s.NotBefore.IsZero()}
	for _, o := range s.Offers {
		facts.Methods = append(facts.Methods, o.Method)
	}
	return facts
}

func (s OTP) facts() any {
	s.Problem, s.TriesLeft, s.Wait, s.LimitedUntil = CodeFine, 0, 0, time.Time{}
	s.ResendAfter, s.Resent = 0, false
	return s
}

func (s Receipt) facts() any {
	s.SendBack, s.InApp = false, false
	return s
}

// serveState answers GET of the address at which a page's script reads the current version. It
// reads the same as the page itself, so it costs no more.
func (c *Checkout) serveState(w http.ResponseWriter, r *http.Request) error {
	i, s, err := c.state(r)
	if err != nil {
		return err
	}
	return answerJSON(w, map[string]string{"version": versionOf(i, s)})
}

func answerJSON(w http.ResponseWriter, value any) error {
	answer, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	// A browser that has gone away needs no answer.
	_, _ = w.Write(answer)
	return nil
}
