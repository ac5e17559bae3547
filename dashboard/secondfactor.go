package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"daftar/accounts/people"
	"daftar/dashboard/view"
)

func (d *Dashboard) secondFactorPage(req *request) error {
	req.useLastOrganization()
	return req.show(view.SectionAccount, view.SecondFactorPage{
		On:      req.user.SecondFactor,
		Codes:   req.user.RecoveryCodes,
		Passkey: req.user.AsksPasskey,
	})
}

func (d *Dashboard) beginSecondFactor(req *request) error {
	req.useLastOrganization()
	uri, err := d.config.People.BeginSecondFactor(req.ctx, req.by)
	if err != nil {
		return err
	}
	return req.show(view.SectionAccount, view.EnrolPage{URI: uri, Replace: req.user.SecondFactor})
}

// The form repeats the URI that the app has scanned, so that the page can show it again
// after a wrong code. It is only shown: the secret that counts is in the database.
func (d *Dashboard) confirmSecondFactor(req *request) error {
	req.useLastOrganization()
	codes, err := d.config.People.ConfirmSecondFactor(req.ctx, req.by, typedCode(req))
	form := view.EnrolPage{URI: req.field("uri"), Replace: req.user.SecondFactor}
	form.Refusal = d.refusal(req, err, nil)
	isURI := strings.HasPrefix(form.URI, "otpauth://totp/") && len(form.URI) <= maxURI
	switch {
	case errors.Is(err, people.ErrNoSecondFactor): // sent twice, or begun again in another tab
		return req.redirect(secondFactorPath)
	case statusOf(form) != http.StatusOK && !isURI:
		return req.redirect(secondFactorPath)
	case err != nil:
		return req.correct(view.SectionAccount, form, err)
	}
	return req.show(view.SectionAccount, view.RecoveryCodesPage{Codes: codes, Enrolled: true})
}

// maxURI is longer than any of ours, and fits a QR code.
const maxURI = 600

func (d *Dashboard) newRecoveryCodes(req *request) error {
	req.useLastOrganization()
	codes, err := d.config.People.NewRecoveryCodes(req.ctx, req.by)
	if errors.Is(err, people.ErrNoSecondFactor) {
		return req.redirect(secondFactorPath)
	}
	if err != nil {
		return err
	}
	return req.show(view.SectionAccount, view.RecoveryCodesPage{Codes: codes})
}

func (d *Dashboard) disableSecondFactor(req *request) error {
	err := d.config.People.DisableSecondFactor(req.ctx, req.by)
	if err != nil && !errors.Is(err, people.ErrNoSecondFactor) {
		return err
	}
	if req.user.AsksPasskey {
		return req.done(accountPath, "codes-off-passkey-on")
	}
	return req.done(accountPath, "second-factor-off")
}
