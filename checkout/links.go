package checkout

import (
	"io"
	"net/http"

	"daftar/internal/locale"
)

// form serves the address to which a form of the page is posted. Browsers also GET it: from a
// restored tab, "open in browser", or a link that was copied after something had to be
// corrected. A GET is redirected to the page.
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

// returnToPage redirects to the page of the link, without reading the request's form or query. A
// bank sends payers back like this, by POST and from another site.
func (c *Checkout) returnToPage(w http.ResponseWriter, r *http.Request) error {
	if _, err := c.find(r); err != nil {
		return err
	}
	redirectToPage(w, r, "")
	return nil
}

// dropSlash redirects an address with a slash at its end to the page.
func (c *Checkout) dropSlash(w http.ResponseWriter, r *http.Request) error {
	if _, err := c.find(r); err != nil {
		return err
	}
	w.Header().Set("Location", locale.WithLang(addressOf(r), locale.LangFrom(r)))
	w.WriteHeader(http.StatusPermanentRedirect)
	return nil
}

// signedReturn is the part of a return from the acquirer's page that may be signed: the query,
// or the fields of a form where the acquirer's page posts them. The fields are in the order in
// which they were sent, since the signature depends on it.
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
