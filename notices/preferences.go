package notices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// The actions in the audit trail.
const (
	ActionChoose accounts.Action = "mails.choose"
	ActionEnd    accounts.Action = "mails.end" // by the link of a mail, or because mails were refused
)

// Errors. Nothing has changed.
var (
	// ErrOff says that the service sends no mail.
	ErrOff = errors.New("the service sends no mail")
	// ErrHour says that an hour is none from 0 to 23.
	ErrHour = errors.New("an hour of the day is 0 to 23")
	// ErrNoLink says that a link belongs to no member's mails.
	ErrNoLink = errors.New("the link belongs to no mails")
)

// Preferences are the mails that a member chose to get about an organisation. The zero value is none.
type Preferences struct {
	Payments  bool // each payment; needs SeeMoney, because a mail of several has sums
	Decisions bool // what needs a decision
	Daily     *int // a summary of the day before, at this hour of Libya's time; needs SeeMoney; nil: none
}

// Any reports whether there is anything.
func (p Preferences) Any() bool { return p.Payments || p.Decisions || p.Daily != nil }

// Standing is what a member chose, and what became of it.
type Standing struct {
	Preferences

	// Chosen is false until the member chooses: until then owners and developers are notified of
	// endpoints that stop.
	Chosen bool
	// Refused says that the member's mails ended because the mail server did not take them.
	Refused bool
	// NextDaily is when the next summary is due; nil: none is.
	NextDaily *time.Time
}

const standingSQL = `
SELECT payments, decisions, daily_hour, chosen_at IS NOT NULL, failures >= $3, daily_at
FROM mail_preferences
WHERE user_uuid = $1
  AND organization_uuid = $2`

// Preferences returns what the member chose of the organisation.
func (n *Notices) Preferences(
	ctx context.Context, by accounts.Actor, org accounts.OrganizationID,
) (s Standing, err error) {
	s, err = postgres.Find(ctx, n.Pool, "find preferences", pgx.ErrNoRows,
		func(row pgx.CollectableRow) (s Standing, err error) {
			err = row.Scan(&s.Payments, &s.Decisions, &s.Daily, &s.Chosen, &s.Refused, &s.NextDaily)
			return s, err
		}, standingSQL, by.User, org, maxFailures)
	if errors.Is(err, pgx.ErrNoRows) {
		return Standing{}, nil
	}
	return s, err
}

const dailySQL = `
SELECT daily_at
FROM mail_preferences
WHERE user_uuid = $1
  AND organization_uuid = $2
FOR NO KEY UPDATE`

// A choice holds from its moment on: earlier events give no notices. For a member who had chosen payments or
// decisions before, events that the group has not read yet still do.
const (
	chooseSQL = `
INSERT INTO mail_preferences AS p
    (user_uuid, organization_uuid, payments, decisions, daily_hour, daily_at, chosen_at, due_at, noticed)
SELECT $1, $2, $3, $4, $5::smallint, $6::timestamptz, $7, $6, coalesce(max(position), 0)
FROM events
ON CONFLICT (user_uuid, organization_uuid) DO UPDATE
SET payments = excluded.payments, decisions = excluded.decisions, daily_hour = excluded.daily_hour,
    daily_at = excluded.daily_at, chosen_at = excluded.chosen_at, failures = 0,
    noticed = CASE WHEN p.payments OR p.decisions THEN p.noticed ELSE excluded.noticed END,
    due_at = least(p.due_at, excluded.daily_at)
RETURNING mail_uuid`
	unwantedSQL = `
DELETE FROM notices
WHERE user_uuid = $1
  AND organization_uuid = $2
  AND NOT ($3 AND kind IN ('paid', 'late', 'duplicate') OR $4 AND kind <> 'paid')`
	forgetMailSQL = `
UPDATE mail_preferences
SET mail_uuid = NULL
WHERE user_uuid = $1
  AND organization_uuid = $2`
)

// Choose sets which mails the actor gets about the organisation. It needs SeePayments and, for each payment
// and the summary, SeeMoney. Errors: ErrOff, ErrHour, and those of accounts.Do.
func (n *Notices) Choose(
	ctx context.Context, by accounts.Actor, org accounts.OrganizationID, p Preferences,
) error {
	if !n.On() {
		return ErrOff
	}
	if p.Daily != nil && (*p.Daily < 0 || *p.Daily > 23) {
		return ErrHour
	}
	needs := accounts.SeePayments
	if p.Payments || p.Daily != nil {
		needs = accounts.SeeMoney // every role that has it sees payments
	}
	return n.Accounts.Do(ctx, by, org, needs, func(tx pgx.Tx) (accounts.Entry, error) {
		err := n.choose(ctx, tx, by.User, org, p)
		return entry(ActionChoose, by.User, p), err
	})
}

// choose stores which mails a member gets, and deletes the notices and the mail that they no longer want.
func (n *Notices) choose(
	ctx context.Context, tx pgx.Tx, user accounts.UserID, org accounts.OrganizationID, p Preferences,
) error {
	now := n.Now()
	daily, err := postgres.Find(ctx, tx, "find next summary", pgx.ErrNoRows, pgx.RowTo[*time.Time], dailySQL,
		user, org)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	switch {
	case p.Daily == nil:
		daily = nil
	case daily == nil:
		daily = new(nextDaily(now, *p.Daily))
	default: // another hour leaves out no day, and repeats none
		daily = new(hourOf(domain.DayOf(*daily), *p.Daily))
	}
	var waiting uuid.UUID
	err = tx.QueryRow(ctx, chooseSQL, user, org, p.Payments, p.Decisions, p.Daily, daily, now).
		Scan((*zeronull.UUID)(&waiting))
	if err != nil {
		return fmt.Errorf("choose mails: %w", err)
	}
	if _, err := tx.Exec(ctx, unwantedSQL, user, org, p.Payments, p.Decisions); err != nil {
		return fmt.Errorf("delete notices: %w", err)
	}
	if waiting == (uuid.UUID{}) || p.Any() {
		return nil
	}
	if _, err := tx.Exec(ctx, forgetMailSQL, user, org); err != nil {
		return fmt.Errorf("forget mail: %w", err)
	}
	return mail.Withdraw(ctx, tx, waiting)
}

// entry is the record of a choice.
func entry(a accounts.Action, of accounts.UserID, p Preferences) accounts.Entry {
	detail := map[string]any{"mail_payments": p.Payments, "mail_decisions": p.Decisions, "mail_daily": "-"}
	if p.Daily != nil {
		detail["mail_daily"] = fmt.Sprintf("%02d:00", *p.Daily)
	}
	return accounts.Entry{Action: a, Subject: "user", SubjectID: uuid.UUID(of), Detail: detail}
}

const byTokenSQL = `
SELECT u.uuid, u.email, p.organization_uuid, o.name, p.token
FROM mail_preferences p
JOIN users u ON u.uuid = p.user_uuid
JOIN organizations o ON o.uuid = p.organization_uuid
WHERE p.token = $1`

// Link is what the link of a mail belongs to.
type Link struct {
	Recipient

	user accounts.UserID
}

// Link finds the mails that a link ends; ErrNoLink.
func (n *Notices) Link(ctx context.Context, token string) (Link, error) {
	id, err := uuid.Parse(token)
	if err != nil {
		return Link{}, ErrNoLink
	}
	return postgres.Find(ctx, n.Pool, "find link of mails", ErrNoLink,
		func(row pgx.CollectableRow) (l Link, err error) {
			err = row.Scan((*[16]byte)(&l.user), &l.Email, (*[16]byte)(&l.Organization), &l.Name, &l.Token)
			return l, err
		}, byTokenSQL, id)
}

const endedSQL = `
SELECT chosen_at IS NOT NULL AND NOT payments AND NOT decisions AND daily_hour IS NULL
FROM mail_preferences
WHERE token = $1
FOR NO KEY UPDATE`

// End ends all mails of a link; from is where the request came from. It may be repeated, which is not
// recorded: nobody needs to sign in for it.
func (n *Notices) End(ctx context.Context, from accounts.Actor, l Link) error {
	return pgx.BeginFunc(ctx, n.Pool, func(tx pgx.Tx) error {
		ended, err := postgres.Find(ctx, tx, "look at mails", ErrNoLink, pgx.RowTo[bool], endedSQL, l.Token)
		if err != nil || ended {
			return err
		}
		if err := n.choose(ctx, tx, l.user, l.Organization, Preferences{}); err != nil {
			return err
		}
		from.User, from.Name = l.user, l.Email
		return accounts.Record(ctx, tx, from, l.Organization, entry(ActionEnd, l.user, Preferences{}))
	})
}
