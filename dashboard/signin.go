package dashboard

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/web"
)

var signInRoutes = []route{
	{method: http.MethodGet, path: "/sign-in", handle: (*Dashboard).signInPage},
	{method: http.MethodPost, path: "/sign-in", handle: (*Dashboard).signIn},
	{method: http.MethodGet, path: "/code", handle: (*Dashboard).codePage},
	{method: http.MethodPost, path: "/code", handle: (*Dashboard).code},
	{method: http.MethodGet, path: "/confirm", access: anyUser, handle: (*Dashboard).confirmPage},
	{method: http.MethodPost, path: "/confirm", access: anyUser, handle: (*Dashboard).confirm},
	{method: http.MethodPost, path: "/sign-out", access: anyUser, handle: (*Dashboard).signOut},
}

// signInPage leads on who is signed in already.
func (d *Dashboard) signInPage(v *visit) error {
	next := ownPath(v.r.URL.Query().Get("next"))
	switch _, err := d.signedIn(v); {
	case err == nil:
		return v.redirect(cmp.Or(next, view.Root))
	case !errors.Is(err, errSignedOut):
		return err
	}
	return v.show(view.SectionNone, view.SignInPage{Next: next})
}

func (d *Dashboard) signIn(v *visit) error {
	form := view.SignInPage{Email: v.field("email"), Next: ownPath(v.field("next"))}
	user, step, err := d.config.Accounts.SignIn(v.ctx, form.Email, v.secretField("password"), v.by.Address, v.by.RequestID)
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = view.RefusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, view.SectionNone, form)
	}
	switch {
	case errors.Is(err, accounts.ErrBadCredentials):
		form.Refused = view.RefusedPassword
		return v.showInvalid(view.SectionNone, form)
	case err != nil:
		return err
	case step == accounts.NextSecondFactor:
		return d.askForCode(v, user, form.Next)
	}
	return d.signInTo(v, user, form.Next)
}

// signInTo begins the session and leads to the page that was asked for.
func (d *Dashboard) signInTo(v *visit, user accounts.User, next string) error {
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	return v.redirect(cmp.Or(next, view.Root))
}

// retryAfter also tells programs.
func (d *Dashboard) retryAfter(v *visit, t accounts.Throttled) view.Retry {
	after := t.RetryAfter.Truncate(time.Second) + time.Second
	v.w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	return view.Retry{After: after, At: d.config.Now().Add(after)}
}

// askForCode remembers that the password was right, and of whom.
func (d *Dashboard) askForCode(v *visit, user accounts.User, next string) error {
	ctx := v.r.Context()
	if err := d.restart(ctx); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionPending, user.ID.String())
	d.sessions.Put(ctx, sessionPendingAt, d.config.Now().Unix())
	d.sessions.Put(ctx, sessionEpoch, user.Epoch)
	d.sessions.Put(ctx, sessionNext, next)
	return v.redirect(view.Root + "/code")
}

// pending is who gave the right password a moment ago.
func (d *Dashboard) pending(v *visit) (accounts.User, error) {
	ctx := v.r.Context()
	id, err := accounts.ParseUserID(d.sessions.GetString(ctx, sessionPending))
	if err != nil {
		return accounts.User{}, errSignedOut
	}
	if d.config.Now().Sub(time.Unix(d.sessions.GetInt64(ctx, sessionPendingAt), 0)) > pendingLimit {
		return accounts.User{}, errSignedOut
	}
	return d.config.Accounts.SessionUser(v.ctx, id, d.sessions.GetInt64(ctx, sessionEpoch))
}

func (d *Dashboard) codePage(v *visit) error {
	if _, err := d.pending(v); err != nil {
		return backToSignIn(v, err)
	}
	return v.show(view.SectionNone, view.CodePage{})
}

// backToSignIn is for who comes without a password, or too late.
func backToSignIn(v *visit, err error) error {
	if errors.Is(err, errSignedOut) || errors.Is(err, accounts.ErrSessionEnded) {
		return v.redirect(view.Root + "/sign-in")
	}
	return err
}

func (d *Dashboard) code(v *visit) error {
	user, err := d.pending(v)
	if err != nil {
		return backToSignIn(v, err)
	}
	next := d.sessions.GetString(v.r.Context(), sessionNext)
	user, err = d.config.Accounts.CheckSecondFactor(v.ctx, user.Actor(v.by.Address, v.by.RequestID), typedCode(v))
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		return v.answer(http.StatusTooManyRequests, view.SectionNone, view.CodePage{Refused: view.RefusedNow, Retry: d.retryAfter(v, throttled)})
	}
	switch {
	case errors.Is(err, accounts.ErrBadCode):
		return v.showInvalid(view.SectionNone, view.CodePage{Refused: view.RefusedCode})
	case errors.Is(err, accounts.ErrNoSecondFactor): // it was reset meanwhile
		return backToSignIn(v, errSignedOut)
	case err != nil:
		return err
	}
	return d.signInTo(v, user, next)
}

// typedCode is the code of the form, with the digits of any keyboard.
func typedCode(v *visit) string { return web.FoldDigits(v.field("code")) }

func (d *Dashboard) confirmPage(v *visit) error {
	next := ownPath(v.r.URL.Query().Get("next"))
	return v.show(view.SectionNone, view.ConfirmPage{Email: v.user.Email, Factor: v.user.SecondFactor, Next: next})
}

func (d *Dashboard) confirm(v *visit) error {
	form := view.ConfirmPage{Email: v.user.Email, Factor: v.user.SecondFactor, Next: ownPath(v.field("next"))}
	user, step, err := d.config.Accounts.SignIn(v.ctx, v.user.Email, v.secretField("password"), v.by.Address, v.by.RequestID)
	if err == nil && step == accounts.NextSecondFactor {
		user, err = d.config.Accounts.CheckSecondFactor(v.ctx, user.Actor(v.by.Address, v.by.RequestID), typedCode(v))
	}
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = view.RefusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, view.SectionNone, form)
	}
	switch {
	case errors.Is(err, accounts.ErrBadCredentials):
		form.Refused = view.RefusedPassword
		return v.showInvalid(view.SectionNone, form)
	case errors.Is(err, accounts.ErrBadCode):
		form.Refused = view.RefusedCode
		return v.showInvalid(view.SectionNone, form)
	case err != nil:
		return err
	}
	return d.signInTo(v, user, form.Next)
}

func (d *Dashboard) signOut(v *visit) error {
	if err := d.config.Accounts.SignedOut(v.ctx, v.by); err != nil {
		return err
	}
	if err := d.sessions.Destroy(v.r.Context()); err != nil {
		return err
	}
	return v.done(view.Root+"/sign-in", "signed-out")
}

// ownPath is an address of the dashboard from a request; empty where it
// is none. A sign-in leads only into the dashboard.
func ownPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !ours(u.Path) || path.Clean(u.Path) != u.Path || len(address) > maxNext {
		return ""
	}
	return u.RequestURI()
}

// maxNext is the length of such an address in bytes.
const maxNext = 2000
