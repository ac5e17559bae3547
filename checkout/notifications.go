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

// takeNotification takes a pushed message as a hint to ask, whatever it says. A
// closed attempt is asked about too: an acquirer may report a payment that it
// declined as paid, much later.
func (c *Checkout) takeNotification(w http.ResponseWriter, r *http.Request) {
	name := mux.Vars(r)["name"]
	from, known := c.acquirer(name)
	if !known {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	log := c.log.With().Str("acquirer", name).Str("request_id", web.RequestID(r.Context())).Logger()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNotification))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id, err := from.ParseNotification(r.Header, body)
	if errors.Is(err, acquirer.ErrForged) {
		log.Warn().Err(err).Str("remote", r.RemoteAddr).Msg("forged notification refused")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if err != nil {
		log.Error().Err(err).Msg("notification cannot be read")
		w.WriteHeader(http.StatusBadRequest)
		return
	}

	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	found, err := c.hint(ctx, id, name)
	if err != nil {
		// The acquirer sends it again.
		log.Warn().Err(err).Str("attempt", string(id)).Msg("notification not taken")
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if !found {
		log.Warn().Str("attempt", string(id)).Msg("notification of an unknown attempt")
	}
	c.wake(name)
	w.WriteHeader(http.StatusNoContent)
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
