package dashboard

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"daftar/accounts"
	"daftar/internal/web"
)

// How long a session lasts, and how old a sign-in may be for changes that money
// depends on.
const (
	idleLimit     = 30 * time.Minute
	absoluteLimit = 12 * time.Hour
	freshLimit    = 15 * time.Minute
	// pendingLimit is how long the password counts while the code is asked for.
	pendingLimit = 10 * time.Minute
)

// What a session remembers. All are strings or numbers: nothing that an older
// server could not read.
const (
	sessionUser         = "user"         // uuid
	sessionEpoch        = "epoch"        // of the user when the session began
	sessionSignedIn     = "signed_in"    // Unix seconds of the last time a password was given
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

// begin starts the session of a user who has signed in. What the browser had before
// is invalid afterwards.
func (d *Dashboard) begin(ctx context.Context, u accounts.User) error {
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

// restart empties the session and gives it another number.
func (d *Dashboard) restart(ctx context.Context) error {
	if err := d.sessions.Clear(ctx); err != nil {
		return err
	}
	return d.sessions.RenewToken(ctx)
}

// withSession gives requests their session. scs could do that itself, but cannot
// answer with one of our pages when a session cannot be read or saved.
func (d *Dashboard) withSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Cookie")
		token := ""
		if cookie, err := r.Cookie(d.sessions.Cookie.Name); err == nil {
			token = cookie.Value
		}
		fail := func(err error) {
			d.answerError(&request{d: d, w: w, r: r, ctx: r.Context(), lang: web.LangFrom(r)}, err)
		}
		ctx, err := d.sessions.Load(r.Context(), token)
		if err != nil {
			fail(err)
			return
		}
		answer := &sessionWriter{ResponseWriter: w, save: func() error { return d.saveSession(ctx, w) }, fail: fail}
		next.ServeHTTP(answer, r.WithContext(ctx))
		if !answer.begun {
			answer.WriteHeader(http.StatusOK)
		}
	})
}

// saveSession stores the session and sets the cookie.
func (d *Dashboard) saveSession(ctx context.Context, w http.ResponseWriter) error {
	switch d.sessions.Status(ctx) {
	case scs.Modified:
		token, end, err := d.sessions.Commit(ctx)
		if err != nil {
			return err
		}
		d.sessions.WriteSessionCookie(ctx, w, token, end)
	case scs.Destroyed:
		d.sessions.WriteSessionCookie(ctx, w, "", time.Time{})
	case scs.Unmodified:
	}
	return nil
}

// sessionWriter saves the session before the answer begins. If that fails, the answer
// is the error, and the page is dropped.
type sessionWriter struct {
	http.ResponseWriter
	save        func() error
	fail        func(error)
	begun, lost bool
}

func (a *sessionWriter) WriteHeader(status int) {
	if !a.begun {
		a.begun = true
		if err := a.save(); err != nil {
			a.lost = true
			a.Header().Del("Location")
			a.Header().Del("Content-Length")
			a.fail(err)
		}
	}
	if !a.lost {
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *sessionWriter) Write(b []byte) (int, error) {
	if !a.begun {
		a.WriteHeader(http.StatusOK)
	}
	if a.lost {
		return len(b), nil
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (a *sessionWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }
