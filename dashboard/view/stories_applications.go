package view

import (
	"strings"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/webhooks"
)

// applicationStories are the pages about applications and access tokens.
func applicationStories() []story {
	shop, market, still := storyCredentials()
	answered, broken := 204, 503
	works := webhooks.Endpoint{
		URL: shop.WebhookURL, Last: &webhooks.Try{Attempt: 1, At: storyTime.Add(-7 * time.Minute), Status: &answered}, Delivered: true,
	}
	since := storyTime.Add(-6 * 24 * time.Hour)
	stopped := webhooks.Endpoint{
		URL: market.WebhookURL, Failures: 34, FailingSince: &since, DisabledAt: &storyTime,
		Last: &webhooks.Try{Attempt: 10, At: storyTime.Add(-time.Hour), Status: &broken, Error: "status"},
	}
	of := func(c accounts.Credentials, e webhooks.Endpoint) ApplicationPage {
		p := ApplicationPage{Credentials: c, Endpoint: e, NewName: c.Name}
		if c.WebhookURL != nil {
			p.NewURL = *c.WebhookURL
		}
		return p
	}
	with := func(change func(*ApplicationPage)) ApplicationPage {
		p := of(shop, works)
		change(&p)
		return p
	}
	test := webhooks.DeliveryID(storyUUID(40))
	key := "pk_" + strings.Repeat("3f9c0d7ab1e2468f", 4)
	secret := "whsec_ZGFmdGFyLWd1aWRlLW5vLXNlY3JldCEh"
	return []story{
		{"applications", inside(SectionApplications, ApplicationList{Cards: []ApplicationCard{{shop, works}, {market, stopped}, {still, webhooks.Endpoint{}}}})},
		{"applications-none", inside(SectionApplications, ApplicationList{}).seenBy(storyDeveloper)},
		{"application-new", inside(SectionApplications, ApplicationForm{})},
		{"application-new-wrong", inside(SectionApplications, ApplicationForm{URL: "http://10.0.0.7/hook", FormErrors: FormErrors{
			{"name", func(t *Texts) string { return t.Applications.NameMissing }},
			{"webhook_url", func(t *Texts) string { return t.Applications.URLNotHTTPS }},
		}})},
		{"application-created", inside(SectionApplications, NewSecrets{Application: shop.Application, Key: key, Secret: secret, What: CreatedApplication})},
		{"application", inside(SectionApplications, of(shop, works)).seenBy(storyDeveloper)},
		{"application-stopped", inside(SectionApplications, of(market, stopped))},
		{"application-inactive", inside(SectionApplications, of(still, webhooks.Endpoint{}))},
		{"application-test-arrived", inside(SectionApplications, with(func(p *ApplicationPage) {
			p.Test = &TestResult{ID: test, State: webhooks.StateDelivered, Last: p.Endpoint.Last}
		})).after("webhook-tested")},
		{"application-test-failed", inside(SectionApplications, with(func(p *ApplicationPage) {
			p.Test = &TestResult{ID: test, State: webhooks.StatePending, Last: &webhooks.Try{Attempt: 1, At: storyTime, Error: "tls"}}
		}))},
		{"application-test-pending", inside(SectionApplications, with(func(p *ApplicationPage) { p.Test = &TestResult{ID: test, State: webhooks.StatePending} }))},
		{"application-wrong", inside(SectionApplications, with(func(p *ApplicationPage) {
			p.NewURL = "https://shop.example:8080/hook"
			p.FormErrors = FormErrors{{"webhook_url", func(t *Texts) string { return t.Applications.URLPort }}}
		}))},
		{"key-rolled", inside(SectionApplications, NewSecrets{Application: shop.Application, Key: key, What: RolledKey})},
		{"webhook-secret-rolled", inside(SectionApplications, NewSecrets{Application: shop.Application, Secret: secret, What: RolledSecret})},
	}
}

// after is the page with the notice of what was just done.
func (p Page) after(notice string) Page {
	p.Notice = notice
	return p
}

func storyCredentials() (shop, market, still accounts.Credentials) {
	hook, other := "https://maydan.example/daftar/webhooks", "https://market.example/hooks/payments?source=daftar"
	used := storyTime.Add(-4 * time.Minute)
	made := storyTime.Add(-200 * 24 * time.Hour)
	shop = accounts.Credentials{
		Application: accounts.Application{
			ID: domain.ApplicationID(storyUUID(21)), Organization: storyOrganization.ID, Name: "مقهى الميدان", Active: true, WebhookURL: &hook, CreatedAt: made,
		},
		KeyEnding: "468f", KeyRolledAt: made, KeyLastUsedAt: &used, KeyLastUsedFrom: "41.252.10.7", SecretRolledAt: made,
	}
	market = shop
	market.ID, market.Name, market.WebhookURL = domain.ApplicationID(storyUUID(22)), "Maydan Market & Bakery", &other
	market.KeyEnding, market.KeyLastUsedFrom = "9b01", "2c0f:f5c0:600::17"
	still = shop
	still.ID, still.Name, still.WebhookURL, still.Active = domain.ApplicationID(storyUUID(23)), "المتجر القديم", nil, false
	still.KeyEnding, still.KeyLastUsedAt, still.KeyLastUsedFrom = "77c2", nil, ""
	return shop, market, still
}

func tokenStories() []story {
	used, ends, ended := storyTime.Add(-2*time.Minute), storyTime.Add(90*24*time.Hour), storyTime.Add(-24*time.Hour)
	made := storyTime.Add(-120 * 24 * time.Hour)
	token := func(n byte, name, ending string) accounts.Token {
		return accounts.Token{ID: accounts.TokenID(storyUUID(n)), Organization: storyOrganization.ID, Name: name, Ending: ending, CreatedAt: made}
	}
	inUse, fresh, expired, revoked := token(31, "خادم المتجر", "x7Qd"), token(32, "Staging server", "p0Lw"), token(33, "تجربة", "Zt4k"), token(34, "الخادم القديم", "mB2e")
	inUse.LastUsedAt, inUse.LastUsedFrom = &used, "41.252.10.7"
	fresh.ExpiresAt = &ends
	expired.ExpiresAt = &ended
	revoked.RevokedAt, revoked.LastUsedAt, revoked.LastUsedFrom = &ended, &ended, "102.69.1.20"
	return []story{
		{"tokens", inside(SectionTokens, TokenList{Tokens: []TokenRow{{inUse, false}, {fresh, false}, {expired, true}, {revoked, false}}})},
		{"tokens-none", inside(SectionTokens, TokenList{})},
		{"token-new", inside(SectionTokens, TokenForm{})},
		{"token-new-wrong", inside(SectionTokens, TokenForm{Name: "خادم المتجر", ExpiresAt: "2026-11-01T10:00", FormErrors: FormErrors{
			{"expires_at", func(t *Texts) string { return t.Tokens.ExpiryPast }},
		}})},
		{"token-created", inside(SectionTokens, NewTokenValue{Token: inUse, Value: "at_6hJ2kLq9WmXc4TzRb7NvPy3sDf8GaEuH"})},
	}
}
