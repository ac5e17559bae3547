package commands

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/internal/output"
	"daftar/webhooks"
)

func (p *program) webhooks() *cobra.Command {
	return cli.Group("webhooks", "Webhook deliveries: look, send again, try out",
		p.webhookDeliveries(), p.webhookResend(), p.webhookReplay(), p.webhookTest(), p.webhookEnable(),
		p.webhookPrune(), hiddenAlias(p.listen()))
}

// onDeliveries is a command of an operator on the deliveries.
func (p *program) onDeliveries(do func(context.Context, *webhooks.Deliveries) error) cli.Action {
	return p.onDatabase(forCommands, func(ctx context.Context, s session) error {
		return do(ctx, webhooks.NewDeliveries(s.pool, accounts.New(s.pool, accounts.Options{}), nil))
	})
}

func (p *program) webhookDeliveries() *cobra.Command {
	f := webhooks.Filter{Tenant: webhooks.Operator()}
	c := cli.Command("deliveries [--intent U] [--application U] [--state S]",
		"List deliveries, the latest first",
		p.onDeliveries(func(ctx context.Context, d *webhooks.Deliveries) error {
			return p.showDeliveries(d.List(ctx, f))
		}))
	cli.Flag(c, &f.Intent, "intent", "only those of the intent with this `uuid`",
		cli.Pointer(cli.ParseIntent))
	cli.Flag(c, &f.Application, "application", "only those of the application with this `uuid`",
		cli.Pointer(accounts.ParseApplicationID))
	cli.Choice(c, &f.State, "state", "only those that are `pending, delivered, failed or held`",
		webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld)
	c.Flags().IntVar(&f.Limit, "limit", 100, "how many at most, up to 1000")
	return c
}

type delivery struct {
	UUID              webhooks.DeliveryID      `json:"uuid"               label:"delivery"`
	Event             string                   `json:"event"              label:"event"`
	Application       uuid.UUID                `json:"application_uuid"`
	State             string                   `json:"state"              label:"state"`
	Attempts          int                      `json:"attempts"           label:"tries"`
	NextAttemptAt     *time.Time               `json:"next_attempt_at"    label:"next"`
	LastStatus        *int                     `json:"last_status"        label:"last"`
	LastError         string                   `json:"last_error"`
	Intent            *uuid.UUID               `json:"intent_uuid"        below:"payment"`
	Reference         domain.Reference         `json:"reference"`
	MerchantReference domain.MerchantReference `json:"merchant_reference" below:"order"`
	Reason            string                   `json:"-"                  below:""` // LastError, for people
}

// tryErrors explains the kinds of errors of a try.
var tryErrors = map[string]string{
	"status":   "the endpoint's answer was not 2xx",
	"redirect": "the endpoint redirects, which is never followed",
	"refused": "webhooks do not go to this address: it must be https, " +
		"on a public address (or DAFTAR_WEBHOOK_ALLOW_PRIVATE of the server)",
	"dns":     "the endpoint's name leads nowhere",
	"connect": "nothing listens at the endpoint's address",
	"timeout": "the endpoint did not answer in time",
	"broken":  "the connection broke, or what came through it was no answer",

	"tls": "no known authority stands behind the endpoint's certificate: " +
		"it is signed by itself, or by an issuer that is not known",
	"tls_chain": "the endpoint does not send the certificate of its certificate's issuer: " +
		"an intermediate certificate is missing, or the issuer is not a known authority",
	"tls_name":    "the endpoint's certificate is not for this name",
	"tls_expired": "the endpoint's certificate has expired",
	"tls_early":   "the endpoint's certificate is not valid yet",
	"tls_protocol": "the endpoint takes no TLS version or cipher that webhooks use " +
		"(TLS 1.2 or later, with ECDHE), or requires a client certificate",
	"tls_plain":  "what answers at the endpoint's port does not speak TLS: plain HTTP, as a rule",
	"tls_failed": "the endpoint broke off TLS, or its certificate cannot be used for a server",
}

func (p *program) showDelivery(d webhooks.Delivery, err error) error {
	return p.showDeliveries([]webhooks.Delivery{d}, err)
}

func (p *program) showDeliveries(found []webhooks.Delivery, err error) error {
	deliveries := make([]delivery, len(found))
	for n, d := range found {
		deliveries[n] = delivery{
			d.ID, d.Event, uuid.UUID(d.Application), d.State,
			d.Attempts, d.NextAttemptAt, d.LastStatus, d.LastError,
			(*uuid.UUID)(d.Intent), d.Reference, d.MerchantReference,
			tryErrors[d.LastError],
		}
	}
	return p.show("deliveries", deliveries, err)
}

func (p *program) webhookResend() *cobra.Command {
	var id webhooks.DeliveryID
	return cli.Argument(cli.Command("resend DELIVERY", "Send a delivery again, with the same webhook-id",
		p.onDeliveries(func(ctx context.Context, d *webhooks.Deliveries) error {
			return p.showDelivery(d.Resend(ctx, operator(), webhooks.Operator(), id))
		})), &id, webhooks.ParseDeliveryID)
}

func (p *program) webhookReplay() *cobra.Command {
	var since time.Time
	c := p.applicationCommand("replay --application U --since T",
		"Send everything again that happened since a time",
		func(ctx context.Context, d *webhooks.Deliveries, id domain.ApplicationID) error {
			due, err := d.Replay(ctx, operator(), webhooks.Operator(), id, since)
			if err != nil {
				return err
			}
			return p.Answer(map[string]int{"replayed": due},
				count(due, "delivery is", "deliveries are")+" due again")
		})
	cli.Flag(c, &since, "since", "from this `time` on, RFC 3339", cli.ParseTime)
	return c
}

// applicationCommand is a command on the webhooks of one application.
func (p *program) applicationCommand(use, short string,
	do func(context.Context, *webhooks.Deliveries, domain.ApplicationID) error,
) *cobra.Command {
	var application domain.ApplicationID
	c := cli.Command(use, short, p.onDeliveries(
		func(ctx context.Context, d *webhooks.Deliveries) error {
			return do(ctx, d, application)
		}))
	cli.Flag(c, &application, "application", "`uuid` of the application", accounts.ParseApplicationID)
	return c
}

func (p *program) webhookTest() *cobra.Command {
	var wait time.Duration
	c := p.applicationCommand("test --application U [--wait 30s]",
		"Send a webhook.test event to an application's endpoint, and report the outcome",
		func(ctx context.Context, d *webhooks.Deliveries, id domain.ApplicationID) error {
			sent, err := d.SendTest(ctx, operator(), webhooks.Operator(), id)
			if err != nil {
				return err
			}
			tried, err := d.AwaitTry(ctx, webhooks.Operator(), sent.ID, wait)
			if err := p.showDelivery(tried, err); err != nil || wait == 0 {
				return err
			}
			switch {
			case tried.State == webhooks.StateHeld && tried.Attempts == 0:
				p.Notef("The application has no webhook URL: only daftar listen gets the test.")
				return nil
			case tried.Attempts == 0:
				p.Notef("No server has sent it within %s. Does daftar serve run on this database?", wait)
			}
			return cli.ReportedUnless(tried.State == webhooks.StateDelivered, nil)
		})
	c.Flags().DurationVar(&wait, "wait", testWait,
		"how `long` to wait for the endpoint's answer; 0s: not at all")
	return c
}

// testWait is longer than a try may take.
const testWait = 30 * time.Second

func (p *program) webhookEnable() *cobra.Command {
	return p.applicationCommand("enable --application U",
		"Send to an application's endpoint again after it was disabled",
		func(ctx context.Context, d *webhooks.Deliveries, id domain.ApplicationID) error {
			if err := d.Enable(ctx, operator(), webhooks.Operator(), id); err != nil {
				return err
			}
			return p.Answer(map[string]any{"application_uuid": uuid.UUID(id), "enabled": true},
				"The endpoint is enabled. What was held meanwhile is sent by daftar webhooks replay.")
		})
}

// minPruneAge is how long finished deliveries are kept at least: people read them, and
// resend.
const minPruneAge = 24 * time.Hour

func (p *program) webhookPrune() *cobra.Command {
	var olderThan time.Duration
	var dry bool
	c := cli.Command("prune --older-than 720h [--dry-run]",
		"Delete deliveries that were finished before, with their tries",
		p.onDeliveries(func(ctx context.Context, d *webhooks.Deliveries) error {
			before := time.Now().Add(-olderThan).UTC()
			pruned, err := d.Prune(ctx, operator(), before, dry)
			if err != nil {
				return err
			}
			says := "deleted"
			if dry {
				says = "would be deleted"
			}
			return p.Answer(map[string]any{"before": before, "dry_run": dry, "pruned": pruned},
				fmt.Sprintf("%s deliveries and %s tries from before %s %s", output.Count(pruned.Deliveries),
					output.Count(pruned.Tries), before.Format(time.RFC3339), says))
		}))
	c.Long = `Delete deliveries that were finished before, with their tries.

Finished are those that arrived and those whose tries are used up, since their
last try. What is pending or held stays. The log is not touched: daftar webhooks
replay makes deliveries from it again, with the same ids.`
	cli.Flag(c, &olderThan, "older-than", "how `long` ago they were finished, at least",
		func(text string) (time.Duration, error) {
			long, err := time.ParseDuration(text)
			if err == nil && long < minPruneAge {
				err = cli.Misusef("at least %s; people look at what is younger", minPruneAge)
			}
			return long, err
		})
	c.Flags().BoolVar(&dry, "dry-run", false, "only say how many")
	return c
}
