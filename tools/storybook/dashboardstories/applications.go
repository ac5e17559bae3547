package dashboardstories

import (
	"strings"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/webhooks"
)

// applicationStories are the pages about applications and access tokens.
func applicationStories() []Story {
	shop, market, still := credentials()
	answered, broken := 204, 503
	works := webhooks.Endpoint{
		URL: shop.WebhookURL, Last: &webhooks.Try{Attempt: 1, At: now.Add(-7 * time.Minute), Status: &answered},
		LastSuccess: new(now.Add(-7 * time.Minute)),
	}
	since := now.Add(-6 * 24 * time.Hour)
	stopped := webhooks.Endpoint{
		URL: market.WebhookURL, Failures: 34, FailingSince: &since, DisabledAt: &now,
		Last: &webhooks.Try{Attempt: 10, At: now.Add(-time.Hour), Status: &broken, Error: "status"},
	}
	of := func(c accounts.Credentials, e webhooks.Endpoint) view.ApplicationPage {
		p := view.ApplicationPage{Credentials: c, Endpoint: e, NewName: c.Name}
		if c.WebhookURL != nil {
			p.NewURL = *c.WebhookURL
		}
		return p
	}
	with := func(change func(*view.ApplicationPage)) view.ApplicationPage {
		p := of(shop, works)
		change(&p)
		return p
	}
	test := webhooks.DeliveryID(fixedUUID(40))
	key := "pk_" + strings.Repeat("3f9c0d7ab1e2468f", 4)
	secret := "whsec_ZGFmdGFyLWd1aWRlLW5vLXNlY3JldCEh"
	halted := still
	trials := still
	trials.Name, trials.Mode, trials.Active = "المتجر الجديد، تجارب", domain.ModeTest, true
	halted.CheckoutsStoppedAt = &now
	return []Story{
		{"applications", inside(view.SectionApplications, view.ApplicationList{
			Applications: []accounts.Credentials{shop, market, still},
			Endpoints:    map[domain.ApplicationID]webhooks.Endpoint{shop.ID: works, market.ID: stopped},
		})},
		{"applications-none", inside(view.SectionApplications, view.ApplicationList{}).seenBy(developerIdentity)},
		{"applications-test", inside(view.SectionApplications, view.ApplicationList{
			Applications: []accounts.Credentials{trials},
		}).inTest()},
		{"application-new", inside(view.SectionApplications, view.ApplicationForm{Mode: domain.ModeLive})},
		{
			"application-new-for-tests",
			inside(view.SectionApplications, view.ApplicationForm{Mode: domain.ModeTest}).testOnly(),
		},
		{
			"application-new-wrong",
			inside(view.SectionApplications, view.ApplicationForm{URL: "http://10.0.0.7/hook", FormErrors: append(
				append(view.FormError("name", func(t *view.Texts) string { return t.Applications.NameMissing }),
					view.FormError("mode", func(t *view.Texts) string { return t.Applications.ModeBad })...),
				view.FormError("webhook_url", func(t *view.Texts) string { return t.Applications.URLBad })...,
			)}),
		},
		{"application-created", inside(view.SectionApplications,
			view.NewSecrets{Application: shop.Application, Key: key, Secret: secret})},
		{"application", inside(view.SectionApplications, of(shop, works)).seenBy(developerIdentity)},
		{"application-stopped", inside(view.SectionApplications, of(market, stopped))},
		{"application-inactive", inside(view.SectionApplications, of(still, webhooks.Endpoint{}))},
		{"application-checkouts-stopped", inside(view.SectionApplications, of(halted, webhooks.Endpoint{}))},
		{"application-test-arrived", inside(view.SectionApplications, with(func(p *view.ApplicationPage) {
			p.Test = &view.TestResult{ID: test, Last: p.Endpoint.Last}
		})).after("webhook-tested")},
		{"application-test-failed", inside(view.SectionApplications, with(func(p *view.ApplicationPage) {
			p.Test = &view.TestResult{ID: test, Last: &webhooks.Try{Attempt: 1, At: now, Error: "tls"}}
		}))},
		{"application-test-pending", inside(view.SectionApplications, with(func(p *view.ApplicationPage) {
			p.Test = &view.TestResult{ID: test}
		}))},
		{"application-wrong", inside(view.SectionApplications, with(func(p *view.ApplicationPage) {
			p.NewURL = "https://shop.example:8080/hook"
			p.FormErrors = view.FormError("webhook_url", func(t *view.Texts) string { return t.Applications.URLBad })
		}))},
		{"key-rolled", inside(view.SectionApplications, view.NewSecrets{Application: shop.Application, Key: key})},
		{
			"webhook-secret-rolled",
			inside(view.SectionApplications, view.NewSecrets{Application: shop.Application, Secret: secret}),
		},
	}
}

// credentials are three applications: one that works, one whose webhooks have
// stopped, and one that is inactive.
func credentials() (shop, market, still accounts.Credentials) {
	hook, other := "https://maydan.example/daftar/webhooks",
		"https://market.example/hooks/payments?source=daftar"
	used := now.Add(-4 * time.Minute)
	made := now.Add(-200 * 24 * time.Hour)
	shop = accounts.Credentials{
		Application: accounts.Application{
			ID: domain.ApplicationID(fixedUUID(21)), Organization: organization.ID, Name: "مقهى الميدان", Active: true,
			Mode: domain.ModeLive, WebhookURL: &hook, CreatedAt: made,
		},
		KeyEnding: "468f", KeyRolledAt: made, KeyLastUsedAt: &used, KeyLastUsedFrom: "41.252.10.7",
		SecretRolledAt: made,
	}
	market = shop
	market.ID, market.Name, market.WebhookURL = domain.ApplicationID(fixedUUID(22)),
		"Maydan Market & Bakery", &other
	market.KeyEnding, market.KeyLastUsedFrom = "9b01", "2c0f:f5c0:600::17"
	still = shop
	still.ID, still.Name, still.WebhookURL, still.Active = domain.ApplicationID(fixedUUID(23)),
		"المتجر القديم", nil, false
	still.KeyEnding, still.KeyLastUsedAt, still.KeyLastUsedFrom = "77c2", nil, ""
	return shop, market, still
}
