package checkout

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"daftar/internal/locale"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// maxNotification bounds a notification, in bytes.
const maxNotification = 64 << 10

// receiveNotification answers POST of the address for an acquirer's notifications.
func (c *Checkout) receiveNotification(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNotification))
	status, reply := http.StatusBadRequest, ""
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		status = http.StatusRequestEntityTooLarge
	} else if err == nil {
		status, reply = c.notified(r, body)
	}
	switch {
	case status == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "5") // the acquirer sends it again
	case reply != "":
		w.Header().Set("Content-Type", "application/json")
		status = http.StatusOK
	}
	w.WriteHeader(status)
	// An acquirer that has gone away needs no reply.
	_, _ = io.WriteString(w, reply) //nolint:gosec // a constant of the adapter, as JSON
}

func (c *Checkout) notified(r *http.Request, body []byte) (status int, reply string) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	vars := mux.Vars(r)
	m := acquirer.Message{Query: r.URL.RawQuery, Header: r.Header, Body: body}
	reply, err := c.engine.Notify(ctx, vars["name"], vars["application"], m)
	log := c.log.With().Str("acquirer", vars["name"]).Str("request_id", web.RequestID(ctx)).Logger()
	switch {
	case err == nil:
		return http.StatusNoContent, reply
	case errors.Is(err, ledger.ErrNotFound):
		return http.StatusNotFound, ""
	case errors.Is(err, acquirer.ErrForged):
		log.Warn().Err(err).Str("remote", r.RemoteAddr).Msg("forged notification refused")
		return http.StatusUnauthorized, ""
	case errors.Is(err, payments.ErrUnreadable):
		log.Error().Err(err).Msg("notification cannot be read")
		return http.StatusBadRequest, ""
	}
	log.Warn().Err(err).Msg("notification not taken")
	return http.StatusServiceUnavailable, ""
}

// handleReturn redirects a payer who returns from the acquirer's page to the checkout page, which
// shows the state of the payment. A return with a signed query or form is evidence of the payment's
// outcome, which the engine checks.
func (c *Checkout) handleReturn(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	m := acquirer.Message{Returned: true, Query: signedReturn(w, r), Header: r.Header}
	last, found, err := c.engine.Return(r.Context(), i, m)
	if err != nil {
		return err
	}
	lang := locale.LangFrom(r)
	if found {
		lang = payments.LanguageOf(last.Language)
	}
	w.Header().Set("Location", locale.WithLang(pagePath(i), lang))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}
