package commands

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/internal/output"
	"daftar/recovery"
)

func (p *program) eventsRestore() *cobra.Command {
	var o outside
	unproven := false
	c := cli.Command("restore [--checkpoint FILE] [--key KEY] [--events FILE] [--unproven]",
		"Write back the events that the log has lost, from what was exported",
		p.onDatabase(forCommands, func(ctx context.Context, s session) error {
			return p.restore(ctx, s, o, unproven)
		}))
	c.Long = `Write back the events that the log has lost, from the stream in NATS JetStream, or from
lines that daftar events export wrote (--events).

For after the promotion of an asynchronous standby, before any server is started: the
events that follow the log's last one are written as they were recorded, at their
positions, in one transaction. It is committed only if the log then has the root of the
largest kept checkpoint (--checkpoint, and the folder in DAFTAR_CHECKPOINT_DIR). Events
behind that checkpoint are the export's word alone and need --unproven. Where positions were
given to other events, nothing is written. daftar audit missing shows beforehand what is
missing; docs/runbook/lost-commits.md says what else may be lost.`
	o.flags(c)
	c.Flags().BoolVar(&unproven, "unproven", false, "also events that no kept checkpoint covers")
	return c
}

func (p *program) restore(ctx context.Context, s session, o outside, unproven bool) error {
	e, done, err := o.evidenceFor(s.Config)
	if err != nil {
		return err
	}
	defer done()
	if e.Copy == nil {
		return cli.Misusef("--events or DAFTAR_NATS_URL is missing: there is nothing that has the events")
	}
	bar := newProgress(p.Err)
	e.Progress = bar.show
	r, err := recovery.Restore(ctx, s.pool, e, unproven)
	bar.finish()
	if err != nil {
		return o.misused(err)
	}
	sentences := []string{"Nothing is missing."}
	if r.Written != nil {
		sentences = []string{fmt.Sprintf(
			"Restored: positions %s (%s). A kept checkpoint proves the log up to position %s.",
			span(*r.Written), count(int(r.Written.Count()), "event", "events"), output.Count(r.Proven))}
	}
	if len(r.Processing) > 0 {
		sentences = append(sentences,
			fmt.Sprintf("%s being paid: open the checkout page of each once the servers run.",
				count(len(r.Processing), "of their intents is", "of their intents are")))
		for _, id := range r.Processing {
			sentences = append(sentences, id.String())
		}
	}
	if r.Missing != nil {
		sentences = append(sentences,
			fmt.Sprintf("STILL MISSING: positions %s, which the export does not have.", span(*r.Missing)))
	}
	return cli.ReportedUnless(r.Missing == nil, p.Answer(r, sentences...))
}
