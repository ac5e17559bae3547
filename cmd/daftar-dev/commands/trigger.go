package commands

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/internal/worker"
	"daftar/webhooks"
)

// plays are what can be triggered. A name is the type of the last webhook, without its
// payment_intent, or says what has happened.
var plays = []struct {
	names []string
	play  func(*player, context.Context) error
	last  string // type of the event that ends it
}{
	{[]string{"created"}, (*player).open, webhooks.TypeCreated},
	{[]string{"processing"}, (*player).beginToPay, webhooks.TypeProcessing},
	{[]string{"succeeded"}, (*player).payNow, webhooks.TypeSucceeded},
	{[]string{"payment_failed"}, (*player).fail, webhooks.TypePaymentFailed},
	{[]string{"canceled", "expired"}, (*player).expireNow, webhooks.TypeCanceled},
	{[]string{"late"}, (*player).payLate, webhooks.TypeSucceeded},
	{[]string{"duplicate_payment", "duplicate"}, (*player).payTwice, webhooks.TypeDuplicatePayment},
}

// triggers are the names of all plays.
func triggers() []string {
	var names []string
	for _, one := range plays {
		names = append(names, one.names...)
	}
	return names
}

// typePrefix is that of every event of an intent.
const typePrefix = "payment_intent."

func (p *program) trigger() *cobra.Command {
	t := &player{Client: p.Client()}
	const short = "Have something happen to a new payment at the sandbox, for its webhooks"
	c := cli.Command("trigger EVENT", short, func(ctx context.Context, args []string) error {
		name := strings.TrimPrefix(args[0], typePrefix)
		for _, one := range plays {
			if slices.Contains(one.names, name) {
				return t.run(ctx, one.last, func(ctx context.Context) error { return one.play(t, ctx) })
			}
		}
		return cli.Misusef("%q cannot be triggered; these can: %s", args[0], strings.Join(triggers(), ", "))
	})
	c.Long = fmt.Sprintf(`Have something happen to a new payment at the sandbox, for its webhooks.

An intent is created over the API, paid or declined on its checkout page, and the webhooks
come of that, as they do with a customer. EVENT is one of

  %s

with or without %s in front.

%s
The application must offer the sandbox: a test application does.`,
		strings.Join(triggers(), ", "), typePrefix, cli.CredentialsHelp)
	t.Flags(c)
	return cli.OfferArgument(c, triggers())
}

// sandboxGroup has the commands that save a developer the waiting.
func (p *program) sandboxGroup() *cobra.Command {
	return cli.Group("sandbox", "Have a payment at the sandbox expire or be paid late now",
		p.onIntent("expire INTENT", "End an open intent now, as its expiry would",
			webhooks.TypeCanceled, (*player).stop),
		p.onIntent("pay-late INTENT", "Have an open intent end, and be paid after that",
			webhooks.TypeSucceeded, (*player).declineAndStop))
}

// onIntent is a command on an existing intent.
func (p *program) onIntent(use, short, last string,
	play func(*player, context.Context) error,
) *cobra.Command {
	t := &player{Client: p.Client()}
	c := cli.Command(use, short, func(ctx context.Context, args []string) error {
		if _, err := uuid.Parse(args[0]); err != nil {
			return cli.Misusef("%q is no uuid of an intent", args[0])
		}
		return t.run(ctx, last, func(ctx context.Context) error {
			if err := t.askIntent(ctx, http.MethodGet, "/payment-intents/"+args[0], nil); err != nil {
				return err
			}
			return play(t, ctx)
		})
	})
	c.Long = short + ".\n\n" + cli.CredentialsHelp
	t.Flags(c)
	return c
}

// A play may take playTimeout; its events are read every pollInterval.
const playTimeout, pollInterval = 30 * time.Second, 100 * time.Millisecond

// run plays, waits for the event that ends the play, and shows all events of the intent.
func (t *player) run(ctx context.Context, last string, play func(context.Context) error) error {
	var problems config.Problems
	variables := config.Variables(t.Call.Environ)
	t.Configure(variables, &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, playTimeout)
	defer cancel()
	if err := play(ctx); err != nil {
		return err
	}
	for {
		events, err := t.events(ctx)
		if err == nil && events[len(events)-1].Type == last {
			if !t.JSON {
				t.Notef("%s  %s  %s", t.intent.UUID, t.intent.Reference, t.intent.CheckoutURL)
			}
			return t.Named("events", events)
		}
		if errors.Is(err, cli.ErrRefused) {
			return err
		}
		if !worker.Sleep(ctx, pollInterval) {
			return errors.Join(fmt.Errorf("no %s of intent %s within %s", last, t.intent.UUID, playTimeout), err)
		}
	}
}

// event is one of the intent, as the API shows it.
type event struct {
	Intent   string    `json:"intent_uuid"`
	Sequence int       `json:"sequence"         label:"no."`
	Type     string    `json:"type"             label:"event" width:"31"`
	At       time.Time `json:"at"               label:"at"`
	Late     bool      `json:"late,omitempty"   label:"late"`
	Reason   string    `json:"reason,omitempty" label:"reason"`
}

func (t *player) events(ctx context.Context) ([]event, error) {
	var page struct {
		Data []event `json:"data"`
	}
	err := t.Ask(ctx, http.MethodGet, "/payment-intents/"+t.intent.UUID+"/events", nil, &page)
	if err == nil && len(page.Data) == 0 {
		err = errors.New("the intent has no events")
	}
	for n := range page.Data {
		page.Data[n].Intent = t.intent.UUID
	}
	return page.Data, err
}
