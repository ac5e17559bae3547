package view

import (
	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/webhooks"
)

// ApplicationPage is everything about one application.
type ApplicationPage struct {
	FormErrors
	accounts.Credentials
	Endpoint webhooks.Endpoint
	// Acquirers are its accounts with acquirers, in their order.
	Acquirers []settings.AcquirerAccount
	// Test is a test webhook that was sent just now; nil: none was.
	Test *TestResult
	// NewName and NewURL are what was typed, if it has to be corrected.
	NewName, NewURL string
	// KeySince and SecretSince are the exact creation times of the current key and secret: a
	// form that was opened before then changes nothing.
	KeySince, SecretSince string
}

func (p ApplicationPage) head(*Texts) (template, title string) { return "application", p.Name }

// TestResult is the delivery of a test webhook.
type TestResult struct {
	ID   webhooks.DeliveryID
	Last *webhooks.Try // nil before the first
}

// NewSecrets is the answer that shows an application's secrets, once: both of a new
// application, or the one that was rolled.
type NewSecrets struct {
	accounts.Application
	Key, Secret string // empty: not made
}

func (s NewSecrets) head(t *Texts) (template, title string) {
	switch {
	case s.Created():
		title = t.Applications.Created
	case s.Key != "":
		title = t.Applications.KeyRolled
	default:
		title = t.Applications.SecretRolled
	}
	return "application-secrets", title
}

// Created reports whether the application is new.
func (s NewSecrets) Created() bool { return s.Key != "" && s.Secret != "" }
