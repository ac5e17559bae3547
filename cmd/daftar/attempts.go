package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/checkout"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/migrations"
	"daftar/projections"
)

func (p *program) attempts() *cobra.Command {
	return group("attempts", "Payment attempts: which are not settled, and settling one by hand",
		p.attemptsList(), p.attemptsSettle(),
		&cobra.Command{
			Use: "ask ID", Short: "Have the acquirer asked now what became of an attempt", Args: cobra.ExactArgs(1),
			RunE: running(func(c *cobra.Command, args []string) error {
				return p.onAttempt(c.Context(), args[0], func(d *checkout.Desk, id domain.AttemptID) error {
					if err := d.Ask(c.Context(), id); err != nil {
						return err
					}
					return p.answer(map[string]any{"attempt": id, "asked": true},
						fmt.Sprintf("attempt  %s  is due; a server that runs asks the acquirer\n", id))
				})
			}),
		},
	)
}

// withDesk runs a command of an operator on the attempts. It may write events, so
// its sessions are those of a server.
func (p *program) withDesk(ctx context.Context, do func(*checkout.Desk) error) error {
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, conf.databaseURL, postgres.Options{
		ApplicationName: "daftar command", MaxConns: 3, SetServiceRole: true, RuntimeParams: settings("on"),
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	clock := &eventstore.Clock{Offset: conf.clockOffset}
	if err := eventstore.ReadClock(ctx, pool, clock); err != nil {
		return err
	}
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline{}, Clock: clock, Log: p.log(conf)})
	intents := projections.NewIntents(pool)
	defer intents.Close()
	return errors.Join(do(checkout.NewDesk(pool, ledger.New(store, intents))), store.Close(ctx))
}

// onAttempt runs a command on the attempt that was named.
func (p *program) onAttempt(ctx context.Context, name string, do func(*checkout.Desk, domain.AttemptID) error) error {
	if len(name) < 10 || len(name) > 36 || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return misusef("%q is not the id of an attempt", name)
	}
	return p.withDesk(ctx, func(d *checkout.Desk) error {
		if err := do(d, domain.AttemptID(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

const allAttempts = "all"

func (p *program) attemptsList() *cobra.Command {
	states := []string{
		checkout.AttemptsUnknown, checkout.AttemptsQuarantined, checkout.AttemptsOpen, checkout.AttemptsClosed,
	}
	var state string
	c := &cobra.Command{
		Use: "list [--state S]", Short: "List attempts that may have to be decided, the longest waiting first", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			var wanted []string
			switch {
			case state == "":
			case state == allAttempts:
				wanted = states
			case slices.Contains(states, state):
				wanted = []string{state}
			default:
				return misusef("--state: %q is none of %s, %s", state, strings.Join(states, ", "), allAttempts)
			}
			return p.withDesk(c.Context(), func(d *checkout.Desk) error {
				listed, err := d.List(c.Context(), wanted...)
				if err != nil {
					return err
				}
				return p.showAttempts(listed)
			})
		}),
	}
	c.Flags().StringVar(&state, "state", "", "only those that are "+strings.Join(states, ", ")+" or "+allAttempts+
		" (default: unknown and quarantined)")
	return c
}

func (p *program) showAttempts(listed []checkout.Listed) error {
	attempts := make([]map[string]any, len(listed))
	var text strings.Builder
	for n, l := range listed {
		attempts[n] = map[string]any{
			"id": l.ID, "intent": l.Intent.String(), "acquirer": l.Acquirer, "method": l.Method, "state": l.State,
			"stage": l.Stage, "since": l.Since, "amount": l.Amount.Minor, "currency": l.Amount.Currency, "payer": l.Payer,
			"trouble": l.Trouble, "asked": l.Asked, "next_inquiry_at": l.AskAt, "started_at": l.StartedAt,
		}
		next := "not asked by itself"
		if l.AskAt != nil {
			next = "asked next at " + l.AskAt.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&text, "%s  %-11s  since %s  %s %s  %s by %s %s\n     intent %s  asked %d times, %s\n", l.ID, l.State,
			l.Since.UTC().Format(time.RFC3339), l.Amount.Figures(), l.Amount.Currency, l.Method, l.Acquirer, l.Payer, l.Intent,
			l.Asked, next)
		if l.Trouble != "" {
			fmt.Fprintf(&text, "     %s\n", l.Trouble)
		}
	}
	return p.answer(map[string]any{"attempts": attempts}, text.String())
}

func (p *program) attemptsSettle() *cobra.Command {
	var outcome, note string
	c := &cobra.Command{
		Use: "settle ID --outcome paid|failed --note NOTE", Args: cobra.ExactArgs(1),
		Short: "Settle an attempt by hand, with a note for the auditor",
		RunE: running(func(c *cobra.Command, args []string) error {
			verdict := checkout.Verdict(outcome)
			if verdict != checkout.VerdictPaid && verdict != checkout.VerdictFailed {
				return misusef("--outcome: %q is neither paid nor failed", outcome)
			}
			return p.onAttempt(c.Context(), args[0], func(d *checkout.Desk, id domain.AttemptID) error {
				s, err := d.Settle(c.Context(), id, verdict, note, operator())
				if _, wrong := errors.AsType[checkout.NoteError](err); wrong {
					return misuse{err}
				}
				if err != nil {
					return err
				}
				return p.showSettled(s)
			})
		}),
	}
	c.Flags().StringVar(&outcome, "outcome", "", "paid or failed: what the acquirer's books say")
	c.Flags().StringVar(&note, "note", "", "how that was found out; kept in the log for ever")
	mustRequire(c, "outcome", "note")
	return c
}

func (p *program) showSettled(s checkout.Settled) error {
	text := fmt.Sprintf("attempt  %s  %s\nintent   %s  %s\n", s.Attempt, s.Verdict, s.Intent, s.Status)
	if s.Already {
		p.tellf("That was known before; nothing was written, nor was the note.")
	}
	if s.Late {
		text += "It is a late payment: the intent had been canceled.\n"
	}
	if s.Duplicate {
		text += "It is a second payment: another attempt paid the intent, and the money must go back.\n"
	}
	return p.answer(map[string]any{
		"attempt": s.Attempt, "intent": s.Intent.String(), "outcome": s.Verdict, "status": s.Status, "late": s.Late,
		"duplicate": s.Duplicate,
	}, text)
}

// operator is the actor of what somebody decides at this machine.
func operator() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return "operator:" + name
}
