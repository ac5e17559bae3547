package commands

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/ledger"
)

// trailPage is how many records are read at a time.
const trailPage = 500

func (p *program) orgAuditTrail() *cobra.Command {
	var of accounts.OrganizationID
	var f accounts.TrailFilter
	limit := 1000
	c := cli.Command("audit-trail U [--since T] [--until T] [--actor A] [--action A] [--outcome O]",
		"List who did what in an organisation, the latest first",
		p.onAccounts(func(ctx context.Context, d directory) error {
			return p.trail(ctx, d, of, f, limit)
		}))
	cli.Flag(c, &f.Since, "since", "from this `time` on, RFC 3339", cli.ParseTime)
	cli.Flag(c, &f.Until, "until", "only before this `time`, RFC 3339", cli.ParseTime)
	c.Flags().StringVar(&f.Actor, "actor", "", "only what this one did: an email address, or operator:NAME")
	c.Flags().StringVar((*string)(&f.Action), "action", "", "only this action, such as api_key.roll")
	cli.Choice(c, &f.Outcome, "outcome", "only what was `done, denied or failed`",
		accounts.Done, accounts.Denied, accounts.Failed)
	cli.Flag(c, &limit, "limit", "how `many` at most (default 1000)", cli.Positive[int])
	return cli.Argument(c, &of, accounts.ParseOrganizationID)
}

// record is an entry of the audit trail. Names and details were typed in by people.
type record struct {
	Position  int64            `json:"position"`
	At        time.Time        `json:"at"           label:"at"`
	Outcome   accounts.Outcome `json:"outcome"      label:"outcome"`
	Action    accounts.Action  `json:"action"       label:"action"`
	Actor     string           `json:"actor"        label:"by"`
	User      *uuid.UUID       `json:"user_uuid"`
	Subject   string           `json:"subject"`
	SubjectID *uuid.UUID       `json:"subject_uuid"`
	On        string           `json:"-"            label:"on"`
	Address   string           `json:"address"      label:"from"`
	Detail    map[string]any   `json:"detail"       label:"detail"`
	RequestID string           `json:"request_id"`
}

func (p *program) trail(ctx context.Context, d directory, of accounts.OrganizationID,
	f accounts.TrailFilter, limit int,
) error {
	all := f == accounts.TrailFilter{}
	records := []record{}
	for len(records) < limit {
		f.Limit = min(limit-len(records), trailPage)
		page, err := d.Trail(ctx, operator(), of, f)
		if err != nil {
			return err
		}
		for _, r := range page {
			shown := record{
				Position: r.Position, At: r.At, Outcome: r.Outcome, Action: r.Action,
				Actor: r.Actor, User: optional(uuid.UUID(r.User)),
				Subject: r.Subject, SubjectID: optional(r.SubjectID), On: r.Subject,
				Address: r.Address, Detail: r.Detail, RequestID: r.RequestID,
			}
			if shown.SubjectID != nil {
				shown.On = strings.TrimSpace(r.Subject + " " + r.SubjectID.String())
			}
			records = append(records, shown)
			f.Before = r.Position
		}
		if len(page) < f.Limit {
			break
		}
	}
	if len(records) == 0 && all { // the first record of each is its creation
		return fmt.Errorf("organisation %s: %w", of, ledger.ErrNotFound)
	}
	var says []string
	if len(records) == 0 {
		says = []string{"No records."}
	}
	return p.Answer(struct {
		Organization accounts.OrganizationID `json:"organization_uuid"`
		Records      []record                `json:"records"           label:""`
	}{of, records}, says...)
}

// optional is nil for the zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
