package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/internal/web"
)

var signInRoutes = []route{
	{method: http.MethodGet, path: "/sign-in", handle: (*Dashboard).signInPage},
	{method: http.MethodPost, path: "/sign-in", handle: (*Dashboard).signIn},
	{method: http.MethodGet, path: "/code", handle: (*Dashboard).codePage},
	{method: http.MethodPost, path: "/code", handle: (*Dashboard).code},
	{method: http.MethodGet, path: "/confirm", access: somebody, handle: (*Dashboard).confirmPage},
	{method: http.MethodPost, path: "/confirm", access: somebody, handle: (*Dashboard).confirm},
	{method: http.MethodPost, path: "/sign-out", access: somebody, handle: (*Dashboard).signOut},
}

// refused is why nobody was let in.
type refused uint8

const (
	notRefused refused = iota
	refusedPassword
	refusedCode
	refusedNow // too many attempts
)

// retry is when somebody who tried too often may try again.
type retry struct {
	After time.Duration // whole seconds or more
	At    time.Time
}

// Wait is the time until then in words.
func (r retry) Wait(l web.Lang) string { return waitText(l, r.After) }

// Clock is the time of day in Tripoli.
func (r retry) Clock() string { return web.Clock(r.At) }

// signInView asks for the email address and the password.
type signInView struct {
	Email   string // as it was typed
	Next    string // a path of ours; empty: the start
	Refused refused
	Retry   retry // with refusedNow
}

func (signInView) Template() string { return "sign-in" }

func (signInView) title(t *texts) string { return t.SignIn.Title }

// Problems implements correctable. The same words for an address that nobody has.
func (s signInView) Problems(t *texts) []problem { return refusalProblems(t, s.Refused, "email") }

func refusalProblems(t *texts, r refused, field string) []problem {
	switch r {
	case notRefused, refusedNow:
		return nil
	case refusedPassword:
		return []problem{{field, t.SignIn.WrongPassword}}
	case refusedCode:
		return []problem{{field, t.SignIn.WrongCode}}
	}
	panic("dashboard: unknown refusal")
}

// signInPage leads on who is signed in already.
func (d *Dashboard) signInPage(v *visit) error {
	next := ownPath(v.r.URL.Query().Get("next"))
	switch _, err := d.signedIn(v); {
	case err == nil:
		v.see(orRoot(next))
		return nil
	case !errors.Is(err, errSignedOut):
		return err
	}
	return v.show(sectionNone, signInView{Next: next})
}

func (d *Dashboard) signIn(v *visit) error {
	form := signInView{Email: v.field("email"), Next: ownPath(v.field("next"))}
	user, next, err := d.accounts.SignIn(v.ctx, form.Email, v.secretField("password"), v.by.Address, v.by.RequestID)
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = refusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, sectionNone, form)
	}
	switch {
	case errors.Is(err, accounts.ErrBadCredentials):
		form.Refused = refusedPassword
		return v.correct(sectionNone, form)
	case err != nil:
		return err
	case next == accounts.NextSecondFactor:
		return d.askForCode(v, user, form.Next)
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	v.see(orRoot(form.Next))
	return nil
}

// retryAfter also tells programs.
func (d *Dashboard) retryAfter(v *visit, t accounts.Throttled) retry {
	after := t.RetryAfter.Truncate(time.Second) + time.Second
	v.w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	return retry{After: after, At: d.now().Add(after)}
}

// askForCode remembers that the password was right, and of whom.
func (d *Dashboard) askForCode(v *visit, user accounts.User, next string) error {
	ctx := v.r.Context()
	if err := d.restart(ctx); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionPending, user.ID.String())
	d.sessions.Put(ctx, sessionPendingAt, d.now().Unix())
	d.sessions.Put(ctx, sessionEpoch, user.Epoch)
	d.sessions.Put(ctx, sessionNext, next)
	v.see(root + "/code")
	return nil
}

// codeView asks for the second factor.
type codeView struct {
	Refused refused
	Retry   retry
}

func (codeView) Template() string { return "code" }

func (codeView) title(t *texts) string { return t.SignIn.CodeTitle }

// Problems implements correctable.
func (c codeView) Problems(t *texts) []problem { return refusalProblems(t, c.Refused, "code") }

// pending is who gave the right password a moment ago.
func (d *Dashboard) pending(v *visit) (accounts.User, error) {
	ctx := v.r.Context()
	id, err := accounts.ParseUserID(d.sessions.GetString(ctx, sessionPending))
	if err != nil {
		return accounts.User{}, errSignedOut
	}
	if d.now().Sub(time.Unix(d.sessions.GetInt64(ctx, sessionPendingAt), 0)) > pendingLimit {
		return accounts.User{}, errSignedOut
	}
	return d.accounts.SessionUser(v.ctx, id, d.sessions.GetInt64(ctx, sessionEpoch))
}

func (d *Dashboard) codePage(v *visit) error {
	if _, err := d.pending(v); err != nil {
		return backToSignIn(v, err)
	}
	return v.show(sectionNone, codeView{})
}

// backToSignIn is for who comes without a password, or too late.
func backToSignIn(v *visit, err error) error {
	if errors.Is(err, errSignedOut) || errors.Is(err, accounts.ErrSessionEnded) {
		v.see(root + "/sign-in")
		return nil
	}
	return err
}

func (d *Dashboard) code(v *visit) error {
	user, err := d.pending(v)
	if err != nil {
		return backToSignIn(v, err)
	}
	next := d.sessions.GetString(v.r.Context(), sessionNext)
	user, err = d.accounts.CheckSecondFactor(v.ctx, user.Actor(v.by.Address, v.by.RequestID), typedCode(v))
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		return v.answer(http.StatusTooManyRequests, sectionNone, codeView{Refused: refusedNow, Retry: d.retryAfter(v, throttled)})
	}
	switch {
	case errors.Is(err, accounts.ErrBadCode):
		return v.correct(sectionNone, codeView{Refused: refusedCode})
	case errors.Is(err, accounts.ErrNoSecondFactor): // it was reset meanwhile
		return backToSignIn(v, errSignedOut)
	case err != nil:
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	v.see(orRoot(next))
	return nil
}

// typedCode is the code of the form, with the digits of any keyboard.
func typedCode(v *visit) string { return web.FoldDigits(v.field("code")) }

// confirmView asks again for the password of who is signed in.
type confirmView struct {
	Email   string
	Factor  bool // a code is asked for as well
	Next    string
	Refused refused
	Retry   retry
}

func (confirmView) Template() string { return "confirm" }

func (confirmView) title(t *texts) string { return t.SignIn.ConfirmTitle }

// Problems implements correctable.
func (c confirmView) Problems(t *texts) []problem {
	if c.Refused == refusedCode {
		return []problem{{"code", t.SignIn.WrongCode}}
	}
	if c.Refused == refusedPassword {
		return []problem{{"password", t.SignIn.WrongOwnPassword}}
	}
	return nil
}

func (d *Dashboard) confirmPage(v *visit) error {
	next := ownPath(v.r.URL.Query().Get("next"))
	return v.show(sectionNone, confirmView{Email: v.user.Email, Factor: v.user.SecondFactor, Next: next})
}

func (d *Dashboard) confirm(v *visit) error {
	form := confirmView{Email: v.user.Email, Factor: v.user.SecondFactor, Next: ownPath(v.field("next"))}
	user, next, err := d.accounts.SignIn(v.ctx, v.user.Email, v.secretField("password"), v.by.Address, v.by.RequestID)
	if err == nil && next == accounts.NextSecondFactor {
		user, err = d.accounts.CheckSecondFactor(v.ctx, user.Actor(v.by.Address, v.by.RequestID), typedCode(v))
	}
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = refusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, sectionNone, form)
	}
	switch {
	case errors.Is(err, accounts.ErrBadCredentials):
		form.Refused = refusedPassword
		return v.correct(sectionNone, form)
	case errors.Is(err, accounts.ErrBadCode):
		form.Refused = refusedCode
		return v.correct(sectionNone, form)
	case err != nil:
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	v.see(orRoot(form.Next))
	return nil
}

func (d *Dashboard) signOut(v *visit) error {
	if err := d.accounts.SignedOut(v.ctx, v.by); err != nil {
		return err
	}
	if err := d.sessions.Destroy(v.r.Context()); err != nil {
		return err
	}
	v.done(root+"/sign-in", "signed-out")
	return nil
}

// ownPath is an address of the dashboard that somebody else wrote; empty where it
// is none. Whoever signs in is led nowhere but into the dashboard.
func ownPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !ours(u.Path) || path.Clean(u.Path) != u.Path || len(address) > maxNext {
		return ""
	}
	return u.RequestURI()
}

// maxNext is the length of such an address in bytes.
const maxNext = 2000

func orRoot(address string) string {
	if address == "" {
		return root
	}
	return address
}
