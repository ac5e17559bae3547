package checkout

import (
	"io"
	"net/http"

	"daftar/internal/locale"
)

// form serves the address that a form of the page is posted to. People open it, too: a
// restored tab, "open in browser", a link that was copied after something had to be
// corrected. That leads to the page.
func (c *Checkout) form(next func(http.ResponseWriter, *http.Request) error) http.Handler {
	return c.getOrPost(c.handle(c.returnToPage), c.sameOrigin.Handler(c.handle(next)))
}

// getOrPost serves GET and HEAD, and POST.
func (c *Checkout) getOrPost(get, post http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			get.ServeHTTP(w, r)
		case http.MethodPost:
			post.ServeHTTP(w, r)
		default:
			w.Header().Set("Allow", "GET, HEAD, POST")
			c.render(w, r, http.StatusMethodNotAllowed, NotFound{})
		}
	})
}

// returnToPage redirects to the page of the link; of what the request carries nothing is read. A
// bank sends payers back like this, by POST and from another site.
func (c *Checkout) returnToPage(w http.ResponseWriter, r *http.Request) error {
	if _, err := c.find(r); err != nil {
		return err
	}
	redirectToPage(w, r, "")
	return nil
}

// dropSlash leads to the page from the same address with a slash at its end.
func (c *Checkout) dropSlash(w http.ResponseWriter, r *http.Request) error {
	if _, err := c.find(r); err != nil {
		return err
	}
	w.Header().Set("Location", locale.WithLang(addressOf(r), locale.LangFrom(r)))
	w.WriteHeader(http.StatusPermanentRedirect)
	return nil
}

// signedReturn is what a payer brings back from the acquirer's page that may be signed: the
// query, or the fields of a form where the acquirer has its page post them, as they were
// sent: a signature counts on their order. It is checked on either alike.
func signedReturn(w http.ResponseWriter, r *http.Request) string {
	if r.Method != http.MethodPost || r.URL.RawQuery != "" {
		return r.URL.RawQuery
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		return ""
	}
	return string(body)
}
