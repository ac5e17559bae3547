package dashboard

import (
	"slices"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
)

// firstSteps are the first steps of a new organisation that the user has the rights for; nil if none.
func (d *Dashboard) firstSteps(
	req *request, all []accounts.Application, hasPayment bool,
) (view.Steps, error) {
	if !req.role.Allows(accounts.ChangeCredentials) {
		return nil, nil
	}
	at := slices.IndexFunc(all, func(a accounts.Application) bool { return a.Active })
	steps := view.Steps{{Name: view.StepApplication, Done: at >= 0, Path: "applications/new"}}
	in := func(string) string { return "" } // a path below an application, once there is one
	if at >= 0 {
		in = func(path string) string { return "applications/" + all[at].ID.String() + path }
	}
	connected, branded, err := d.prepared(req, all)
	if err != nil {
		return nil, err
	}
	// Where no real money moves, nobody needs an account.
	if len(d.config.Providers) > 0 && !req.sandbox() {
		steps = append(steps, view.Step{Name: view.StepAcquirer, Done: connected, Path: in("/acquirers")})
	}
	steps = append(steps, view.Step{Name: view.StepBrand, Done: branded, Path: in("/brand")})
	if req.role.Allows(accounts.ManagePeople) {
		people, err := d.people(req)
		if err != nil {
			return nil, err
		}
		steps = append(steps, view.Step{
			Name: view.StepInvitation,
			Done: len(people.Members)+len(people.Invitations) > 1,
			Path: "people/invite",
		})
	}
	link := view.Step{Name: view.StepLink, Done: hasPayment}
	if at >= 0 {
		link.Path = "links/new"
	}
	return append(steps, link), nil
}

// prepared reports whether one of the applications has an enabled account with an acquirer, and
// whether one has a brand.
func (d *Dashboard) prepared(req *request, all []accounts.Application) (connected, branded bool, err error) {
	for _, a := range all {
		with, err := d.config.Settings.AcquirerAccounts(req.ctx, a.ID)
		if err != nil {
			return false, false, err
		}
		connected = connected || slices.ContainsFunc(with, func(a settings.AcquirerAccount) bool {
			return a.Enabled
		})
		shop, err := d.config.Settings.Shop(req.ctx, a.ID)
		if err != nil {
			return false, false, err
		}
		branded = branded || !shop.Brand.Changed.IsZero()
	}
	return connected, branded, nil
}
