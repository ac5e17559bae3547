package dashboard

import (
	"errors"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	post("/sign-in/passkey/challenge", anyone, (*Dashboard).signInChallenge),
	post("/sign-in/passkey", anyone, (*Dashboard).signInWithPasskey),
	post("/code/passkey/challenge", anyone, (*Dashboard).codeChallenge),
	post("/code/passkey", anyone, (*Dashboard).passkeyAsCode),
	post("/confirm/passkey/challenge", anyUser, (*Dashboard).confirmChallenge),
	post("/confirm/passkey", anyUser, (*Dashboard).confirmWithPasskey),
	get("/account/passkeys", anyUser, loaded(view.SectionAccount, (*Dashboard).passkeys)).fresh(),
	post("/account/passkeys/challenge", anyUser, (*Dashboard).newPasskeyChallenge).fresh(),
	post("/account/passkeys", anyUser, (*Dashboard).addPasskey).fresh(),
	post("/account/passkeys/require", anyUser, (*Dashboard).requirePasskey).fresh(),
	post("/account/passkeys/{passkey}/remove", anyUser, (*Dashboard).removePasskey).fresh(),
	post("/people/{user}/passkeys/remove", member(accounts.ManagePeople), (*Dashboard).resetPasskeys).fresh(),
)

const passkeysPath = accountPath + "/passkeys"

func (d *Dashboard) passkeys(req *request) (view.PasskeysPage, error) {
	req.useLastOrganization()
	p := view.PasskeysPage{
		PasskeyForm: d.passkeyForm(passkeysPath, ""),
		Asks:        req.user.AsksPasskey,
		Factor:      req.user.SecondFactor,
		Agent:       req.r.UserAgent(),
	}
	if p.PasskeyPath == "" {
		return p, people.ErrNoPasskeys
	}
	var err error
	p.Passkeys, err = d.config.People.Passkeys(req.ctx, req.by)
	p.Full = len(p.Passkeys) >= people.MaxPasskeys
	return p, err
}

func (d *Dashboard) newPasskeyChallenge(req *request) error {
	return req.challenge(d.config.People.BeginPasskey(req.ctx, req.by))
}

func (d *Dashboard) addPasskey(req *request) error {
	name := req.field("name")
	err := d.config.People.AddPasskey(req.ctx, req.by, req.takeTicket(), name, req.secretField("credential"))
	if err == nil {
		return req.done(passkeysPath, "passkey-added")
	}
	p, failed := d.passkeys(req)
	if failed != nil {
		return failed
	}
	p.Name = name
	switch {
	case errors.Is(err, accounts.ErrInvalid):
		p.FormErrors = view.BadPasskeyName
	case errors.Is(err, people.ErrPasskeyExists):
		p.FormErrors = view.KnownPasskey
	case errors.Is(err, people.ErrTooManyPasskeys):
		p.FormErrors = view.TooManyPasskeys
	default:
		p.Refusal = d.passkeyRefusal(req, err)
	}
	return req.correct(view.SectionAccount, p, err)
}

func (d *Dashboard) requirePasskey(req *request) error {
	ask := req.field("ask") == "yes"
	notice := "passkey-unrequired"
	if ask {
		notice = "passkey-required"
	}
	err := d.config.People.AskForPasskey(req.ctx, req.by, ask)
	if errors.Is(err, people.ErrNoPasskey) { // the last was removed meanwhile
		return req.redirect(passkeysPath)
	}
	return req.doneUnless(err, passkeysPath, notice)
}

func (d *Dashboard) removePasskey(req *request) error {
	id, err := uuid.Parse(req.variable("passkey"))
	if err != nil {
		return errNoPage
	}
	return req.doneUnless(d.config.People.RemovePasskey(req.ctx, req.by, id), passkeysPath, "passkey-removed")
}

// resetPasskeys removes the passkeys of a member who has lost their devices.
func (d *Dashboard) resetPasskeys(req *request) error {
	person, err := d.member(req)
	if err != nil {
		return err
	}
	err = d.config.People.ResetMemberPasskeys(req.ctx, req.by, req.organization.ID, person.Member.ID)
	switch {
	case errors.Is(err, people.ErrSharedAccount):
		person.FormErrors = view.SharedAccount
		return req.show(view.SectionPeople, person)
	case errors.Is(err, people.ErrNoPasskey): // it was done already
		return req.redirect(req.in("people/" + person.Member.ID.String()))
	}
	return req.doneUnless(err, req.in("people"), "passkeys-reset")
}
