package view

import (
	"time"

	"daftar/internal/locale"
)

// Refusal is why a form was refused. Zero: it was not refused.
type Refusal struct {
	FormErrors
	Retry Retry // zero: at once
}

// Refused is the refusal itself.
func (r Refusal) Refused() Refusal { return r }

// The errors of a sign-in. An unknown address gets the text of a wrong password.
var (
	WrongPassword = FormError("email", func(t *Texts) string { return t.SignIn.WrongPassword })
	WrongCode     = FormError("code", func(t *Texts) string { return t.SignIn.WrongCode })
)

// WrongOwnPassword is the error of a wrong password of the signed-in user.
func WrongOwnPassword(field string) FormErrors {
	return FormError(field, func(t *Texts) string { return t.SignIn.WrongOwnPassword })
}

// Retry is when the next attempt is allowed, after too many.
type Retry struct {
	After time.Duration // whole seconds or more
	At    time.Time
	Busy  bool // too many others sign in; nothing is wrong with this attempt
}

// Wait is the time until then in words.
func (r Retry) Wait(l locale.Lang) string { return waitText(l, r.After) }

// Clock is the time of day in Tripoli.
func (r Retry) Clock() string { return locale.Clock(r.At) }

// SignInPage asks for the email address and the password.
type SignInPage struct {
	Email string // as it was typed
	Next  string // a path of the dashboard; empty: the start
	// Chosen is set if a password was just chosen on the page of an invitation.
	Chosen bool
	// ByMail is set if a forgotten password can be reset by mail.
	ByMail bool
	// SignUp is set if people may open an organisation for tests.
	SignUp bool
	Refusal
	PasskeyForm
}

func (SignInPage) head(t *Texts) (template, title string) { return "sign-in", t.SignIn.Title }

// CodePage asks for the second factor: a code, a passkey, or either.
type CodePage struct {
	Code bool
	Refusal
	PasskeyForm
}

func (p CodePage) head(t *Texts) (template, title string) {
	if title = t.SignIn.CodeTitle; !p.Code {
		title = t.Passkeys.Use
	}
	return "code", title
}

// ConfirmPage asks the signed-in user for the password again.
type ConfirmPage struct {
	Email  string
	Factor bool // a code is asked for as well
	// Passkey is set if only a passkey is asked for: the password is not enough, and there are no codes.
	Passkey bool
	Next    string
	Refusal
	PasskeyForm
}

func (ConfirmPage) head(t *Texts) (template, title string) { return "confirm", t.SignIn.ConfirmTitle }
