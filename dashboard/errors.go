package dashboard

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/internal/locale"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/webhooks"
)

var (
	errNoPage    = errors.New("no such page")
	errSignedOut = errors.New("not signed in")
	errStale     = errors.New("the password was given too long ago")
	errCrossSite = errors.New("form from another site")

	errTooManyExports = errors.New("too many exports in an hour")
)

// answerError is the only place where an error becomes an answer. What belongs to another
// organisation is answered like what does not exist.
func (d *Dashboard) answerError(req *request, err error) {
	if failed := req.saveSession(); failed != nil {
		err = fmt.Errorf("%w, in the answer to: %s", failed, err.Error())
	}
	log := d.config.Log.With().Str("request_id", web.RequestID(req.r.Context())).Logger()
	switch {
	case errors.Is(err, errSignedOut), errors.Is(err, accounts.ErrSessionEnded):
		_ = req.redirect(signInPath(req)) // always an address of the dashboard
	case errors.Is(err, errStale):
		_ = req.redirect(view.Root + "/confirm?next=" + url.QueryEscape(req.self()))
	case errors.Is(err, accounts.ErrForbidden):
		d.showMessage(req, http.StatusForbidden, view.Message{What: view.Forbidden})
	case errors.Is(err, people.ErrNoInvitation):
		d.showMessage(req, http.StatusNotFound, view.InvitationOver{})
	case errors.Is(err, people.ErrNoReset):
		d.showMessage(req, http.StatusNotFound, view.ResetOver{CanAsk: d.config.People.SendsMail()})
	case errors.Is(err, people.ErrNoSignUp):
		d.showMessage(req, http.StatusNotFound, view.ResetOver{CanAsk: true, SignUp: true})
	case errors.Is(err, errNoPage), errors.Is(err, accounts.ErrNotFound), errors.Is(err, ledger.ErrNotFound),
		errors.Is(err, webhooks.ErrNoDelivery):
		d.showMessage(req, http.StatusNotFound, view.Message{What: view.NotFound})
	case errors.Is(err, errCrossSite):
		log.Warn().Msg("form from another site refused")
		d.showMessage(req, http.StatusForbidden, view.Message{What: view.CrossSite})
	case errors.Is(err, errTooManyExports):
		req.w.Header().Set("Retry-After", "3600")
		d.showMessage(req, http.StatusTooManyRequests, view.Message{What: view.TooManyExports})
	case req.r.Context().Err() != nil:
		log.Debug().Err(err).Msg("the browser has gone away")
	default:
		level, status := zerolog.ErrorLevel, http.StatusInternalServerError
		if ledger.IsTransient(err) {
			level, status = zerolog.WarnLevel, http.StatusServiceUnavailable
			req.w.Header().Set("Retry-After", "5")
		}
		log.WithLevel(level).Err(err).Msg("dashboard failed")
		d.showMessage(req, status, view.Message{What: view.Unavailable, Retry: req.self()})
	}
}

// showMessage answers with a page of one sentence. It works without the database.
func (d *Dashboard) showMessage(req *request, status int, c view.Content) {
	p := view.Page{Lang: req.lang, Address: req.self(), Sandbox: req.sandbox(), View: c}
	p.SignedIn = view.Identity{Email: req.user.Email, Organization: req.organization, Role: req.role}
	if err := req.write(status, p); err != nil {
		d.config.Log.Error().Err(err).Msg("page not rendered")
		http.Error(req.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
}

// signInPath is the sign-in that leads back to this page.
func signInPath(req *request) string {
	path := view.Root + "/sign-in"
	if req.self() != view.Root {
		path += "?next=" + url.QueryEscape(locale.WithLang(req.self(), locale.Arabic))
	}
	return path
}
