package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/ledger"
)

// trailPage is how many records are read at a time.
const trailPage = 500

func (p *program) orgAuditTrail() *cobra.Command {
	var since, until, actor, action, outcome string
	var limit int
	c := &cobra.Command{
		Use: "audit-trail U [--since T] [--until T] [--actor A] [--action A] [--outcome O]", Args: cobra.ExactArgs(1),
		Short: "List who did what in an organisation, the latest first",
		RunE: running(func(c *cobra.Command, args []string) error {
			of, err := accounts.ParseOrganizationID(args[0])
			if err != nil {
				return misuse{err}
			}
			f := accounts.TrailFilter{Actor: actor, Action: accounts.Action(action), Outcome: accounts.Outcome(outcome)}
			if f.Since, err = timeOf("--since", since); err != nil {
				return err
			}
			if f.Until, err = timeOf("--until", until); err != nil {
				return err
			}
			switch f.Outcome {
			case "", accounts.Done, accounts.Denied, accounts.Failed:
			default:
				return misusef("--outcome: %q is none of %s, %s, %s", outcome, accounts.Done, accounts.Denied, accounts.Failed)
			}
			if limit < 1 {
				return misusef("--limit: at least 1")
			}
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error { return p.trail(c.Context(), a, of, f, limit) })
		}),
	}
	c.Flags().StringVar(&since, "since", "", "from when on, RFC 3339")
	c.Flags().StringVar(&until, "until", "", "only before this time, RFC 3339")
	c.Flags().StringVar(&actor, "actor", "", "only what this one did: an email address, or operator:NAME")
	c.Flags().StringVar(&action, "action", "", "only this action, such as api_key.roll")
	c.Flags().StringVar(&outcome, "outcome", "", "only what was done, denied or failed")
	c.Flags().IntVar(&limit, "limit", 1000, "how many at most")
	return c
}

// timeOf reads the time that a flag gives; the zero time where it gives none.
func timeOf(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, misusef("%s: %q is no time such as 2026-11-20T12:00:00Z", flag, text)
	}
	return at, nil
}

func (p *program) trail(ctx context.Context, a *accounts.Accounts, of accounts.OrganizationID, f accounts.TrailFilter, limit int) error {
	all := f == accounts.TrailFilter{}
	records := []map[string]any{}
	var text strings.Builder
	for len(records) < limit {
		f.Limit = min(limit-len(records), trailPage)
		page, err := a.Trail(ctx, byOperator(), of, f)
		if err != nil {
			return err
		}
		for _, r := range page {
			line, err := trailText(r)
			if err != nil {
				return err
			}
			text.WriteString(line)
			records = append(records, trailJSON(r))
			f.Before = r.Position
		}
		if len(page) < f.Limit {
			break
		}
	}
	if len(records) == 0 && all { // the first record of each is its creation
		return fmt.Errorf("organisation %s: %w", of, ledger.ErrNotFound)
	}
	return p.answer(map[string]any{"organization_uuid": of.String(), "records": records}, text.String())
}

func trailJSON(r accounts.AuditRecord) map[string]any {
	orNull := func(id uuid.UUID) any {
		if id == uuid.Nil {
			return nil
		}
		return id
	}
	return map[string]any{
		"position": r.Position, "at": r.At, "actor": r.Actor, "user_uuid": orNull(uuid.UUID(r.User)), "action": r.Action,
		"outcome": r.Outcome, "subject": r.Subject, "subject_uuid": orNull(r.SubjectID), "detail": r.Detail, "address": r.Address,
		"request_id": r.RequestID,
	}
}

// trailText is a record on one line. Names and details were typed in by people.
func trailText(r accounts.AuditRecord) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-8s %-28s %s", r.At.Format("2006-01-02 15:04:05Z"), r.Outcome, r.Action, printable(r.Actor))
	if r.Subject != "" {
		fmt.Fprintf(&b, "  %s %s", r.Subject, r.SubjectID)
	}
	if len(r.Detail) > 0 {
		detail, err := json.Marshal(r.Detail)
		if err != nil {
			return "", fmt.Errorf("write detail: %w", err)
		}
		fmt.Fprintf(&b, "  %s", printable(string(detail)))
	}
	if r.Address != "" {
		fmt.Fprintf(&b, "  from %s", r.Address)
	}
	return b.String() + "\n", nil
}
