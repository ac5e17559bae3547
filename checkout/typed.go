package checkout

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/sealing"
	"daftar/payments/acquirer"
)

// What a payer typed is kept for the next attempt by their own browser, in a cookie, and nowhere
// else. The whole number is needed, since the tail of it would have to be typed again. So it is
// encrypted, for this intent only: a copy of the cookie tells nothing, and opens on no other page.
const (
	typedCookie  = "daftar-typed"
	typedPurpose = "what a payer typed"
	typedFor     = time.Hour
	typedAt      = "at" // when it was sealed: a browser may keep a cookie for longer
	maxTyped     = 512  // bytes
)

// typedKey is the key for the cookies. It panics as New does.
func typedKey(secret sealing.Key) sealing.Key {
	key, err := secret.For(typedPurpose)
	if err != nil {
		panic("checkout: " + err.Error())
	}
	return key
}

// keepTyped has the browser keep what was typed for an attempt at the intent.
func (c *Checkout) keepTyped(w http.ResponseWriter, i domain.Intent, typed acquirer.Inputs) {
	if len(typed) == 0 {
		return
	}
	fields := url.Values{typedAt: {strconv.FormatInt(c.ledger.Now().Unix(), 10)}}
	for field, text := range typed {
		fields.Set(string(field), text)
	}
	sealed, err := c.typedKey.Seal(fields.Encode(), i.ID[:])
	if err != nil {
		return // there is no key: it has to be typed again
	}
	c.setTyped(w, i, base64.RawURLEncoding.EncodeToString(sealed), typedFor)
}

// setTyped sets the cookie, which browsers send to the pages of this payment alone.
func (c *Checkout) setTyped(w http.ResponseWriter, i domain.Intent, value string, keep time.Duration) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure with https
		Name: typedCookie, Value: value, Path: pagePath(i), MaxAge: int(keep / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(c.publicURL, "https:"),
	})
}

// withTyped is the state of a page with what the browser has kept for it. Where nothing can be typed
// any more, the browser is told to forget it.
func (c *Checkout) withTyped(w http.ResponseWriter, r *http.Request, i domain.Intent, s State) State {
	cookie, err := r.Cookie(typedCookie)
	if err != nil {
		return s
	}
	if p, pays := s.(Pay); pays {
		kept := c.openTyped(cookie.Value, i)
		p.Phone, p.BirthYear = kept.Get(string(acquirer.Phone)), kept.Get(string(acquirer.BirthYear))
		return p
	}
	if i.Status == domain.StatusSucceeded || i.Status == domain.StatusCanceled {
		c.setTyped(w, i, "", -time.Second)
	}
	return s
}

// openTyped returns what a cookie keeps; nil where it is not of this intent, or too old.
func (c *Checkout) openTyped(value string, i domain.Intent) url.Values {
	if len(value) > maxTyped {
		return nil
	}
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return nil
	}
	opened, err := c.typedKey.Open(sealed, i.ID[:])
	if err != nil {
		return nil
	}
	fields, err := url.ParseQuery(opened)
	if err != nil {
		return nil
	}
	at, err := strconv.ParseInt(fields.Get(typedAt), 10, 64)
	if err != nil || c.ledger.Now().Sub(time.Unix(at, 0)) >= typedFor {
		return nil
	}
	return fields
}
