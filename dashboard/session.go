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

// How long a session lasts, and how old a sign-in may be for changes of what money
// depends on.
const (
	idleLimit     = 30 * time.Minute
	absoluteLimit = 12 * time.Hour
	freshLimit    = 15 * time.Minute
	// pendingLimit is how long the password counts while the code is asked for.
	pendingLimit = 10 * time.Minute
	// deviceLimit is how long a browser is known after a sign-in.
	deviceLimit = 180 * 24 * time.Hour
)

// What a session remembers. All are strings or numbers: nothing that an older
// server could not read.
const (
	sessionUser         = "user"         // uuid
	sessionEpoch        = "epoch"        // of the user when the session began
	sessionSignedIn     = "signed_in"    // Unix seconds of the last whole sign-in (begin)
	sessionPending      = "pending"      // uuid: the password was right, the second factor is missing
	sessionPendingAt    = "pending_at"   // Unix seconds
	sessionNext         = "next"         // where to go after the second factor
	sessionOrganization = "organization" // uuid of the one that was looked at last
)

// Behind https the cookie's name binds it to this host, and to https. Plain http,
// for trying things out on one machine, cannot have that.
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

// begin starts the session of a user who has given all that a sign-in asks for, and is the one
// way to a fresh sign-in. What the browser had before is invalid afterwards.
func (d *Dashboard) begin(ctx context.Context, u people.User) error {
	last := d.sessions.GetString(ctx, sessionOrganization)
	if err := d.restart(ctx); err != nil {
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

// resume gives the session of a user whose password is new another number and epoch. Its sign-in
// stays as old as it was, and its end where it was: the password proves less than a sign-in does
// where that asks for a second factor.
func (d *Dashboard) resume(ctx context.Context, u people.User) error {
	signedIn, end := d.sessions.GetInt64(ctx, sessionSignedIn), d.sessions.Deadline(ctx)
	if err := d.begin(ctx, u); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionSignedIn, signedIn)
	d.sessions.SetDeadline(ctx, end)
	return nil
}

// restart empties the session and gives it another number.
func (d *Dashboard) restart(ctx context.Context) error {
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

// saveSession stores the session and sets the cookie. It comes before the answer
// begins; where it fails, the request has no user, and the answer is the error. A
// session that ended during the request stays ended, and the cookie stays as it is:
// it may be of a later session already.
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
			req.d.config.Log.Warn().Err(err).Msg("where a session is used was not kept") // the session counts all the same
		}
	}
	if began {
		req.rememberBrowser(ctx)
	}
	return nil
}

// rememberBrowser gives the browser of a user who has just signed in a cookie by which
// it is known at the next sign-in.
func (req *request) rememberBrowser(ctx context.Context) {
	user, err := accounts.ParseUserID(req.d.sessions.GetString(ctx, sessionUser))
	if err != nil {
		return // the second factor is missing
	}
	value := req.d.config.People.Device(user, req.d.sessions.GetInt64(ctx, sessionEpoch))
	http.SetCookie(req.w, &http.Cookie{ //nolint:gosec // Secure behind https, as the session's
		Name: req.d.deviceCookie(), Value: value, Path: "/", MaxAge: int(deviceLimit / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: req.d.sessions.Cookie.Secure,
	})
}

func (d *Dashboard) deviceCookie() string { return d.sessions.Cookie.Name + "-device" }
