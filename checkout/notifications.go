package checkout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/gorilla/mux"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/ledger"
)

// maxNotification bounds what an acquirer may push, in bytes.
const maxNotification = 64 << 10

// receiveNotification takes a pushed message: as a hint to ask, or as the proof where the
// acquirer's signature covers reference and amount. A closed attempt is asked about too:
// an acquirer may report a payment that it declined as paid, much later.
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
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	name := mux.Vars(r)["name"]
	log := c.log.With().Str("acquirer", name).Str("request_id", web.RequestID(r.Context())).Logger()
	from, of, err := c.notifier(ctx, mux.Vars(r))
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return http.StatusNotFound, ""
	case err != nil:
		log.Warn().Err(err).Msg("notification not taken")
		return http.StatusServiceUnavailable, ""
	}
	notice, err := from.ParseNotification(acquirer.Message{Query: r.URL.RawQuery, Header: r.Header, Body: body})
	if errors.Is(err, acquirer.ErrForged) {
		log.Warn().Err(err).Str("remote", r.RemoteAddr).Msg("forged notification refused")
		return http.StatusUnauthorized, ""
	}
	if err != nil {
		log.Error().Err(err).Msg("notification cannot be read")
		return http.StatusBadRequest, ""
	}
	if err := c.takeNotice(ctx, from, of, notice, &log); err != nil {
		log.Warn().Err(err).Str("reference", notice.Reference).Msg("notification not taken")
		return http.StatusServiceUnavailable, ""
	}
	c.wake(name)
	return http.StatusNoContent, notice.Reply
}

// notifier is the account that an address of notifications belongs to, and its
// application, nil for one of all. The error is ledger.ErrNotFound where there is none.
func (c *Checkout) notifier(ctx context.Context, vars map[string]string) (*guarded, *domain.ApplicationID, error) {
	var of *domain.ApplicationID
	var id domain.ApplicationID
	if _, own := c.providers[vars["name"]]; own {
		parsed, err := accounts.ParseApplicationID(vars["application"])
		if err != nil {
			return nil, nil, ledger.ErrNotFound
		}
		id, of = parsed, &parsed
	} else if vars["application"] != "" {
		return nil, nil, ledger.ErrNotFound
	}
	from, known, err := c.account(ctx, id, vars["name"])
	if err == nil && !known {
		err = ledger.ErrNotFound
	}
	return from, of, err
}

// takeNotice does what follows from a genuine message of the acquirer, about an attempt
// of the application; nil: of any.
func (c *Checkout) takeNotice(ctx context.Context, from *guarded, of *domain.ApplicationID, n acquirer.Notice, log *zerolog.Logger) error {
	if n.Reference == "" {
		return c.hintAll(ctx, from.Name(), of)
	}
	a, i, err := c.findByReference(ctx, from.Name(), n.Reference)
	if errors.Is(err, ErrNoAttempt) || err == nil && of != nil && i.Application != *of {
		log.Warn().Str("reference", n.Reference).Msg("notification of an unknown attempt")
		return nil
	}
	if err != nil {
		return err
	}
	if n.Proof != nil {
		return c.recordFinding(ctx, a, i, attempt.Proof(a, i, *n.Proof, c.now()))
	}
	return c.hint(ctx, a)
}

// hint has the acquirer asked about an attempt as soon as it may be.
func (c *Checkout) hint(ctx context.Context, a attempt.Attempt) error {
	now := c.now()
	after, _, err := c.attempts.apply(ctx, a, attempt.Hint{}, now)
	if err == nil && after.AskAt != nil {
		time.AfterFunc(after.AskAt.Sub(now), func() { c.wake(after.Acquirer) })
	}
	return err
}

// referenceForm is the beginning of an attempt's id, of which no other begins so.
var referenceForm = regexp.MustCompile(`^[0-9a-z]{20,26}$`)

// findByReference is the attempt that the acquirer knows under the reference, with its
// intent; ErrNoAttempt where there is none.
func (c *Checkout) findByReference(ctx context.Context, name, reference string) (attempt.Attempt, domain.Intent, error) {
	if !referenceForm.MatchString(reference) {
		return attempt.Attempt{}, domain.Intent{}, ErrNoAttempt
	}
	a, err := c.attempts.findByReference(ctx, name, reference)
	if err != nil {
		return a, domain.Intent{}, err
	}
	i, err := c.ledger.Load(ctx, a.Intent)
	return a, i, err
}

// hintAll has every attempt of an account asked about that a message may be about which
// names none.
func (c *Checkout) hintAll(ctx context.Context, name string, of *domain.ApplicationID) error {
	if of == nil {
		return errors.New("a notification about the payments of all applications names none")
	}
	now := c.now()
	waiting, err := c.attempts.recent(ctx, name, *of, now.Add(-hintedFor))
	if err != nil {
		return err
	}
	for _, a := range waiting {
		if a.AskedSoon(now) {
			continue // each message would write them all
		}
		if err := c.hint(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// hintedFor is how long after it began an attempt may be what a message without a
// reference is about, and maxHinted how many are asked about then, the latest first.
const (
	hintedFor = 48 * time.Hour
	maxHinted = 50
)

// comeBack takes a payer who returns from the acquirer's page: with a signed query it is a
// proof. Whatever it says, the page shows how the payment stands.
func (c *Checkout) comeBack(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	ctx, cancel := detached(r.Context())
	defer cancel()
	lang := web.LangFrom(r)
	a, found, err := c.openAttempt(ctx, i)
	if err != nil {
		return err
	}
	if !found && len(i.Attempts) > 0 {
		// It may have ended meanwhile, and the message say otherwise.
		a, err = c.attempts.find(ctx, i.Attempts[len(i.Attempts)-1].ID)
		found = err == nil
	}
	if found {
		lang = languageOf(a.Language)
		err = c.returned(ctx, r, i, a)
	}
	if err != nil && !errors.Is(err, ErrNoAttempt) {
		return err
	}
	w.Header().Set("Location", web.WithLang(pagePath(i), lang))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// returned takes the query with which a payer came back, of an attempt of the intent. What
// cannot be believed changes nothing.
func (c *Checkout) returned(ctx context.Context, r *http.Request, i domain.Intent, last attempt.Attempt) error {
	from, known, err := c.account(ctx, i.Application, last.Acquirer)
	if err != nil || !known {
		return err
	}
	n, err := from.ParseNotification(acquirer.Message{Returned: true, Query: r.URL.RawQuery, Header: r.Header})
	if err != nil {
		c.logFor(last).Warn().Err(err).Str("request_id", web.RequestID(r.Context())).Msg("payer came back with a query that proves nothing")
		return nil
	}
	a, of, err := c.findByReference(ctx, from.Name(), n.Reference)
	if errors.Is(err, ErrNoAttempt) || err == nil && of.ID != i.ID {
		c.logFor(last).Warn().Str("reference", n.Reference).Msg("payer came back with the proof of another payment")
		return nil
	}
	if err != nil || n.Proof == nil {
		return err
	}
	return c.recordFinding(ctx, a, i, attempt.Proof(a, i, *n.Proof, c.now()))
}
