package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/domain"
	"daftar/webhooks"
)

func (p *program) webhooks() *cobra.Command {
	return group("webhooks", "Webhook deliveries: look, send again, try out",
		p.webhookDeliveries(), p.webhookResend(), p.webhookReplay(), p.webhookTest(), p.webhookEnable(), p.webhookPrune(), p.webhookListen())
}

// onDeliveries runs a command of an operator on the deliveries.
func (p *program) onDeliveries(ctx context.Context, do func(*webhooks.Deliveries, webhooks.Tenant) error) error {
	return p.withDatabase(ctx, func(pool *pgxpool.Pool) error {
		return do(webhooks.NewDeliveries(pool, accounts.New(pool, accounts.Options{}), nil), webhooks.Operator())
	})
}

func (p *program) webhookDeliveries() *cobra.Command {
	var intent, application, state string
	var limit int
	c := &cobra.Command{
		Use: "deliveries [--intent U] [--application U] [--state S]", Short: "List deliveries, the latest first", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			f := webhooks.Filter{Tenant: webhooks.Operator(), State: state, Limit: limit}
			switch state {
			case "", webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld:
			default:
				return misusef("--state: %q is none of %s, %s, %s, %s", state,
					webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld)
			}
			if intent != "" {
				id, err := domain.ParseIntentID(intent)
				if err != nil {
					return misusef("--intent: %q is not the uuid of a payment intent", intent)
				}
				f.Intent = &id
			}
			if application != "" {
				id, err := accounts.ParseApplicationID(application)
				if err != nil {
					return misusef("--application: %w", err)
				}
				f.Application = &id
			}
			return p.onDeliveries(c.Context(), func(d *webhooks.Deliveries, _ webhooks.Tenant) error {
				found, err := d.List(c.Context(), f)
				if err != nil {
					return err
				}
				return p.showDeliveries(found)
			})
		}),
	}
	c.Flags().StringVar(&intent, "intent", "", "only those of one intent")
	c.Flags().StringVar(&application, "application", "", "only those of one application")
	c.Flags().StringVar(&state, "state", "", "only those that are pending, delivered, failed or held")
	c.Flags().IntVar(&limit, "limit", 100, "how many at most, up to 1000")
	return c
}

func (p *program) showDeliveries(found []webhooks.Delivery) error {
	var text strings.Builder
	for _, d := range found {
		last, next := "-", "-"
		if d.LastStatus != nil {
			last = fmt.Sprint(*d.LastStatus)
		}
		if d.NextAttemptAt != nil {
			next = d.NextAttemptAt.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&text, "%s  %-31s  %-9s  %2d tries  last %-3s  next %s\n", d.ID, d.Event, d.State, d.Attempts, last, next)
	}
	if found == nil {
		found = []webhooks.Delivery{}
	}
	return p.answer(map[string]any{"deliveries": found}, text.String())
}

func (p *program) webhookResend() *cobra.Command {
	return &cobra.Command{
		Use: "resend DELIVERY", Short: "Send a delivery again, with the same webhook-id", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			id, err := webhooks.ParseDeliveryID(args[0])
			if err != nil {
				return misuse{err}
			}
			return p.onDeliveries(c.Context(), func(d *webhooks.Deliveries, of webhooks.Tenant) error {
				sent, err := d.Resend(c.Context(), byOperator(), of, id)
				if err != nil {
					return err
				}
				return p.showDeliveries([]webhooks.Delivery{sent})
			})
		}),
	}
}

func (p *program) webhookReplay() *cobra.Command {
	var application, since string
	c := &cobra.Command{
		Use: "replay --application U --since T", Short: "Send everything again that happened since a time", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			id, err := accounts.ParseApplicationID(application)
			if err != nil {
				return misusef("--application: %w", err)
			}
			from, err := time.Parse(time.RFC3339Nano, since)
			if err != nil {
				return misusef("--since: %q is no time such as 2026-11-20T12:00:00Z", since)
			}
			return p.onDeliveries(c.Context(), func(d *webhooks.Deliveries, of webhooks.Tenant) error {
				due, err := d.Replay(c.Context(), byOperator(), of, id, from)
				if err != nil {
					return err
				}
				return p.answer(map[string]any{"replayed": due}, fmt.Sprintf("%s deliveries are due again\n", grouped(int64(due))))
			})
		}),
	}
	c.Flags().StringVar(&application, "application", "", "uuid of the application")
	c.Flags().StringVar(&since, "since", "", "from when on, RFC 3339")
	mustRequire(c, "application", "since")
	return c
}

// onApplication is a command on the webhooks of one application.
func (p *program) onApplication(use, short string, do func(context.Context, *webhooks.Deliveries, webhooks.Tenant, domain.ApplicationID) error) *cobra.Command {
	var application string
	c := &cobra.Command{
		Use: use + " --application U", Short: short, Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			id, err := accounts.ParseApplicationID(application)
			if err != nil {
				return misusef("--application: %w", err)
			}
			return p.onDeliveries(c.Context(), func(d *webhooks.Deliveries, of webhooks.Tenant) error {
				return do(c.Context(), d, of, id)
			})
		}),
	}
	c.Flags().StringVar(&application, "application", "", "uuid of the application")
	mustRequire(c, "application")
	return c
}

func (p *program) webhookTest() *cobra.Command {
	return p.onApplication("test", "Send a webhook.test event to an application's endpoint",
		func(ctx context.Context, d *webhooks.Deliveries, of webhooks.Tenant, id domain.ApplicationID) error {
			sent, err := d.SendTest(ctx, byOperator(), of, id)
			if err != nil {
				return err
			}
			return p.showDeliveries([]webhooks.Delivery{sent})
		})
}

func (p *program) webhookEnable() *cobra.Command {
	return p.onApplication("enable", "Send to an application's endpoint again after it was disabled",
		func(ctx context.Context, d *webhooks.Deliveries, of webhooks.Tenant, id domain.ApplicationID) error {
			if err := d.Enable(ctx, byOperator(), of, id); err != nil {
				return err
			}
			return p.answer(map[string]any{"application_uuid": id.String(), "enabled": true},
				"The endpoint is enabled. What was held meanwhile is sent by daftar webhooks replay.\n")
		})
}
