package view

import (
	"daftar/accounts"
	"daftar/webhooks"
)

// ApplicationPage is everything about one application.
type ApplicationPage struct {
	FormErrors
	accounts.Credentials
	Endpoint webhooks.Endpoint
	// Test is a test webhook that was sent just now; nil: none was.
	Test *TestResult
	// NewName and NewURL are what was typed, where it has to be corrected.
	NewName, NewURL string
	// KeySince and SecretSince are when the current key and secret were created, to
	// the last digit: a form that was opened before then changes nothing.
	KeySince, SecretSince string
}

func (ApplicationPage) template() string { return "application" }

func (p ApplicationPage) title(*Texts) string { return p.Name }

// TestResult is the delivery of a test webhook.
type TestResult struct {
	ID    webhooks.DeliveryID
	State string
	Last  *webhooks.Try // nil before the first
}

// Pending says that its first try is still to come.
func (r TestResult) Pending() bool { return r.Last == nil }

// Arrived says that the endpoint took it.
func (r TestResult) Arrived() bool { return r.Last != nil && r.Last.Error == "" }

// secretsReason is why there are secrets to show.
type secretsReason uint8

// The reasons why secrets are shown.
const (
	CreatedApplication secretsReason = iota
	RolledKey
	RolledSecret
)

// NewSecrets is the answer that shows an application's secrets, once.
type NewSecrets struct {
	accounts.Application
	Key, Secret string // empty: not made
	What        secretsReason
}

func (NewSecrets) template() string { return "application-secrets" }

func (s NewSecrets) title(t *Texts) string {
	switch s.What {
	case CreatedApplication:
		return t.Applications.Created
	case RolledKey:
		return t.Applications.KeyRolled
	case RolledSecret:
		return t.Applications.SecretRolled
	}
	panic("view: unknown reason for secrets")
}

// Created says that the application is new.
func (s NewSecrets) Created() bool { return s.What == CreatedApplication }
