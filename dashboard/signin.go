package dashboard

import (
	"cmp"
	"errors"
	"net/url"
	"path"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/internal/locale"
)

var _ = declare(
	get("/sign-in", anyone, (*Dashboard).signInPage),
	post("/sign-in", anyone, (*Dashboard).signIn),
	get("/code", anyone, (*Dashboard).codePage),
	post("/code", anyone, (*Dashboard).code),
	get("/confirm", anyUser, (*Dashboard).confirmPage),
	post("/confirm", anyUser, (*Dashboard).confirm),
	post("/sign-out", anyUser, (*Dashboard).signOut),
)

// signInPage redirects users who are signed in already.
func (d *Dashboard) signInPage(req *request) error {
	next := ownPath(req.r.URL.Query().Get("next"))
	switch _, err := d.signedIn(req); {
	case err == nil:
		return req.redirect(cmp.Or(next, view.Root))
	case !errors.Is(err, errSignedOut):
		return err
	}
	return req.show(view.SectionNone, d.signInForm("", next))
}

func (d *Dashboard) signIn(req *request) error {
	form := d.signInForm(req.field("email"), ownPath(req.field("next")))
	user, step, err := d.config.People.SignIn(req.ctx, req.by, form.Email, req.secretField("password"))
	switch {
	case err != nil:
		form.Refusal = d.refusal(req, err, view.WrongPassword)
		return req.correct(view.SectionNone, form, err)
	case step == people.NextSecondFactor:
		return d.askForCode(req, user, form.Next)
	}
	return d.signInTo(req, user, form.Next)
}

// signInTo begins the session and leads to the page that was asked for.
func (d *Dashboard) signInTo(req *request, user people.User, next string) error {
	if err := d.beginSession(req.r.Context(), user); err != nil {
		return err
	}
	return req.redirect(cmp.Or(next, view.Root))
}

// refusal turns an error of a sign-in, or of a new password, into the page's refusal; it is zero for other
// errors. The text for a wrong password depends on the form.
func (d *Dashboard) refusal(req *request, err error, badPassword view.FormErrors) view.Refusal {
	later := func(after time.Duration, busy bool) view.Refusal {
		req.w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
		return view.Refusal{Retry: view.Retry{After: after, At: d.config.Now().Add(after), Busy: busy}}
	}
	if throttled, is := errors.AsType[accounts.Throttled](err); is {
		return later(throttled.RetryAfter.Truncate(time.Second)+time.Second, false)
	}
	if weak, is := errors.AsType[people.PasswordProblem](err); is {
		return view.BadPassword(weak).Refused()
	}
	switch {
	case errors.Is(err, people.ErrBusy):
		return later(busyPause, true)
	case errors.Is(err, people.ErrBadCredentials):
		return badPassword.Refused()
	case errors.Is(err, people.ErrBadCode):
		return view.WrongCode.Refused()
	}
	return view.Refusal{}
}

// busyPause is the Retry-After if too many people sign in at once.
const busyPause = 5 * time.Second

// askForCode stores in the session whose password was right.
func (d *Dashboard) askForCode(req *request, user people.User, next string) error {
	ctx := req.r.Context()
	if err := d.restartSession(ctx); err != nil {
		return err
	}
	d.sessions.Put(ctx, sessionPending, user.ID.String())
	d.sessions.Put(ctx, sessionPendingAt, d.config.Now().Unix())
	d.sessions.Put(ctx, sessionEpoch, user.Epoch)
	d.sessions.Put(ctx, sessionNext, next)
	return req.redirect(view.Root + "/code")
}

// pending is the user whose password was right and whose second factor is missing.
func (d *Dashboard) pending(req *request) (people.User, error) {
	ctx := req.r.Context()
	id, err := accounts.ParseUserID(d.sessions.GetString(ctx, sessionPending))
	if err != nil {
		return people.User{}, errSignedOut
	}
	if d.config.Now().Sub(time.Unix(d.sessions.GetInt64(ctx, sessionPendingAt), 0)) > pendingLimit {
		return people.User{}, errSignedOut
	}
	return d.config.People.SessionUser(req.ctx, id, d.sessions.GetInt64(ctx, sessionEpoch))
}

func (d *Dashboard) codePage(req *request) error {
	user, err := d.pending(req)
	if err != nil {
		return backToSignIn(req, err)
	}
	return req.show(view.SectionNone, d.codeForm(user))
}

// backToSignIn redirects visitors without a right password, or after pendingLimit.
func backToSignIn(req *request, err error) error {
	if errors.Is(err, errSignedOut) || errors.Is(err, accounts.ErrSessionEnded) {
		return req.redirect(view.Root + "/sign-in")
	}
	return err
}

func (d *Dashboard) code(req *request) error {
	user, err := d.pending(req)
	if err != nil {
		return backToSignIn(req, err)
	}
	form, next := d.codeForm(user), d.sessions.GetString(req.r.Context(), sessionNext)
	user, err = d.config.People.CheckSecondFactor(req.ctx, req.actor(user), typedCode(req))
	switch {
	case errors.Is(err, people.ErrNoSecondFactor): // it was reset meanwhile
		return backToSignIn(req, errSignedOut)
	case err != nil:
		form.Refusal = d.refusal(req, err, nil)
		return req.correct(view.SectionNone, form, err)
	}
	return d.signInTo(req, user, next)
}

// typedCode is the code of the form, with the digits of any keyboard.
func typedCode(req *request) string { return locale.FoldCode(req.field("code")) }

func (d *Dashboard) confirmPage(req *request) error {
	next := ownPath(req.r.URL.Query().Get("next"))
	return req.show(view.SectionNone, d.confirmForm(req, next))
}

func (d *Dashboard) confirm(req *request) error {
	form := d.confirmForm(req, ownPath(req.field("next")))
	user, step, err := d.config.People.SignIn(req.ctx, req.by, req.user.Email, req.secretField("password"))
	if err == nil && step == people.NextSecondFactor {
		user, err = d.config.People.CheckSecondFactor(req.ctx, req.actor(user), typedCode(req))
	}
	switch {
	case errors.Is(err, people.ErrNoSecondFactor): // the password is not enough, and there are no codes
		return req.redirect(view.Root + "/confirm?next=" + url.QueryEscape(form.Next))
	case err != nil:
		form.Refusal = d.refusal(req, err, view.WrongOwnPassword("password"))
		return req.correct(view.SectionNone, form, err)
	}
	return d.signInTo(req, user, form.Next)
}

func (d *Dashboard) signOut(req *request) error {
	if err := d.config.People.SignedOut(req.ctx, req.by); err != nil {
		return err
	}
	return req.doneUnless(d.sessions.Destroy(req.r.Context()), view.Root+"/sign-in", "signed-out")
}

// ownPath is an address in a request if it belongs to the dashboard, otherwise empty. A sign-in
// leads only into the dashboard.
func ownPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!inDashboard(u.Path) || path.Clean(u.Path) != u.Path || len(address) > maxNext {
		return ""
	}
	return u.RequestURI()
}

// maxNext is the greatest length of such an address in bytes.
const maxNext = 2000
