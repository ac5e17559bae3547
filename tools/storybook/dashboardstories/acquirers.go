package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/registry"
)

// providers are all acquirers. The stories call none of them.
func providers() map[string]acquirer.Provider {
	all := map[string]acquirer.Provider{}
	for _, d := range registry.WithAccounts() {
		p, err := d.Open(acquirer.Addresses{d.Variables[0].Name: "https://acquirer.example"})
		must(err)
		all[d.Name] = p
	}
	return all
}

func must(err error) {
	if err != nil {
		panic("dashboardstories: " + err.Error())
	}
}

// acquirerAccounts are those of a shop: one with limits, and one that is off.
func acquirerAccounts(of accounts.Application) (several, off settings.AcquirerAccount) {
	several = settings.AcquirerAccount{
		Application: of.ID, Acquirer: "plutu", Methods: []string{"adfali", "cards", "sadad"}, Enabled: true,
		Limits: map[string]settings.AmountLimits{
			"adfali": {Min: 5_000, Max: 1_500_250},
			"cards":  {Max: 20_000_000},
		},
		ChangedAt: now.Add(-26 * time.Hour),
	}
	off = settings.AcquirerAccount{
		Application: of.ID, Acquirer: "moamalat", Methods: []string{"moamalat"},
		ChangedAt: now.Add(-40 * 24 * time.Hour),
	}
	return several, off
}

// acquirerStories are the pages about accounts with acquirers.
func acquirerStories() []Story {
	shop, _, _ := credentials()
	known := providers()
	several, off := acquirerAccounts(shop.Application)
	notifyURL := func(name string) string {
		return "https://pay.example.ly/acquirers/" + name + "/" + shop.ID.String() + "/notifications"
	}
	list := view.AcquirersPage{
		Application: shop.Application,
		Accounts:    view.AcquirerCards([]settings.AcquirerAccount{several, off}, notifyURL),
		Others:      []string{"lypay"},
	}
	at := func(a settings.AcquirerAccount) view.AcquirerPage {
		return view.AcquirerPage{
			Application: shop.Application, Account: a, NotifyURL: notifyURL(a.Acquirer),
			Methods: view.MethodRows(a, known[a.Acquirer]),
		}
	}
	checked := func(found string) page {
		p := at(several)
		p.Checked = found
		return inside(view.SectionApplications, p)
	}
	tooOften := at(several)
	tooOften.Retry = view.Retry{After: 4 * time.Minute, At: now.Add(4 * time.Minute)}
	wrong := at(several)
	wrong.Methods[0].Form = view.LimitForm{Method: "adfali", Min: "5", Max: "4.999"}
	can, _ := acquirer.CapabilityOf(known["plutu"], plutu.Adfali)
	_, wrong.FormErrors = wrong.Methods[0].Form.Read(can)
	apart := at(settings.AcquirerAccount{
		Application: shop.ID, Acquirer: "lypay", Methods: []string{"lypay"}, Enabled: true, ChangedAt: now,
	})
	apart.Methods = nil
	untested := inside(view.SectionApplications,
		view.AcquirersPage{Application: shop.Application, Others: []string{"plutu", "moamalat", "lypay"}})
	untested.Sandbox = false
	trials := shop.Application
	trials.Mode = domain.ModeTest
	refused := credentialsForm(shop.Application, known["plutu"], false)
	refused.FormErrors = append(refused.WrongSetting("api_key", true),
		refused.WrongSetting("secret_key", false)...)
	for n := range refused.Methods {
		refused.Methods[n].Chosen = false
	}
	refused.FormErrors = append(refused.FormErrors, refused.NoMethod()...)
	withAccounts := view.ApplicationPage{
		Credentials: shop, NewName: shop.Name, Acquirers: []settings.AcquirerAccount{several, off},
	}
	return []Story{
		{"application-acquirers", inside(view.SectionApplications, withAccounts)},
		{"acquirers", inside(view.SectionApplications, list)},
		{"acquirers-none", untested},
		{"acquirers-test", inside(view.SectionApplications, view.AcquirersPage{Application: trials}).inTest()},
		{"acquirers-none-sandbox", inside(view.SectionApplications,
			view.AcquirersPage{Application: shop.Application, Others: []string{"plutu"}})},
		{
			"acquirers-none-connected",
			inside(view.SectionApplications, view.AcquirersPage{Application: shop.Application}),
		},
		{"acquirer-plutu", inside(view.SectionApplications, at(several)).seenBy(developerIdentity)},
		{"acquirer-saved", inside(view.SectionApplications, at(several)).after("acquirer-set")},
		{"acquirer-off", inside(view.SectionApplications, at(off))},
		{"acquirer-accepted", checked(view.CheckAccepted)},
		{"acquirer-refused", checked(view.CheckRefused)},
		{"acquirer-unprovable", checked(view.CheckUnprovable)},
		{"acquirer-unreachable", checked(view.CheckUnreachable)},
		{"acquirer-too-often", inside(view.SectionApplications, tooOften)},
		{"acquirer-limits-wrong", inside(view.SectionApplications, wrong)},
		{"acquirer-not-connected", inside(view.SectionApplications, apart)},
		{"acquirer-credentials", inside(view.SectionApplications,
			credentialsForm(shop.Application, known["plutu"], false))},
		{"acquirer-credentials-wrong", inside(view.SectionApplications, refused)},
		{
			"acquirer-credentials-replace",
			inside(view.SectionApplications, credentialsForm(shop.Application, known["moamalat"], true)),
		},
		{
			"acquirer-credentials-lypay",
			inside(view.SectionApplications, credentialsForm(shop.Application, known["lypay"], false)),
		},
	}
}

// credentialsForm is the empty form of an account's credentials.
func credentialsForm(of accounts.Application, with acquirer.Provider, replaces bool) view.AcquirerForm {
	form := view.AcquirerForm{Application: of, Acquirer: with.Name(), Replaces: replaces}
	described, _ := registry.Named(with.Name())
	for _, s := range described.Settings {
		form.Fields = append(form.Fields, view.SettingField{Setting: s})
	}
	if methods := with.Capabilities(); len(methods) > 1 && !replaces {
		for _, can := range methods {
			form.Methods = append(form.Methods, view.MethodChoice{Method: string(can.Method), Chosen: true})
		}
	}
	return form
}
