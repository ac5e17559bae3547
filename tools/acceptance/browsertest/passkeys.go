package browsertest

import (
	"context"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// Authenticator is a virtual phone or security key with the visitor's passkeys. It answers at once.
type Authenticator struct {
	b  *Tab
	id webauthn.AuthenticatorID
}

// Authenticator adds an authenticator without passkeys to the tab.
func (b *Tab) Authenticator() *Authenticator {
	b.t.Helper()
	a := &Authenticator{b: b}
	b.do("add an authenticator", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if err := command(ctx, webauthn.Enable, webauthn.EnableParams{})(); err != nil {
			return err
		}
		made, err := chromedp.Call(ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
			Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
				HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
			},
		})
		a.id = made.AuthenticatorID
		return err
	}))
	return a
}

// Recognise sets whether the fingerprint, face or PIN check succeeds.
func (a *Authenticator) Recognise(visitor bool) {
	a.b.t.Helper()
	a.do("set the visitor", func(ctx context.Context) error {
		return command(ctx, webauthn.SetUserVerified,
			webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: visitor})()
	})
}

func (a *Authenticator) do(what string, step func(context.Context) error) {
	a.b.t.Helper()
	a.b.do(what, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error { return step(ctx) }))
}
