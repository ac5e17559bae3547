package dashboard

import (
	"errors"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

func (d *Dashboard) secondFactorPage(v *visit) error {
	v.enterLast()
	return v.show(view.SectionAccount, view.SecondFactorPage{On: v.user.SecondFactor, Codes: v.user.RecoveryCodes})
}

func (d *Dashboard) beginSecondFactor(v *visit) error {
	v.enterLast()
	e, err := d.config.Accounts.BeginSecondFactor(v.ctx, v.by)
	if err != nil {
		return err
	}
	return v.show(view.SectionAccount, view.EnrolPage{URI: e.URI, Replace: v.user.SecondFactor})
}

// The form carries what the app has scanned, so that the page can show it again
// after a wrong code. It is only shown: what counts is what the database has.
func (d *Dashboard) confirmSecondFactor(v *visit) error {
	v.enterLast()
	codes, err := d.config.Accounts.ConfirmSecondFactor(v.ctx, v.by, typedCode(v))
	switch uri := v.field("uri"); {
	case errors.Is(err, accounts.ErrNoSecondFactor): // sent twice, or begun anew in another tab
		return v.redirect(secondFactorPath)
	case errors.Is(err, accounts.ErrBadCode) && (!strings.HasPrefix(uri, "otpauth://totp/") || len(uri) > maxURI):
		return v.redirect(secondFactorPath)
	case errors.Is(err, accounts.ErrBadCode):
		return v.showInvalid(view.SectionAccount, view.EnrolPage{URI: uri, Replace: v.user.SecondFactor, Refused: view.RefusedCode})
	case err != nil:
		return err
	}
	return v.show(view.SectionAccount, view.RecoveryCodesPage{Codes: codes, Enrolled: true})
}

// maxURI is longer than any of ours, and fits a QR code.
const maxURI = 600

func (d *Dashboard) newRecoveryCodes(v *visit) error {
	v.enterLast()
	codes, err := d.config.Accounts.NewRecoveryCodes(v.ctx, v.by)
	if errors.Is(err, accounts.ErrNoSecondFactor) {
		return v.redirect(secondFactorPath)
	}
	if err != nil {
		return err
	}
	return v.show(view.SectionAccount, view.RecoveryCodesPage{Codes: codes})
}

func (d *Dashboard) disableSecondFactor(v *visit) error {
	err := d.config.Accounts.DisableSecondFactor(v.ctx, v.by)
	if err != nil && !errors.Is(err, accounts.ErrNoSecondFactor) {
		return err
	}
	return v.done(accountPath, "second-factor-off")
}
