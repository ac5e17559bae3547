package bank

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"

	"github.com/gorilla/mux"
)

//go:embed page.html
var pageSource string

//go:embed bank.css
var stylesheet []byte

var pageTemplate = template.Must(template.New("bank").Parse(pageSource))

// Page has the values of page.html. View is its data-state: choose, paid, declined, left or
// not-found.
type Page struct {
	Language    string // ar or en
	View        string
	Figures     string
	Description string
	Number      string
	Path        string
	ReturnURL   string
	Missed      bool // none of the buttons was pressed
}

// Render writes the page as HTML. It fails only if the template does not fit the
// page.
func (p Page) Render() ([]byte, error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, struct {
		words
		Page
	}{catalogues[p.Language], p})
	if err != nil {
		return nil, fmt.Errorf("render bank page %s: %w", p.View, err)
	}
	return out.Bytes(), nil
}

// Stylesheet is the text of the style sheet that the page loads.
func Stylesheet() string { return string(stylesheet) }

// policy lets the page only load its style sheet and post to itself. Chrome applies form-action
// to the redirect after a post as well: that is why a button leads back to this page, which has
// a link to the checkout.
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

func pagePath(id, language string) string {
	return "/bank/" + url.PathEscape(id) + "?lang=" + language
}

// showPage answers GET /bank/{id}: the buttons, or how the payment ended.
func (b *Bank) showPage(w http.ResponseWriter, r *http.Request) {
	shown, status := b.view(mux.Vars(r)["id"], r.URL.Query().Get("lang"))
	b.render(w, status, shown)
}

// pressButton answers POST /bank/{id}. A decided payment stays as it is, so that a second press,
// or the back button, takes no more money.
func (b *Bank) pressButton(w http.ResponseWriter, r *http.Request) {
	id, asked := mux.Vars(r)["id"], r.URL.Query().Get("lang")
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	shown, status := b.view(id, asked)
	if status != http.StatusOK {
		b.render(w, status, shown)
		return
	}
	rec, ok := buttons[r.PostFormValue("action")]
	if !ok {
		shown.Missed = true
		b.render(w, http.StatusBadRequest, shown)
		return
	}
	if err := b.decideCard(id, rec); err != nil {
		b.config.Logger.Error().Err(err).Msg("bank page failed")
		write(w, http.StatusInternalServerError, problemAnswer{Message: "the bank could not do this"})
		return
	}
	http.Redirect(w, r, pagePath(id, shown.Language), http.StatusSeeOther) //nolint:gosec // our own page
}

// buttons are the changes that they cause to an open card payment.
var buttons = map[string]record{
	"pay":     {Op: opPaid},
	"decline": {Op: opDeclined, Reason: reasonDeclined},
	"leave":   {Op: opDeclined, Reason: reasonAbandoned},
}

func (b *Bank) decideCard(id string, rec record) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, now := b.books.payments[id], b.config.Clock()
	if state, _ := p.status(now); state != statePending {
		return nil
	}
	rec.ID, rec.At = id, now
	if rec.Op == opPaid {
		rec.ShownAt = now
	}
	if err := b.change(rec); err != nil {
		return err
	}
	state, _ := p.status(now)
	b.notifyDecided(p, state)
	return nil
}

// view returns the page of a card payment. Wallet payments have none.
func (b *Bank) view(id, asked string) (Page, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, known := b.books.payments[id]
	if !known || p.Method != methodCard {
		return Page{Language: languageOf(asked, "ar"), View: "not-found"}, http.StatusNotFound
	}
	language := languageOf(asked, p.Language)
	shown := Page{
		Language: language, View: "choose", Figures: p.money().Figures(), Description: p.Description,
		Number: p.Reference, Path: pagePath(id, language), ReturnURL: p.ReturnURL,
	}
	state, reason := p.status(b.config.Clock())
	switch {
	case state == statePaid:
		shown.View = "paid"
	case state == stateDeclined && reason == reasonAbandoned:
		shown.View = "left"
	case state == stateDeclined:
		shown.View = "declined"
	}
	return shown, http.StatusOK
}

func (b *Bank) render(w http.ResponseWriter, status int, shown Page) {
	text, err := shown.Render()
	if err != nil {
		b.config.Logger.Error().Err(err).Msg("bank page not rendered")
		write(w, http.StatusInternalServerError, problemAnswer{Message: "the bank could not show this page"})
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", shown.Language)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_, _ = w.Write(text) //nolint:gosec // made by html/template; a browser that has gone away needs no page
}

func serveStylesheet(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "max-age=3600")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(stylesheet)
}
