package commands

import (
	"context"
	"fmt"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/domain"
	"daftar/export"
	"daftar/internal/output"
	"daftar/recovery"
	"daftar/transparency"
	"daftar/webhooks"
)

// outside is what a call was given from outside of the database.
type outside struct {
	evidence

	recording export.Recording
	received  []webhooks.Notice
	passed    int
}

func (o *outside) flags(c *cobra.Command) {
	o.evidence.flags(c, "checkpoint", "a checkpoint that was kept elsewhere; may be given several times",
		"a public key from elsewhere, or the file that has it (default: those that the database names)")
	fileFlag(c, "events",
		"`file` with the end of the log as daftar events export wrote it, instead of the stream",
		func(file *os.File) (err error) {
			o.recording, err = export.ReadRecording(file)
			return err
		})
}

// fileFlag declares a flag that names a file; content that read refuses is misuse.
func fileFlag(c *cobra.Command, name, usage string, read func(*os.File) error) {
	c.Flags().Func(name, usage, func(path string) error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		if err := read(file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
}

func (p *program) auditMissing() *cobra.Command {
	var o outside
	c := cli.Command("missing [--checkpoint FILE] [--key KEY] [--events FILE] [--webhooks FILE]",
		"Name what was acknowledged and the log does not have, "+
			"such as after the promotion of an asynchronous standby",
		p.onDatabase(forAuditors, func(ctx context.Context, s session) error { return p.missing(ctx, s, o) }))
	c.Long = `Name what was acknowledged and the log does not have, such as after the promotion of
an asynchronous standby. Nothing is changed.

The log is held to everything that was kept outside of the database: checkpoints
(--checkpoint, and the folder in DAFTAR_CHECKPOINT_DIR), the stream in NATS JetStream
where DAFTAR_NATS_URL names it, or lines of daftar events export (--events), ` +
		`and bodies of webhooks that a merchant's server received,
one on each line (--webhooks). A checkpoint of size N proves that there were N events; stream
and lines have the events themselves; a webhook names an event of an intent. The exit code is
1 where something is missing. docs/runbook/lost-commits.md says how to put it right.`
	o.flags(c)
	fileFlag(c, "webhooks", "`file` with bodies of webhooks, one on each line; may be given several times",
		func(file *os.File) error {
			read, passed, err := webhooks.ReadNotices(file)
			o.received, o.passed = append(o.received, read...), o.passed+passed
			return err
		})
	return c
}

func (p *program) missing(ctx context.Context, s session, o outside) error {
	e, done, err := o.evidenceFor(s.Config)
	if err != nil {
		return err
	}
	defer done()
	if len(e.Kept) == 0 && e.Copy == nil && len(e.Received)+o.passed == 0 {
		return cli.Misusef("there is nothing to hold the log to: " +
			"--checkpoint, --events, --webhooks, DAFTAR_CHECKPOINT_DIR or DAFTAR_NATS_URL")
	}
	if o.passed > 0 {
		p.Notef("%s passed over: tests, or of a type that this version does not know.",
			count(o.passed, "webhook was", "webhooks were"))
	}
	bar := newProgress(p.Err)
	e.Progress = bar.show
	r, err := recovery.Find(ctx, s.pool, e)
	bar.finish()
	if err != nil {
		return o.misused(err)
	}
	return cli.ReportedUnless(r.OK, p.showMissing(r, len(o.received)))
}

// evidenceFor adds to what was given what the variables name. The caller calls done at the end.
func (o *outside) evidenceFor(c config.Config) (e recovery.Evidence, done func(), err error) {
	e = recovery.Evidence{Keys: o.keys, Received: o.received}
	if e.Kept, err = transparency.KeptIn(c.Transparency.Dir); err != nil {
		return e, nil, err
	}
	for _, given := range o.checkpoints {
		e.Kept = append(e.Kept, transparency.KeptOf(given))
	}
	switch {
	case len(o.recording) > 0:
		e.Copy = o.recording
	case len(c.NATS.Servers) > 0:
		c.NATS.Log = zerolog.Nop()
		stream, err := export.New(c.NATS)
		if err != nil {
			return e, nil, err
		}
		e.Copy = exportedLog{stream}
		return e, stream.Close, nil
	}
	return e, func() {}, nil
}

// exportedLog is the stream, which has to be there within answerLimit.
type exportedLog struct{ *export.NATS }

// Extent implements recovery.Copy.
func (x exportedLog) Extent(ctx context.Context) (first, last int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	return x.NATS.Extent(ctx)
}

type missingEvents struct {
	recovery.Report

	Rows []missingEvent `json:"-" label:""`
}

// missingEvent is a line of the answer for people.
type missingEvent struct {
	Position          *int64 `label:"position"`
	Type              string `label:"event"`
	At                string `label:"at"`
	MerchantReference string `label:"merchant's reference"`
	Amount            string `label:"amount"`
	Received          bool   `label:"webhook received"`
	Intent            string `below:"stream"`
	Instead           string `below:""`
}

func (p *program) showMissing(r recovery.Report, received int) error {
	answer := missingEvents{Report: r}
	for _, l := range r.Lost {
		row := missingEvent{
			Position: l.Position, Type: l.Type, At: l.At.Format("2006-01-02T15:04:05.000Z"),
			MerchantReference: l.MerchantReference, Received: l.Received,
			Intent: fmt.Sprintf("%s, its event %d", l.Intent, l.Version),
		}
		if l.Amount != nil {
			row.Amount = domain.Money{Minor: *l.Amount, Currency: domain.Currency(l.Currency)}.String()
		}
		if l.Instead != nil {
			row.Instead = "the log has another event there, at position " + output.Count(*l.Instead)
		}
		answer.Rows = append(answer.Rows, row)
	}
	sentences := []string{fmt.Sprintf("The log has %s.", count(int(r.Events), "event", "events"))}
	if r.Signed > 0 {
		sentences = append(sentences,
			fmt.Sprintf("The largest kept checkpoint was signed over %s.", output.Count(r.Signed)))
	}
	if r.CopyHas != nil {
		sentences = append(sentences, fmt.Sprintf("The export has positions %s.", span(*r.CopyHas)))
	}
	if received > 0 {
		sentences = append(sentences, fmt.Sprintf("%s received.", count(received, "webhook was", "webhooks were")))
	}
	if r.SameTo > 0 {
		sentences = append(sentences,
			fmt.Sprintf("Up to position %s the log has what was acknowledged.", output.Count(r.SameTo)))
	}
	return p.Answer(answer, append(sentences, verdictOn(r)...)...)
}

// verdictOn says what is missing.
func verdictOn(r recovery.Report) []string {
	if r.OK {
		return []string{"Nothing is missing."}
	}
	var all []string
	if d := r.Differs; d != nil {
		where := "at position " + output.Count(d.From)
		if d.To > d.From {
			where = "somewhere in positions " + span(*d)
		}
		all = append(all, fmt.Sprintf(
			"DIFFERS: %s the log begins to have other events than were acknowledged there.", where))
	}
	if m := r.Missing; m != nil {
		all = append(all, fmt.Sprintf("MISSING: positions %s (%s).",
			span(*m), count(int(m.Count()), "event", "events")))
	}
	for _, u := range r.Unknown {
		all = append(all, fmt.Sprintf("Of positions %s nothing but their number is known.", span(u)))
	}
	alone := 0
	for _, l := range r.Lost {
		if l.Position == nil {
			alone++
		}
	}
	if alone > 0 {
		all = append(all, fmt.Sprintf(
			"MISSING: %s, at positions that only a checkpoint or the export could tell.",
			count(alone, "event of which a webhook tells", "events of which webhooks tell")))
	}
	return all
}

func span(s recovery.Span) string {
	if s.Count() == 1 {
		return output.Count(s.From)
	}
	return output.Count(s.From) + " to " + output.Count(s.To)
}
