package server

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/cmd/daftar/config"
	"daftar/dashboard/view"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments/decisions"
	"daftar/projections"
	"daftar/webhooks"
)

// onStop tells members of endpoints that are stopped; nil where mail is off.
func (s *Server) onStop(c config.Config) func(context.Context, pgx.Tx, webhooks.Stop) error {
	if !c.Mail.On() {
		return nil
	}
	return func(ctx context.Context, tx pgx.Tx, stop webhooks.Stop) error {
		reason := ""
		if stop.Gone {
			reason = notices.ReasonGone
		}
		return s.notices.EndpointStopped(ctx, tx, stop.Application, stop.At, reason)
	}
}

// openNotices makes what tells members by mail.
func (s *Server) openNotices(
	ctx context.Context, c config.Config, l *ledger.Ledger, clock *eventstore.Clock,
) error {
	n := notices.Config{
		Pool: s.work, Accounts: s.accounts, Key: c.SecretKey, Now: l.Now, Log: s.log,
		Payments: projections.NewPayments(s.reads), Decisions: decisions.New(s.reads), Outcomes: s.outcomes,
		Deliveries: webhooks.NewDeliveries(s.reads, s.accounts, clock.WallTime),
	}
	if c.Mail.On() {
		n.Letters = view.Letters{PublicURL: c.PublicURL}
	}
	if s.notices = notices.New(n); !s.notices.On() {
		return nil
	}
	return s.notices.Begin(ctx)
}
