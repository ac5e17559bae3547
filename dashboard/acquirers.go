package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

const inAcquirers = "/applications/{application}/acquirers"

var _ = declare(
	get(inAcquirers, member(accounts.SeeCredentials), loaded(view.SectionApplications, (*Dashboard).acquirers)),
	post(inAcquirers+"/order", member(accounts.ChangeCredentials), (*Dashboard).orderAcquirers).fresh(),
	get(inAcquirers+"/{acquirer}", member(accounts.SeeCredentials),
		loaded(view.SectionApplications, (*Dashboard).showAcquirer)),
	get(inAcquirers+"/{acquirer}/credentials", member(accounts.ChangeCredentials),
		loaded(view.SectionApplications, (*Dashboard).acquirerForm)).fresh(),
	post(inAcquirers+"/{acquirer}/credentials", member(accounts.ChangeCredentials),
		(*Dashboard).setAcquirer).fresh(),
	post(inAcquirers+"/{acquirer}/methods", member(accounts.ChangeCredentials),
		(*Dashboard).offerMethods).fresh(),
	post(inAcquirers+"/{acquirer}/limits", member(accounts.ChangeCredentials),
		(*Dashboard).limitMethod).fresh(),
	post(inAcquirers+"/{acquirer}/enable", member(accounts.ChangeCredentials),
		enableAcquirer(true, "acquirer-enabled")).fresh(),
	post(inAcquirers+"/{acquirer}/disable", member(accounts.ChangeCredentials),
		enableAcquirer(false, "acquirer-disabled")).fresh(),
	post(inAcquirers+"/{acquirer}/check", member(accounts.ChangeCredentials),
		(*Dashboard).checkAcquirer).fresh(),
	post(inAcquirers+"/{acquirer}/remove", member(accounts.ChangeCredentials),
		(*Dashboard).removeAcquirer).fresh(),
)

const (
	// checkParameter has the result of a check.
	checkParameter = "checked"
	// checkLimit is the time that an acquirer has to check the credentials.
	checkLimit = 30 * time.Second
)

func (req *request) acquirersPath() string { return req.applicationPath() + "/acquirers" }

func (req *request) acquirerPath() string {
	return req.acquirersPath() + "/" + url.PathEscape(req.variable("acquirer"))
}

// acquirerAccounts returns the application of the path, which belongs to the organisation, and its
// accounts with acquirers.
func (d *Dashboard) acquirerAccounts(req *request) (accounts.Application, []settings.AcquirerAccount, error) {
	c, err := d.credentials(req)
	if err != nil {
		return accounts.Application{}, nil, err
	}
	all, err := d.config.Settings.AcquirerAccounts(req.ctx, c.ID)
	return c.Application, all, err
}

// acquirerAccount is the account of the path.
func (d *Dashboard) acquirerAccount(req *request) (accounts.Application, settings.AcquirerAccount, error) {
	app, all, err := d.acquirerAccounts(req)
	if err != nil {
		return app, settings.AcquirerAccount{}, err
	}
	n := indexOfAcquirer(all, req.variable("acquirer"))
	if n < 0 {
		return app, settings.AcquirerAccount{}, errNoPage
	}
	return app, all[n], nil
}

func indexOfAcquirer(all []settings.AcquirerAccount, acquirer string) int {
	return slices.IndexFunc(all, func(a settings.AcquirerAccount) bool { return a.Acquirer == acquirer })
}

// provider is the acquirer of the path; errNoPage where this server is not connected with it.
func (d *Dashboard) provider(req *request) (acquirer.Provider, error) {
	n := slices.IndexFunc(d.config.Providers, func(p acquirer.Provider) bool {
		return p.Name() == req.variable("acquirer")
	})
	if n < 0 {
		return nil, errNoPage
	}
	return d.config.Providers[n], nil
}

func (d *Dashboard) acquirers(req *request) (view.AcquirersPage, error) {
	app, all, err := d.acquirerAccounts(req)
	if err != nil {
		return view.AcquirersPage{}, err
	}
	notifyURL := func(acquirer string) string { return d.config.NotifyURL(acquirer, app.ID) }
	p := view.AcquirersPage{Application: app, Accounts: view.AcquirerCards(all, notifyURL)}
	if app.Mode == domain.ModeTest {
		return p, nil
	}
	for _, known := range d.config.Providers {
		if indexOfAcquirer(all, known.Name()) < 0 {
			p.Others = append(p.Others, known.Name())
		}
	}
	return p, nil
}

func (d *Dashboard) orderAcquirers(req *request) error {
	order := strings.Fields(req.field("order"))
	err := d.config.Settings.OrderAcquirers(req.ctx, req.by, req.organization.ID, req.application, order)
	if errors.Is(err, settings.ErrNoAcquirerAccount) {
		return req.done(req.acquirersPath(), "acquirers-changed")
	}
	return req.doneUnless(err, req.acquirersPath(), "acquirers-ordered")
}

func (d *Dashboard) showAcquirer(req *request) (view.AcquirerPage, error) {
	p, err := d.acquirerPage(req)
	p.Checked = req.r.URL.Query().Get(checkParameter)
	return p, err
}

func (d *Dashboard) acquirerPage(req *request) (view.AcquirerPage, error) {
	app, account, err := d.acquirerAccount(req)
	if err != nil {
		return view.AcquirerPage{}, err
	}
	p := view.AcquirerPage{
		Application: app,
		Account:     account,
		NotifyURL:   d.config.NotifyURL(account.Acquirer, app.ID),
	}
	if known, err := d.provider(req); err == nil {
		p.Methods = view.MethodRows(account, known)
	}
	return p, nil
}

// settingsOf are the settings that an account with the acquirer needs.
func settingsOf(name string) []acquirer.Setting {
	described, _ := registry.Named(name)
	return described.Settings
}

// acquirerForm is the form as it was sent, without its secrets, or a new one.
func (d *Dashboard) acquirerForm(req *request) (view.AcquirerForm, error) {
	known, err := d.provider(req)
	if err != nil {
		return view.AcquirerForm{}, err
	}
	app, all, err := d.acquirerAccounts(req)
	if err != nil {
		return view.AcquirerForm{}, err
	}
	if app.Mode == domain.ModeTest {
		return view.AcquirerForm{}, errNoPage
	}
	form := view.AcquirerForm{
		Application: app,
		Acquirer:    known.Name(),
		Replaces:    indexOfAcquirer(all, known.Name()) >= 0,
	}
	for _, s := range settingsOf(known.Name()) {
		field := view.SettingField{Setting: s}
		if !s.Secret {
			field.Value = req.field(s.Name)
		}
		form.Fields = append(form.Fields, field)
	}
	if methods := known.Capabilities(); len(methods) > 1 && !form.Replaces {
		for _, can := range methods {
			choice := view.MethodChoice{Method: string(can.Method)}
			choice.Chosen = req.r.Method != http.MethodPost || req.field(choice.Field()) != ""
			form.Methods = append(form.Methods, choice)
		}
	}
	return form, nil
}

// setAcquirer stores the credentials of a new account, or replaces those of an existing one. It
// does not call the acquirer: see checkAcquirer.
func (d *Dashboard) setAcquirer(req *request) error {
	form, err := d.acquirerForm(req)
	if err != nil {
		return err
	}
	known, err := d.provider(req)
	if err != nil {
		return err
	}
	settings, methods, wrong, err := readAcquirerForm(req, form, known)
	if err != nil {
		return err
	}
	if form.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionApplications, form)
	}
	if form.Replaces {
		err = d.config.Settings.ReplaceAcquirerSettings(req.ctx, req.by, req.organization.ID, req.application,
			known.Name(), settings)
	} else {
		err = d.config.Settings.SetAcquirer(req.ctx, req.by, req.organization.ID, req.application,
			known.Name(), settings, methods)
	}
	return req.doneUnless(err, req.acquirerPath(), "acquirer-set")
}

// readAcquirerForm reads the settings and the first methods, or what is wrong with them.
func readAcquirerForm(
	req *request, form view.AcquirerForm, known acquirer.Provider,
) (settings []byte, methods []string, wrong view.FormErrors, err error) {
	values := make(map[string]string)
	for _, s := range settingsOf(known.Name()) {
		values[s.Name] = req.field(s.Name)
		if values[s.Name] == "" && !s.Optional {
			wrong = append(wrong, form.WrongSetting(s.Name, true)...)
		}
	}
	for _, choice := range form.Methods {
		if choice.Chosen {
			methods = append(methods, choice.Method)
		}
	}
	if len(form.Methods) > 0 && len(methods) == 0 {
		wrong = append(wrong, form.NoMethod()...)
	}
	settings, err = acquirer.EncodeSettings(settingsOf(known.Name()), values)
	if err != nil || len(wrong) > 0 {
		return nil, nil, wrong, err
	}
	opened, err := known.Open(settings)
	if refused, is := errors.AsType[*acquirer.SettingsError](err); is {
		return nil, nil, form.WrongSetting(refused.Setting, values[refused.Setting] == ""), nil
	}
	if err == nil && len(form.Methods) == 0 {
		for _, can := range opened.Capabilities() {
			methods = append(methods, string(can.Method))
		}
	}
	return settings, methods, nil, err
}

// offerMethods sets the methods that the account offers, in the order of the form.
func (d *Dashboard) offerMethods(req *request) error {
	known, err := d.provider(req)
	if err != nil {
		return err
	}
	methods := strings.Fields(req.field("methods"))
	for n, m := range methods {
		if _, has := acquirer.CapabilityOf(known, acquirer.Method(m)); !has || slices.Contains(methods[:n], m) {
			return errNoPage // none of our forms sends this
		}
	}
	if len(methods) == 0 {
		return errNoPage
	}
	err = d.config.Settings.OfferMethods(req.ctx, req.by, req.organization.ID, req.application,
		known.Name(), methods)
	return req.doneUnless(err, req.acquirerPath(), "acquirer-methods")
}

func (d *Dashboard) limitMethod(req *request) error {
	known, err := d.provider(req)
	if err != nil {
		return err
	}
	form := view.LimitForm{Method: req.field("method"), Min: req.field("min"), Max: req.field("max")}
	can, has := acquirer.CapabilityOf(known, acquirer.Method(form.Method))
	if !has {
		return errNoPage
	}
	limits, wrong := form.Read(can)
	if len(wrong) > 0 {
		p, err := d.acquirerPage(req)
		if err != nil {
			return err
		}
		for n := range p.Methods {
			if p.Methods[n].Method == form.Method {
				p.Methods[n].Form = form
			}
		}
		p.FormErrors = wrong
		return req.show(view.SectionApplications, p)
	}
	err = d.config.Settings.LimitMethod(req.ctx, req.by, req.organization.ID, req.application, known.Name(),
		form.Method, limits)
	return req.doneUnless(err, req.acquirerPath(), "acquirer-limits")
}

// enableAcquirer is the handler that switches an account on or off.
func enableAcquirer(enabled bool, notice string) handler {
	return func(d *Dashboard, req *request) error {
		err := d.config.Settings.EnableAcquirer(req.ctx, req.by, req.organization.ID, req.application,
			req.variable("acquirer"), enabled)
		return req.doneUnless(err, req.acquirerPath(), notice)
	}
}

func (d *Dashboard) removeAcquirer(req *request) error {
	err := d.config.Settings.RemoveAcquirer(req.ctx, req.by, req.organization.ID, req.application,
		req.variable("acquirer"))
	return req.doneUnless(err, req.acquirersPath(), "acquirer-removed")
}
