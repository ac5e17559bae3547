package dashboard

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

// How long a session lasts, and how old a sign-in may be for sensitive changes.
const (
	idleLimit     = 30 * time.Minute
	absoluteLimit = 12 * time.Hour
	freshLimit    = 15 * time.Minute
	// pendingLimit is how long a right password is valid while the code is missing.
	pendingLimit = 10 * time.Minute
	// deviceLimit is how long a browser stays known after a sign-in.
	deviceLimit = 180 * 24 * time.Hour
)

// The keys of a session. All values are strings or numbers, which older servers can read.
const (
	sessionUser         = "user"         // uuid
	sessionEpoch        = "epoch"        // of the user when the session began
	sessionSignedIn     = "signed_in"    // Unix seconds of the last whole sign-in (beginSession)
	sessionPending      = "pending"      // uuid: the password was right, the second factor is missing
	sessionPendingAt    = "pending_at"   // Unix seconds
	sessionNext         = "next"         // where to go after the second factor
	sessionOrganization = "organization" // uuid of the one that was opened last
	sessionMode         = "mode"         // of the pages that were opened last
)

// With https the cookie's prefix binds it to this host and to https. Plain http, for
// local tests, cannot use the prefix.
const (
	hostCookie  = "__Host-daftar"
	plainCookie = "daftar"
)

// blankSessions is made once: each scs.New starts a goroutine for a store in
// memory, which is not used here.
var blankSessions = sync.OnceValue(scs.New)

func newSessions(store scs.Store, https bool) *scs.SessionManager {
	m := *blankSessions()
	m.Store = store
	m.IdleTimeout = idleLimit
	m.Lifetime = absoluteLimit
	m.HashTokenInStore = true
	m.Cookie = scs.SessionCookie{
		Name: plainCookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: https,
		Persist: false, // ends with the browser
	}
	if https {
		m.Cookie.Name = hostCookie
	}
	return &m
}

// beginSession starts the session of a user who has completed a sign-in, and is the only way to a fresh
// one. The browser's previous session token is invalid afterwards.
func (d *Dashboard) beginSession(ctx context.Context, u people.User) error {
	last := d.sessions.GetString(ctx, sessionOrganization)
	if err := d.restartSession(ctx); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionUser, u.ID.String())
	d.sessions.Put(ctx, sessionEpoch, u.Epoch)
	d.sessions.Put(ctx, sessionSignedIn, d.config.Now().Unix())
	if last != "" {
		d.sessions.Put(ctx, sessionOrganization, last)
	}
	return nil
}

// resumeSession gives the session of a user with a new password a new token and epoch. The age of its
// sign-in and its end stay the same, because the password alone proves less than a sign-in with
// a second factor.
func (d *Dashboard) resumeSession(ctx context.Context, u people.User) error {
	signedIn, end := d.sessions.GetInt64(ctx, sessionSignedIn), d.sessions.Deadline(ctx)
	if err := d.beginSession(ctx, u); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionSignedIn, signedIn)
	d.sessions.SetDeadline(ctx, end)
	return nil
}

// restartSession empties the session and gives it a new token.
func (d *Dashboard) restartSession(ctx context.Context) error {
	if err := d.sessions.Clear(ctx); err != nil {
		return err
	}
	return d.sessions.RenewToken(ctx)
}

// loadSession gives a request its session. scs could do that itself, but cannot
// answer with one of our pages when a session cannot be read or saved.
func (req *request) loadSession() error {
	req.w.Header().Add("Vary", "Cookie")
	token := ""
	if cookie, err := req.r.Cookie(req.d.sessions.Cookie.Name); err == nil {
		token = cookie.Value
	}
	ctx, err := req.d.sessions.Load(req.r.Context(), token)
	if err != nil {
		return err
	}
	req.r, req.unsaved, req.loaded = req.r.WithContext(ctx), true, req.d.sessions.Token(ctx)
	return nil
}

// saveSession stores the session and sets the cookie. It must be called before the answer
// begins; if it fails, the request loses its user, and the answer is the error. A
// session that ended during the request stays ended, and the cookie is left unchanged,
// because it may belong to a later session already.
func (req *request) saveSession() error {
	if !req.unsaved {
		return nil
	}
	req.unsaved = false
	began := false
	token, end, ctx, err := "", time.Time{}, req.r.Context(), error(nil)
	switch req.d.sessions.Status(ctx) {
	case scs.Unmodified:
		return nil
	case scs.Modified:
		sessions := req.d.sessions
		if began = req.loaded == "" || sessions.Token(ctx) != req.loaded; began {
			sessions = req.d.newSessions
		}
		token, end, err = sessions.Commit(ctx)
	case scs.Destroyed:
	}
	if errors.Is(err, accounts.ErrSessionEnded) {
		return nil
	}
	if err != nil {
		req.user, req.organization, req.role = people.User{}, view.Organization{}, ""
		return err
	}
	req.d.sessions.WriteSessionCookie(ctx, req.w, token, end)
	if user, err := accounts.ParseUserID(req.d.sessions.GetString(ctx, sessionUser)); err == nil && token != "" {
		by := accounts.Actor{User: user, Address: req.by.Address}
		if err := req.d.config.People.NoteSession(req.ctx, by, token, req.r.UserAgent()); err != nil {
			// The session is valid anyway.
			req.d.config.Log.Warn().Err(err).Msg("where a session is used was not kept")
		}
	}
	if began {
		req.rememberBrowser(ctx)
	}
	return nil
}

// rememberBrowser sets the cookie by which the browser of a user who has just signed in is
// recognised at the next sign-in.
func (req *request) rememberBrowser(ctx context.Context) {
	user, err := accounts.ParseUserID(req.d.sessions.GetString(ctx, sessionUser))
	if err != nil {
		return // the second factor is missing
	}
	value := req.d.config.People.Device(user, req.d.sessions.GetInt64(ctx, sessionEpoch))
	http.SetCookie(req.w, &http.Cookie{ //nolint:gosec // Secure with https, as the session's
		Name: req.d.deviceCookie(), Value: value, Path: "/", MaxAge: int(deviceLimit / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: req.d.sessions.Cookie.Secure,
	})
}

func (d *Dashboard) deviceCookie() string { return d.sessions.Cookie.Name + "-device" }
