package dashboard

import (
	"errors"

	"daftar/dashboard/view"
	"daftar/internal/web"
	"daftar/payments/acquirer"
)

// checkAcquirer asks the acquirer whether it accepts the credentials. This may take longer than
// an ordinary page.
func (d *Dashboard) checkAcquirer(req *request) error {
	known, err := d.provider(req)
	if err != nil {
		return err
	}
	_, account, err := d.acquirerAccount(req)
	if err != nil {
		return err
	}
	settings, err := d.config.Settings.AcquirerSettings(account)
	if err != nil {
		return err
	}
	opened, err := known.Open(settings)
	if err != nil {
		return err
	}
	err = d.config.Settings.BeginCheck(req.ctx, req.by, req.organization.ID, req.application, account.Acquirer)
	if err != nil {
		return d.answerCheckRefused(req, err)
	}
	ctx, cancel := req.takeLonger(checkLimit)
	defer cancel()
	err = opened.Check(ctx, acquirer.MethodsNamed(account.Methods))
	found := checkResult(err)
	if found == view.CheckUnreachable {
		d.config.Log.Warn().Err(err).Str("request_id", web.RequestID(req.r.Context())).
			Str("application", account.Application.String()).Str("acquirer", account.Acquirer).
			Msg("account with an acquirer not checked")
	}
	return req.redirect(req.acquirerPath() + "?" + checkParameter + "=" + found)
}

// answerCheckRefused shows the account with the time of the next allowed check.
func (d *Dashboard) answerCheckRefused(req *request, err error) error {
	p, failed := d.acquirerPage(req)
	if failed != nil {
		return failed
	}
	p.Refusal = d.refusal(req, err, nil)
	return req.correct(view.SectionApplications, p, err)
}

// checkResult turns the error of a check into one of the Check constants.
func checkResult(err error) string {
	switch {
	case err == nil:
		return view.CheckAccepted
	case errors.Is(err, acquirer.ErrAccount):
		return view.CheckRefused
	case errors.Is(err, acquirer.ErrUnprovable):
		return view.CheckUnprovable
	}
	return view.CheckUnreachable
}
