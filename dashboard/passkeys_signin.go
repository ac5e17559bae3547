package dashboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/internal/web"
)

// passkeyForm is a form for a passkey; zero if the service offers no passkeys.
func (d *Dashboard) passkeyForm(path, next string) view.PasskeyForm {
	if !d.config.People.OffersPasskeys() {
		return view.PasskeyForm{}
	}
	return view.PasskeyForm{PasskeyPath: path, PasskeyNext: next}
}

// passkeyFormOf is passkeyForm if the user has a passkey, otherwise zero.
func (d *Dashboard) passkeyFormOf(u people.User, path, next string) view.PasskeyForm {
	if u.Passkeys == 0 {
		return view.PasskeyForm{}
	}
	return d.passkeyForm(path, next)
}

// signInForm is the form of the sign-in, which leads to a page afterwards.
func (d *Dashboard) signInForm(email, next string) view.SignInPage {
	return view.SignInPage{
		Email:       email,
		Next:        next,
		ByMail:      d.config.People.SendsMail(),
		SignUp:      d.config.SignUp && d.config.People.SendsMail(),
		PasskeyForm: d.passkeyForm(view.Root+"/sign-in/passkey", next),
	}
}

func (d *Dashboard) signInChallenge(req *request) error {
	return req.challenge(d.config.People.BeginPasskeySignIn())
}

func (d *Dashboard) signInWithPasskey(req *request) error {
	form := d.signInForm("", ownPath(req.field("next")))
	credential := req.secretField("credential")
	user, err := d.config.People.SignInWithPasskey(req.ctx, req.by, req.takeTicket(), credential)
	if err != nil {
		form.Refusal = d.passkeyRefusal(req, err)
		return req.correct(view.SectionNone, form, err)
	}
	return d.signInTo(req, user, form.Next)
}

// codeForm asks a user for the second factor.
func (d *Dashboard) codeForm(u people.User) view.CodePage {
	return view.CodePage{Code: u.SecondFactor, PasskeyForm: d.passkeyFormOf(u, view.Root+"/code/passkey", "")}
}

func (d *Dashboard) codeChallenge(req *request) error {
	user, err := d.pending(req)
	if err != nil {
		return backToSignIn(req, err)
	}
	return req.challenge(d.config.People.BeginPasskeyCheck(req.ctx, req.actor(user)))
}

func (d *Dashboard) passkeyAsCode(req *request) error {
	user, err := d.pending(req)
	if err != nil {
		return backToSignIn(req, err)
	}
	form, next := d.codeForm(user), d.sessions.GetString(req.r.Context(), sessionNext)
	credential := req.secretField("credential")
	user, err = d.config.People.CheckPasskey(req.ctx, req.actor(user), req.takeTicket(), credential)
	if err != nil {
		form.Refusal = d.passkeyRefusal(req, err)
		return req.correct(view.SectionNone, form, err)
	}
	return d.signInTo(req, user, next)
}

// confirmForm asks the signed-in user for the password again, or for a passkey.
func (d *Dashboard) confirmForm(req *request, next string) view.ConfirmPage {
	return view.ConfirmPage{
		Email:       req.user.Email,
		Factor:      req.user.SecondFactor,
		Passkey:     req.user.AsksPasskey && !req.user.SecondFactor,
		Next:        next,
		PasskeyForm: d.passkeyFormOf(req.user, view.Root+"/confirm/passkey", next),
	}
}

func (d *Dashboard) confirmChallenge(req *request) error {
	return req.challenge(d.config.People.BeginPasskeyCheck(req.ctx, req.by))
}

func (d *Dashboard) confirmWithPasskey(req *request) error {
	form := d.confirmForm(req, ownPath(req.field("next")))
	credential := req.secretField("credential")
	user, err := d.config.People.CheckPasskey(req.ctx, req.by, req.takeTicket(), credential)
	if err != nil {
		form.Refusal = d.passkeyRefusal(req, err)
		return req.correct(view.SectionNone, form, err)
	}
	return d.signInTo(req, user, form.Next)
}

// passkeyRefusal is refusal with the errors of passkeys.
func (d *Dashboard) passkeyRefusal(req *request, err error) view.Refusal {
	switch {
	case errors.Is(err, people.ErrBadPasskey):
		d.config.Log.Info().Err(err).Str("request_id", req.by.RequestID).Msg("passkey refused")
		return view.WrongPasskey.Refused()
	case errors.Is(err, people.ErrStaleChallenge):
		return view.LatePasskey.Refused()
	}
	return d.refusal(req, err, nil)
}

// challenge answers a form's script with a challenge, and keeps its ticket in a cookie.
func (req *request) challenge(c people.Challenge, err error) error {
	if err != nil {
		return err
	}
	text, err := json.Marshal(c.Options)
	if err != nil {
		return fmt.Errorf("write challenge: %w", err)
	}
	if err := req.saveSession(); err != nil {
		return err
	}
	req.setTicket(c.Ticket, people.ChallengeLimit)
	h := req.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	req.w.WriteHeader(http.StatusOK)
	_, _ = req.w.Write(text) // a browser that has gone away needs no challenge
	return nil
}

// takeTicket returns the ticket of the challenge that the form answers, and deletes its cookie.
func (req *request) takeTicket() string {
	cookie, err := req.r.Cookie(req.d.ticketCookie())
	if err != nil {
		return ""
	}
	req.setTicket("", -time.Second)
	return cookie.Value
}

func (req *request) setTicket(ticket string, keep time.Duration) {
	http.SetCookie(req.w, &http.Cookie{ //nolint:gosec // Secure with https, as the session's
		Name: req.d.ticketCookie(), Value: ticket, Path: "/", MaxAge: int(keep / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: req.d.sessions.Cookie.Secure,
	})
}

func (d *Dashboard) ticketCookie() string { return d.sessions.Cookie.Name + "-passkey" }

// allowPasskeys lets browsers use passkeys on a page that has a form for them.
func (req *request) allowPasskeys(p view.Page) {
	if p.TakesPasskeys() {
		req.w.Header().Set("Permissions-Policy", web.PasskeyPermissions)
	}
}
