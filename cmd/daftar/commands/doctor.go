package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/mail"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/migrations"
	"daftar/transparency"
)

// finding is one line of the doctor. A warning is no failure: it is about something that
// works and should still be changed.
type finding struct {
	Verdict string `json:"-"                 label:""`
	OK      bool   `json:"ok"`
	Warning bool   `json:"warning,omitempty"`
	Name    string `json:"name"              label:"check"`
	Detail  string `json:"detail"            label:"detail"`
}

// examination is what a check examines.
type examination struct{ session }

// warning is a finding that is wrong only where money is real.
type warning string

func (w warning) Error() string { return string(w) }

// checks return what they found, or an error; a warning is no failure. Checks of tables are
// skipped while the schema is out of date: they could only report that.
var checks = []struct {
	name     string
	run      func(examination, context.Context) (string, error)
	ofTables bool
}{
	{"settings", examination.settings, false},
	{"database login", examination.login, false},
	{"database settings", examination.databaseSettings, false},
	{"rights", examination.rights, false},
	{"schema", examination.schema, false},
	{"durability", examination.durability, false},
	{"standbys", examination.standbys, false},
	{"late reads", examination.lateReads, false},
	{"append-only", examination.appendOnly, true},
	{"positions", examination.positions, true},
	{"feed", examination.feed, true},
	{"transparency", examination.tree, true},
	{"export", examination.export, true},
	{"clock", examination.clock, false},
	{"secret key", examination.secretKey, true},
	{"acquirers", examination.acquirers, true},
	{"mail", examination.mail, true},
	{"front door", examination.frontDoor, true},
}

func (p *program) doctor() *cobra.Command {
	examine := func(ctx context.Context, s session) error {
		var err error
		if s.pool, err = postgres.Open(ctx, s.DatabaseURL, forCommands); err != nil {
			return err
		}
		defer s.pool.Close()
		outOfDate := errors.Is(migrations.Check(ctx, s.pool), migrations.ErrOutOfDate)
		var findings []finding
		ok := true
		for _, c := range checks {
			if outOfDate && c.ofTables {
				continue
			}
			detail, err := c.run(examination{s}, ctx)
			var w warning
			f := finding{Verdict: "ok", OK: true, Name: c.name, Detail: detail}
			switch {
			case errors.As(err, &w):
				f.Verdict, f.Warning, f.Detail = "warn", true, err.Error()
			case err != nil:
				f.Verdict, f.OK, f.Detail, ok = "BAD", false, err.Error(), false
			}
			findings = append(findings, f)
		}
		return cli.ReportedUnless(ok, p.Named("checks", findings))
	}
	return cli.Command("doctor", "Check the configuration, the database and what the server needs",
		p.configured(examine, "DAFTAR_DATABASE_URL"))
}

func (e examination) settings(context.Context) (string, error) {
	if found := e.Warnings(); len(found) > 0 {
		return "", warning(strings.Join(found, "; "))
	}
	return "nothing that is for trying things out only", nil
}

const appendOnlySQL = `
SELECT count(*)
FROM pg_trigger
WHERE tgrelid = 'events'::regclass
  AND tgenabled = 'A'
  AND tgname IN ('events_are_append_only', 'events_are_never_truncated', 'events_have_no_gaps')`

func (e examination) appendOnly(ctx context.Context) (string, error) {
	var triggers int
	if err := e.pool.QueryRow(ctx, appendOnlySQL).Scan(&triggers); err != nil {
		return "", fmt.Errorf("look for the triggers: %w", err)
	}
	if triggers != 3 {
		return "", errors.New("the triggers that refuse to rewrite events, or to leave gaps, " +
			"are missing or switched off")
	}
	return "UPDATE, DELETE and TRUNCATE of events are refused", nil
}

const (
	positionsSQL = `
SELECT count(*), coalesce(min(position), 1), coalesce(max(position), 0)
FROM events`
	gapSQL = `
SELECT before, position
FROM (
  SELECT lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before, position
  FROM events) e
WHERE position <> before + 1
ORDER BY position
LIMIT 1`
)

func (e examination) positions(ctx context.Context) (string, error) {
	var events, first, head int64
	if err := e.pool.QueryRow(ctx, positionsSQL).Scan(&events, &first, &head); err != nil {
		return "", fmt.Errorf("count events: %w", err)
	}
	if first != 1 || events != head {
		var before, after int64
		if err := e.pool.QueryRow(ctx, gapSQL).Scan(&before, &after); err != nil {
			return "", fmt.Errorf("look for the gap: %w", err)
		}
		return "", fmt.Errorf("the log has a gap: nothing is between the positions %d and %d, "+
			"and no server leaves one; docs/runbook/forged-rows.md says what to do", before, after)
	}
	if events == 0 {
		return "the log is empty", nil
	}
	return fmt.Sprintf("1 to %s without a gap", output.Count(head)), nil
}

// feed finds what waits for an operator: parked events, halted groups, and groups that are
// far behind.
func (e examination) feed(ctx context.Context) (string, error) {
	parked, err := feed.ListParked(ctx, e.pool)
	if err != nil {
		return "", err
	}
	lags, err := feed.Lags(ctx, e.pool)
	if err != nil {
		return "", err
	}
	var trouble, fine []string
	for _, x := range parked {
		if x.Released {
			continue // its group takes it up again
		}
		trouble = append(trouble,
			fmt.Sprintf("%s set position %d aside (%s); daftar feed release %s %d gives it back",
				x.Group, x.Position, x.Reason, x.Group, x.Position))
	}
	for _, l := range lags {
		if l.Halted != "" {
			trouble = append(trouble,
				fmt.Sprintf("%s halted before position %d: %s", l.Group, l.Position+1, l.Halted))
		}
		if l.Seconds > longLag.Seconds() {
			trouble = append(trouble,
				fmt.Sprintf("%s is %s events and %.0f s behind", l.Group, output.Count(l.Behind), l.Seconds))
		}
		fine = append(fine, fmt.Sprintf("%s at %s", l.Group, output.Count(l.Position)))
	}
	if len(trouble) > 0 {
		return "", errors.New(strings.Join(trouble, "; "))
	}
	if len(fine) == 0 {
		return "no group has followed the log yet", nil
	}
	return strings.Join(fine, ", "), nil
}

// longLag is how far a group may be behind before the doctor reports it. While no server
// runs, groups are behind, too.
const longLag = time.Minute

func (e examination) clock(ctx context.Context) (string, error) {
	var clock eventstore.Clock
	if err := eventstore.ReadClock(ctx, e.pool, &clock); err != nil {
		return "", err
	}
	// Only the database's clock counts; a large difference makes logs hard to
	// read and signatures of webhooks look old.
	apart := time.Until(clock.Now()).Round(time.Millisecond)
	if apart.Abs() > 30*time.Second {
		return "", fmt.Errorf("the database's clock is %s from this machine's", apart)
	}
	return fmt.Sprintf("the database's clock is %s from this machine's", apart), nil
}

func (e examination) secretKey(ctx context.Context) (string, error) {
	opened, err := accounts.CheckSecretKey(ctx, e.pool, e.SecretKey, sealed)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("opens all %d secrets that it sealed", opened), nil
}

// tree checks that the Merkle tree follows the log, and that the newest checkpoint was
// signed by the configured key, if there is one.
func (e examination) tree(ctx context.Context) (string, error) {
	var keys []string
	if !e.Transparency.Key.IsZero() {
		keys = []string{e.Transparency.Key.Public()}
	}
	h, err := transparency.CheckHealth(ctx, e.pool, keys, e.Transparency.Dir)
	switch {
	case errors.Is(err, transparency.ErrSignature) && keys != nil:
		return "", fmt.Errorf("the newest checkpoint was not signed with DAFTAR_TRANSPARENCY_KEY: "+
			"a server runs with another key, or none has run with this one yet: %w", err)
	case errors.Is(err, transparency.ErrForged):
		return "", fmt.Errorf("%w; servers pass it over, docs/runbook/forged-rows.md says what to do", err)
	case err != nil:
		return "", err
	case h.Waiting > longLag:
		return "", fmt.Errorf(
			"the tree has %s of %s events and the newest checkpoint %s; an event waits for one since %s",
			output.Count(h.Size), output.Count(h.Head), output.Count(h.Signed), h.Waiting.Round(time.Second))
	case h.Signed == 0:
		return "nothing has been signed yet", nil
	}
	return fmt.Sprintf(
		"the tree has %s of %s events; the newest checkpoint is %s old, covers %s and is signed by %s",
		output.Count(h.Size), output.Count(h.Head),
		h.Age.Round(time.Second), output.Count(h.Signed), strings.Join(h.Keys, " or ")), nil
}

// answerLimit is how long a command waits for another server to answer, or a standby to catch up.
const answerLimit = 5 * time.Second

// export compares the stream in JetStream with the group's position in the log.
func (e examination) export(ctx context.Context) (string, error) {
	if len(e.NATS.Servers) == 0 {
		return "the log is not exported (DAFTAR_NATS_URL)", nil
	}
	e.NATS.Log = zerolog.Nop()
	x, err := export.New(e.NATS)
	if err != nil {
		return "", err
	}
	defer x.Close()
	limited, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	_, end, err := x.Extent(limited)
	if err != nil {
		return "", err
	}
	lags, err := feed.Lags(ctx, e.pool)
	if err != nil {
		return "", err
	}
	at := int64(0)
	if n := slices.IndexFunc(lags, func(l feed.Lag) bool { return l.Group == export.GroupName }); n >= 0 {
		at = lags[n].Position
	}
	if end < at {
		return "", fmt.Errorf(
			"the stream %s ends at %s and has had %s: it is filled from the log with the next event",
			e.NATS.Stream, output.Count(end), output.Count(at))
	}
	return fmt.Sprintf("the stream %s has the log up to %s", e.NATS.Stream, output.Count(end)), nil
}

// mail signs in to the SMTP server, and reports mails that could not be sent.
func (e examination) mail(ctx context.Context) (string, error) {
	h, err := mail.CheckHealth(ctx, e.pool, time.Now())
	if err != nil {
		return "", err
	}
	if !e.Mail.On() {
		if h.Waiting > 0 {
			return "", fmt.Errorf("%s and mail is off (DAFTAR_SMTP_SERVER)",
				count(h.Waiting, "mail waits", "mails wait"))
		}
		return "off: the links of invitations are shown to the inviter (DAFTAR_SMTP_SERVER)", nil
	}
	limited, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	if err := e.Mail.Check(limited); err != nil {
		return "", err
	}
	if h.Tried+h.Failed > 0 {
		return "", fmt.Errorf(
			"%s tried in vain and tried again, %d failed since yesterday; the server said: %s",
			count(h.Tried, "mail was", "mails were"), h.Failed, h.Error)
	}
	return fmt.Sprintf("%s takes mail over %s; %s", e.Mail.Server, e.Mail.Security(),
		count(h.Waiting, "mail waits", "mails wait")), nil
}

// frontDoor finds what visitors without an account may do.
func (e examination) frontDoor(ctx context.Context) (string, error) {
	demo, err := server.OpenDemo(ctx, accounts.New(e.pool, accounts.Options{}), e.Config)
	if err != nil {
		return "", err
	}
	said := "no demonstration (DAFTAR_DEMO_APPLICATION)"
	if demo != nil {
		if !demo.Application().Active {
			return "", fmt.Errorf("the application of the demonstration is not active (daftar app activate %s)",
				e.DemoApplication)
		}
		said = "a demonstration with " + demo.Application().Name
	}
	if e.SignUp {
		return said + "; people may sign up for tests", nil
	}
	return said + "; nobody may sign up (DAFTAR_SIGN_UP)", nil
}
