package view

import (
	"time"

	"daftar/internal/web"
)

// refused is why a sign-in was refused.
type refused uint8

// The reasons.
const (
	notRefused refused = iota
	RefusedPassword
	RefusedCode
	RefusedNow // too many attempts
)

// Retry is when the next attempt is allowed, after too many.
type Retry struct {
	After time.Duration // whole seconds or more
	At    time.Time
}

// Wait is the time until then in words.
func (r Retry) Wait(l web.Lang) string { return waitText(l, r.After) }

// Clock is the time of day in Tripoli.
func (r Retry) Clock() string { return web.Clock(r.At) }

// SignInPage asks for the email address and the password.
type SignInPage struct {
	Email   string // as it was typed
	Next    string // a path of ours; empty: the start
	Refused refused
	Retry   Retry // with RefusedNow
}

func (SignInPage) template() string { return "sign-in" }

func (SignInPage) title(t *Texts) string { return t.SignIn.Title }

// Problems implements correctable. An unknown address gets the same words.
func (s SignInPage) Problems(t *Texts) []problem { return refusalProblems(t, s.Refused, "email") }

func refusalProblems(t *Texts, r refused, field string) []problem {
	switch r {
	case notRefused, RefusedNow:
		return nil
	case RefusedPassword:
		return []problem{{field, t.SignIn.WrongPassword}}
	case RefusedCode:
		return []problem{{field, t.SignIn.WrongCode}}
	}
	panic("view: unknown refusal")
}

// CodePage asks for the second factor.
type CodePage struct {
	Refused refused
	Retry   Retry
}

func (CodePage) template() string { return "code" }

func (CodePage) title(t *Texts) string { return t.SignIn.CodeTitle }

// Problems implements correctable.
func (c CodePage) Problems(t *Texts) []problem { return refusalProblems(t, c.Refused, "code") }

// ConfirmPage asks the user who is signed in for the password again.
type ConfirmPage struct {
	Email   string
	Factor  bool // a code is asked for as well
	Next    string
	Refused refused
	Retry   Retry
}

func (ConfirmPage) template() string { return "confirm" }

func (ConfirmPage) title(t *Texts) string { return t.SignIn.ConfirmTitle }

// Problems implements correctable.
func (c ConfirmPage) Problems(t *Texts) []problem {
	if c.Refused == RefusedCode {
		return []problem{{"code", t.SignIn.WrongCode}}
	}
	if c.Refused == RefusedPassword {
		return []problem{{"password", t.SignIn.WrongOwnPassword}}
	}
	return nil
}
