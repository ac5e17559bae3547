package notices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/internal/postgres"
	"daftar/internal/queue"
)

const (
	// pause is the least time between two mails to one person.
	pause = time.Minute
	// pollEvery is how refusedWithin a notice is found.
	pollEvery = 5 * time.Second
	// lease is how long a server may take for a turn.
	lease = 30 * time.Second
	// maxFailures is after how many mails in a row that were not taken a member's mails end.
	maxFailures = 3
	// refusedWithin is how soon a mail that the mail server refuses has failed. One that fails later was given
	// up, perhaps because our own mail server takes nothing.
	refusedWithin = 24 * time.Hour
	// afterFailure is the pause after such a mail; it doubles with each.
	afterFailure = time.Hour
)

// waiting are the members to whom something may be written. A turn is one transaction, so one that is
// repeated writes nothing twice.
var waiting = queue.Table{
	Name: "mail_preferences", Key: "token", Due: "due_at", Lease: "busy_until", Where: "due_at IS NOT NULL",
}

var claimSQL = waiting.Claim(1, `token, user_uuid, organization_uuid, daily_at`)

// Run notifies members until ctx ends.
func (n *Notices) Run(ctx context.Context) {
	var unknowns sync.WaitGroup
	defer unknowns.Wait()
	unknowns.Go(func() {
		loop := queue.Loop{
			Poll: unknownPollEvery, Failing: "members are not notified of unknown outcomes", Log: n.Log,
		}
		loop.Repeat(ctx, n.addUnknown)
	})
	loop := queue.Loop{Poll: pollEvery, Failing: "members are not notified", Log: n.Log}
	loop.Run(ctx, n.step)
}

// claimed is a member whose turn it is.
type claimed struct {
	Token        uuid.UUID
	User         accounts.UserID
	Organization accounts.OrganizationID
	DailyAt      *time.Time
}

// stepLimit bounds a turn: adding up the day of a large organisation takes some of it.
const stepLimit = 20 * time.Second

// step gives one member a turn.
func (n *Notices) step(running context.Context) (worked bool, err error) {
	ctx, cancel := context.WithTimeout(running, stepLimit)
	defer cancel()
	now := n.Now()
	c, err := postgres.Find(ctx, n.Pool, "claim a member", pgx.ErrNoRows,
		pgx.RowToStructByPos[claimed], claimSQL, now, now.Add(lease))
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// Added up before anything is locked.
	s, err := n.summary(ctx, c, now)
	if err == nil {
		err = pgx.BeginFunc(ctx, n.Pool, func(tx pgx.Tx) error { return n.turn(ctx, tx, c, s, now) })
	}
	if err != nil && running.Err() != nil { // the server stops: the turn comes again
		return true, err
	}
	if err != nil {
		return true, fmt.Errorf("%w: mails of user %s: %w", queue.ErrRow, c.User, err)
	}
	return true, nil
}

// memberState is a row of mail_preferences, with the state of its last mail.
type memberState struct {
	token        uuid.UUID
	organization accounts.OrganizationID
	mailed       time.Time // zero: never
	mail         uuid.UUID // zero: none is on its way
	through      int64
	failures     int
	daily        *time.Time
	hour         *int
	state        mail.State // of mail; empty: it is gone
	refused      bool       // it failed while others were sent, or soon
	finished     time.Time
	next         time.Time // when the mail is tried again
}

// The rows of one person are locked together: another server that works on one of them waits.
const membersSQL = `
SELECT p.token, p.organization_uuid, p.mailed_at, p.mail_uuid, p.mail_through, p.failures, p.daily_at,
       p.daily_hour, coalesce(m.state, ''), m.finished_at, nullif(m.next_attempt_at, '-infinity'),
       coalesce(m.refused, false)
FROM mail_preferences p
LEFT JOIN LATERAL (
    SELECT state, finished_at, next_attempt_at,
           state = 'failed'
           AND (finished_at < created_at + $2
                OR EXISTS (SELECT FROM mails WHERE state = 'sent' AND finished_at > q.created_at)) AS refused
    FROM mails q
    WHERE uuid = p.mail_uuid
    OFFSET 0) m ON true
WHERE p.user_uuid = $1
ORDER BY p.organization_uuid
FOR NO KEY UPDATE OF p`

func scanMember(row pgx.CollectableRow) (t memberState, err error) {
	err = row.Scan(&t.token, &t.organization, (*zeronull.Timestamptz)(&t.mailed), (*zeronull.UUID)(&t.mail),
		&t.through, &t.failures, &t.daily, &t.hour, &t.state, (*zeronull.Timestamptz)(&t.finished),
		(*zeronull.Timestamptz)(&t.next), &t.refused)
	return t, err
}

// turn records the results of the person's last mails, and writes the next one if it is due.
func (n *Notices) turn(ctx context.Context, tx pgx.Tx, c claimed, s *Summary, now time.Time) error {
	all, err := postgres.List(ctx, tx, "lock preferences", scanMember, membersSQL, c.User, refusedWithin)
	if err != nil {
		return err
	}
	var last, onItsWay time.Time
	for i := range all {
		if all[i].mail != (uuid.UUID{}) && all[i].state == mail.Pending {
			onItsWay = latest(onItsWay, all[i].next, now.Add(2*pollEvery))
		} else if err := n.finish(ctx, tx, c.User, &all[i]); err != nil {
			return err
		}
		last = latest(last, all[i].mailed)
	}
	at := slices.IndexFunc(all, func(t memberState) bool { return t.token == c.Token })
	if at < 0 { // the member was removed
		return nil
	}
	t := &all[at]
	switch {
	case t.failures >= maxFailures:
		return n.endMails(ctx, tx, c.User, t)
	case !onItsWay.IsZero():
		return reschedule(ctx, tx, t, onItsWay)
	case last.Add(pause).After(now):
		return reschedule(ctx, tx, t, last.Add(pause))
	case t.failures > 0 && t.mailed.Add(afterFailure<<(t.failures-1)).After(now):
		return reschedule(ctx, tx, t, t.mailed.Add(afterFailure<<(t.failures-1)))
	}
	return n.write(ctx, tx, c.User, t, s, now)
}

func latest(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }

const (
	deleteMailedSQL = `
DELETE FROM notices
WHERE user_uuid = $1
  AND organization_uuid = $2
  AND ordinal <= $3`
	finishSQL = `
UPDATE mail_preferences
SET mail_uuid = NULL, mailed_at = $2, failures = $3, daily_at = $4
WHERE token = $1`
)

// finish records the result of a mail that is no longer on its way. If it was not sent, or its row is gone,
// its notices stay and its summary is due again.
func (n *Notices) finish(ctx context.Context, tx pgx.Tx, user accounts.UserID, t *memberState) error {
	if t.mail == (uuid.UUID{}) {
		return nil
	}
	t.mailed = latest(t.mailed, t.finished)
	if t.state == mail.Sent {
		t.failures = 0
		if _, err := tx.Exec(ctx, deleteMailedSQL, user, t.organization, t.through); err != nil {
			return fmt.Errorf("delete notices: %w", err)
		}
	} else {
		if t.refused {
			t.failures++
		}
		if t.daily != nil && t.through == 0 {
			t.daily = new(t.daily.AddDate(0, 0, -1))
		}
		n.Log.Warn().Stringer("mail", t.mail).Int("failures", t.failures).
			Msg("a mail to a member was not sent; its notices are sent again")
	}
	if _, err := tx.Exec(ctx, finishSQL, t.token, t.mailed, t.failures, t.daily); err != nil {
		return fmt.Errorf("finish mail: %w", err)
	}
	return nil
}

const rescheduleSQL = `
UPDATE mail_preferences
SET due_at = $2, daily_at = $3, busy_until = NULL
WHERE token = $1`

// reschedule ends the turn; the next one is at that time, or never if it is zero.
func reschedule(ctx context.Context, tx pgx.Tx, t *memberState, until time.Time) error {
	if _, err := tx.Exec(ctx, rescheduleSQL, t.token, zeronull.Timestamptz(until), t.daily); err != nil {
		return fmt.Errorf("put off mails: %w", err)
	}
	return nil
}

// endMails ends the mails of a member whose mail server takes none.
func (n *Notices) endMails(ctx context.Context, tx pgx.Tx, user accounts.UserID, t *memberState) error {
	if err := n.choose(ctx, tx, user, t.organization, Preferences{}); err != nil {
		return err
	}
	const refusedSQL = `UPDATE mail_preferences SET failures = $2 WHERE token = $1`
	if _, err := tx.Exec(ctx, refusedSQL, t.token, maxFailures); err != nil {
		return fmt.Errorf("end mails: %w", err)
	}
	t.daily = nil
	if err := reschedule(ctx, tx, t, time.Time{}); err != nil {
		return err
	}
	by := accounts.Actor{Name: "system:mails"}
	return accounts.Record(ctx, tx, by, t.organization, entry(ActionEnd, user, Preferences{}))
}

// nextSummary is when a member without notices has the next turn: zero for never.
func (t *memberState) nextSummary(now time.Time) time.Time {
	if t.daily == nil {
		return time.Time{}
	}
	return latest(*t.daily, now.Add(pause)) // the figures of a day that is due are not complete yet
}

const mailedSQL = `
UPDATE mail_preferences
SET mail_uuid = $2, mail_through = $3, mailed_at = $4, daily_at = $5, due_at = $6, busy_until = NULL
WHERE token = $1`

// write queues the member's next mail: a summary that is due, or else the pending notices.
func (n *Notices) write(
	ctx context.Context, tx pgx.Tx, user accounts.UserID, t *memberState, s *Summary, now time.Time,
) error {
	to, role, err := recipient(ctx, tx, t.token)
	if err != nil {
		return err
	}
	t.skipSummaries(role, now)
	due := t.daily != nil && !t.daily.After(now)
	var m mail.Message
	var through int64
	if due && s != nil && s.Day == dayBefore(*t.daily) {
		s.Recipient = to
		m = n.Letters.Summary(*s)
		t.daily = new(t.daily.AddDate(0, 0, 1))
	} else {
		var d Digest
		if d, through, err = readDigest(ctx, tx, user, to, role); err != nil {
			return err
		}
		if d.Count == 0 {
			return reschedule(ctx, tx, t, t.nextSummary(now))
		}
		m = n.Letters.Digest(d)
	}
	id := uuid.New()
	if err := mail.Add(ctx, tx, n.Key, id, m, now); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, mailedSQL, t.token, id, through, now, t.daily, now.Add(pause))
	if err != nil {
		return fmt.Errorf("note mail: %w", err)
	}
	return nil
}
