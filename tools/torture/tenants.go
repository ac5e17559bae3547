package torture

import (
	"context"
	"fmt"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/tools/torture/history"
)

// tenant is an application with what its merchant knows.
type tenant struct {
	history.Application
	weight int
}

// makeTenants makes an application for each behaviour of endpoint, in two
// organisations.
func (s *stage) makeTenants(ctx context.Context) error {
	s.key = randomHex(32)
	s.secrets = append(s.secrets, s.key)
	secretKey, err := accounts.ParseSecretKey(s.key)
	if err != nil {
		return err
	}
	a := accounts.New(s.pool, accounts.Options{SecretKey: secretKey})
	settings := settings.New(s.pool, a, secretKey, nil)
	operator := accounts.Operator("torture")
	for half, behaviours := range [][]behaviour{behavioursOfFirst, behavioursOfSecond} {
		org, err := a.CreateOrganization(ctx, operator, fmt.Sprintf("merchant %d", half+1))
		if err != nil {
			return err
		}
		_, token, err := a.CreateToken(ctx, operator, org.ID, accounts.TokenDraft{Name: "torture"})
		if err != nil {
			return err
		}
		for _, t := range behaviours {
			app, err := a.CreateApplication(ctx, operator, org.ID, accounts.Draft{Name: string(t)})
			if err != nil {
				return err
			}
			if err := a.SetWebhookURL(ctx, operator, org.ID, app.ID, s.sinks.address(t)); err != nil {
				return err
			}
			known := history.Application{
				UUID: [16]byte(app.ID), Organization: [16]byte(org.ID), APIKey: app.APIKey, AccessToken: token,
				WebhookSecret: app.WebhookSecret, Sink: string(t),
			}
			if err := s.openAccounts(ctx, settings, known, len(s.tenants)); err != nil {
				return err
			}
			s.recorder.Application(known)
			s.sinks.belongs(t, known.UUID)
			s.tenants = append(s.tenants, &tenant{Application: known, weight: t.weight()})
		}
	}
	return nil
}
