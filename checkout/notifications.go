package checkout

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/web"
)

// maxNotification bounds what an acquirer may push, in bytes.
const maxNotification = 64 << 10

// receiveNotification takes a pushed message as a hint to ask, whatever it says. A
// closed attempt is asked about too: an acquirer may report a payment that it
// declined as paid, much later.
func (c *Checkout) receiveNotification(w http.ResponseWriter, r *http.Request) {
	status := c.notified(w, r)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5") // the acquirer sends it again
	}
	w.WriteHeader(status)
}

func (c *Checkout) notified(w http.ResponseWriter, r *http.Request) (status int) {
	name := mux.Vars(r)["name"]
	from, known := c.acquirer(name)
	if !known {
		return http.StatusNotFound
	}
	log := c.log.With().Str("acquirer", name).Str("request_id", web.RequestID(r.Context())).Logger()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNotification))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return http.StatusBadRequest
	}
	id, err := from.ParseNotification(r.Header, body)
	if errors.Is(err, acquirer.ErrForged) {
		log.Warn().Err(err).Str("remote", r.RemoteAddr).Msg("forged notification refused")
		return http.StatusUnauthorized
	}
	if err != nil {
		log.Error().Err(err).Msg("notification cannot be read")
		return http.StatusBadRequest
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	found, err := c.hint(ctx, id, name)
	if err != nil {
		log.Warn().Err(err).Str("attempt", string(id)).Msg("notification not taken")
		return http.StatusServiceUnavailable
	}
	if !found {
		log.Warn().Str("attempt", string(id)).Msg("notification of an unknown attempt")
	}
	c.wake(name)
	return http.StatusNoContent
}

// hint has an attempt asked about now, whatever its stage. It returns false where
// the acquirer has no such attempt.
func (c *Checkout) hint(ctx context.Context, id domain.AttemptID, name string) (bool, error) {
	a, err := c.attempts.find(ctx, id)
	if errors.Is(err, ErrNoAttempt) || err == nil && a.Acquirer != name {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, _, err = c.attempts.apply(ctx, a, attempt.Hint{}, c.now())
	return true, err
}
