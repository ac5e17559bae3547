package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/domain"
	"daftar/payments"
)

func (p *program) attempts() *cobra.Command {
	return cli.Group("attempts", "Payment attempts: which are not settled, and settling one by hand",
		p.attemptsList(), p.attemptsSettle(),
		p.attemptCommand("ask ID", "Have the acquirer asked now for the outcome of an attempt",
			func(ctx context.Context, d *payments.Operations, id domain.AttemptID) error {
				if err := d.Ask(ctx, id); err != nil {
					return err
				}
				return p.Answer(struct {
					Attempt domain.AttemptID `json:"attempt"`
					Asked   bool             `json:"asked"`
				}{id, true}, fmt.Sprintf("attempt  %s  is due; a server that runs asks the acquirer", id))
			}))
}

// attemptCommand is a command on the attempt that the first argument names.
func (p *program) attemptCommand(use, short string,
	do func(context.Context, *payments.Operations, domain.AttemptID) error,
) *cobra.Command {
	var id domain.AttemptID
	return cli.Argument(cli.Command(use, short,
		p.onOperations(func(ctx context.Context, o server.Operations) error {
			if err := do(ctx, o.Attempts, id); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			return nil
		})), &id, parseAttempt)
}

func parseAttempt(text string) (domain.AttemptID, error) {
	if len(text) < 10 || len(text) > 36 || strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return "", cli.Misusef("%q is not the id of an attempt", text)
	}
	return domain.AttemptID(text), nil
}

func (p *program) attemptsList() *cobra.Command {
	var wanted []string
	c := cli.Command("list [--state S]",
		"List attempts that may have to be decided, the longest waiting first",
		p.onOperations(func(ctx context.Context, o server.Operations) error {
			listed, err := o.Attempts.List(ctx, wanted...)
			attempts := make([]attempt, len(listed))
			for n, l := range listed {
				attempts[n] = newAttempt(l)
			}
			return p.show("attempts", attempts, err)
		}))
	stateFlag(c, &wanted, "only those in the `state` unknown, quarantined, open, closed or all "+
		"(default: unknown and quarantined)",
		payments.AttemptsUnknown, payments.AttemptsQuarantined, payments.AttemptsOpen, payments.AttemptsClosed)
	return c
}

// stateFlag declares a flag for one of the states, or all of them.
func stateFlag[T ~string](c *cobra.Command, into *[]T, usage string, states ...T) {
	const all = "all"
	one := cli.OneOf(append(states, all)...)
	cli.Flag(c, into, "state", usage, func(text string) ([]T, error) {
		if text == all {
			return states, nil
		}
		state, err := one(text)
		return []T{state}, err
	})
	cli.Offer(c, "state", append(states, all)...)
}

type attempt struct {
	ID        domain.AttemptID `json:"id"              label:"attempt"`
	Intent    uuid.UUID        `json:"intent"          below:"intent"`
	State     string           `json:"state"           label:"state"`
	Since     time.Time        `json:"since"           label:"since"`
	Money     string           `json:"-"               label:"amount"`
	Method    string           `json:"method"          label:"method"`
	Acquirer  string           `json:"acquirer"        label:"by"`
	Payer     string           `json:"payer"           label:"payer"`
	Stage     string           `json:"stage"`
	Amount    int64            `json:"amount"`
	Currency  domain.Currency  `json:"currency"`
	Asked     int              `json:"asked"`
	AskAt     *time.Time       `json:"next_inquiry_at"`
	StartedAt time.Time        `json:"started_at"`
	Asking    string           `json:"-"               below:""`
	Trouble   string           `json:"trouble"         below:""`
}

func newAttempt(l payments.Listed) attempt {
	next := "not asked by itself"
	if l.AskAt != nil {
		next = "asked next at " + l.AskAt.UTC().Format(time.RFC3339)
	}
	return attempt{
		ID: l.ID, Intent: uuid.UUID(l.Intent),
		State: l.State, Since: l.Since, Stage: l.Stage, StartedAt: l.StartedAt,
		Money: l.Amount.String(), Amount: l.Amount.Minor, Currency: l.Amount.Currency,
		Method: l.Method, Acquirer: l.Acquirer, Payer: l.Payer,
		Asked: l.Asked, AskAt: l.AskAt,
		Asking:  "asked " + count(l.Asked, "time", "times") + ", " + next,
		Trouble: l.Why().String(),
	}
}

func (p *program) attemptsSettle() *cobra.Command {
	var outcome payments.Verdict
	e := payments.Evidence{Actor: operator().Name}
	c := p.attemptCommand("settle ID --outcome paid|failed --note NOTE [--reference R]",
		"Settle an attempt by hand, with a note for the auditor",
		func(ctx context.Context, d *payments.Operations, id domain.AttemptID) error {
			s, err := d.Settle(ctx, id, outcome, e)
			if _, wrong := errors.AsType[payments.NoteError](err); wrong {
				return cli.Misusef("%w", err)
			}
			if err != nil {
				return err
			}
			return p.showSettled(s)
		})
	cli.Choice(c, &outcome, "outcome", "`paid or failed`: what the acquirer's books say",
		payments.VerdictPaid, payments.VerdictFailed)
	c.Flags().StringVar(&e.Reference, "reference", "", "the acquirer's own number of the payment")
	c.Flags().StringVar(&e.Note, "note", "", "how that was found out; kept in the log for ever")
	return c
}

func (p *program) showSettled(s payments.Settled) error {
	if s.Already {
		p.Notef("That was known before; nothing was written, nor was the note.")
	}
	var text []string
	if s.Late {
		text = append(text, "It is a late payment: the intent had been canceled.")
	}
	if s.Duplicate {
		text = append(text, "It is a second payment: another attempt paid the intent, and the money must go back.")
	}
	return p.Answer(struct {
		Attempt   domain.AttemptID `json:"attempt"   label:"attempt"`
		Outcome   payments.Verdict `json:"outcome"   label:"outcome"`
		Intent    uuid.UUID        `json:"intent"    label:"intent"`
		Status    domain.Status    `json:"status"    label:"status"`
		Late      bool             `json:"late"`
		Duplicate bool             `json:"duplicate"`
	}{s.Attempt, s.Verdict, uuid.UUID(s.Intent), s.Status, s.Late, s.Duplicate}, text...)
}
