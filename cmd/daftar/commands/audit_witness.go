package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/internal/ops"
	"daftar/internal/output"
	"daftar/internal/worker"
	"daftar/transparency"
	"daftar/transparency/witness"
)

// watch holds the flags of audit witness.
type watch struct {
	from, state, name, listen string
	every                     time.Duration
	once                      bool
	evidence                  evidence
}

func (p *program) auditWitness() *cobra.Command {
	var o watch
	c := cli.Command("witness --from URL --state FILE [--key KEY] [--every D | --once] [--listen ADDRESS]",
		"Cosign the checkpoints of a log on another machine, and hold the log to them",
		func(ctx context.Context, _ []string) error { return p.witness(ctx, o) })
	c.Flags().StringVar(&o.from, "from", "", "the public `address` of the service")
	c.Flags().StringVar(&o.state, "state", "",
		"the `file` that keeps the witness's key and the newest checkpoint; made at the first start")
	c.Flags().StringVar(&o.name, "name", "",
		"the `name` in the witness's key, such as witness.example.ly/daftar; "+
			"for the first start (default: the machine's name)")
	c.Flags().StringVar(&o.listen, "listen", "",
		"the `address` at which the witness takes submissions and serves what it cosigned")
	c.Flags().DurationVar(&o.every, "every", 10*time.Second, "how often the log is asked")
	c.Flags().BoolVar(&o.once, "once", false, "ask the log once")
	o.evidence.flags(c, "", "",
		"the log's public `key`, or the file that has it (default: the one that the log shows at the first start)")
	return cli.Before(c, func([]string) error {
		if o.every < time.Second || o.once && o.listen != "" {
			return cli.Misusef("--every is a second at least; --once does not listen")
		}
		return nil
	})
}

func (p *program) witness(ctx context.Context, o watch) error {
	log, err := witness.NewLog(o.from)
	if err != nil {
		return cli.Misusef("--from: %v", err)
	}
	host, _ := os.Hostname() // without a name, --name is needed
	w, err := witness.Open(o.state, cmp.Or(o.name, host), time.Now)
	if err != nil {
		return cli.Misusef("--state: %v", err)
	}
	defer w.Close()
	if err := w.Trust(o.evidence.keys...); err != nil {
		return cli.Misusef("--key: %v", err)
	}
	p.Notef("The witness's public key: %s", w.Public())
	if o.once {
		c, err := w.ReadAndCosign(ctx, log)
		return p.witnessed(w, c, err)
	}
	return p.witnessed(w, transparency.Checkpoint{}, p.follow(ctx, o, w, log))
}

// answeredFor is longer than a server takes from signing a checkpoint to submitting it.
const answeredFor = 3 * time.Second

// follow follows the log, and listens if --listen is given, until ctx ends or the log is
// caught in a contradiction.
func (p *program) follow(ctx context.Context, o watch, w *witness.Witness, log witness.Log) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	served := make(chan error, 1)
	go func() {
		if o.listen == "" {
			served <- nil
			return
		}
		handler := w.Handler(func(f *witness.Finding) { cancel(f) })
		err := server.Serve(ctx, "--listen", o.listen, handler, ops.NewLog(p.Err, zerolog.InfoLevel))
		if err != nil {
			cancel(err)
		}
		served <- err
	}()
	var newest int64
	err := w.Follow(ctx, log, o.every, func(c transparency.Checkpoint, err error) {
		switch {
		case err != nil:
			p.Notef("NOT COSIGNED: %v", err)
		case c.Size > newest || newest == 0:
			if newest == 0 {
				p.Notef("The log's public key: %s", strings.Join(w.LogKeys(), " or "))
			}
			newest = c.Size
			p.Notef("cosigned %s events of %s, root %s", output.Count(c.Size), c.Origin, c.Root)
		}
	})
	if f, caught := errors.AsType[*witness.Finding](err); caught && o.listen != "" {
		// The log's server has signed the contradiction, and may be about to submit it: it
		// has to get the answer, too.
		p.Notef("The log is caught (%v); it is answered for %s.", f, answeredFor)
		worker.Sleep(ctx, answeredFor)
	}
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause // a submission contradicts the log, or the address cannot be listened on
	}
	cancel(nil)
	return errors.Join(err, <-served)
}

// witnessed prints the result.
func (p *program) witnessed(w *witness.Witness, c transparency.Checkpoint, err error) error {
	type answer struct {
		OK      bool     `json:"ok"`
		Origin  string   `json:"origin,omitempty"`
		Size    int64    `json:"size"`
		Root    string   `json:"root,omitempty"`
		Witness string   `json:"witness"`
		LogKeys []string `json:"log_keys"`
		Note    string   `json:"note,omitempty"` // with the log's signature and the witness's
		Reason  string   `json:"reason,omitempty"`
		Files   []string `json:"evidence,omitempty"`
	}
	if f, ok := errors.AsType[*witness.Finding](err); ok {
		a := answer{
			Origin: f.Kept.Origin, Size: f.Kept.Size, Root: f.Kept.Root.String(),
			Witness: w.Public(), LogKeys: w.LogKeys(), Reason: f.Error(), Files: f.Files,
		}
		return cli.ReportedUnless(false, p.Answer(a, "WRONG: "+f.Error()))
	}
	if err != nil || c.Note == "" {
		return err
	}
	a := answer{
		OK: true, Origin: c.Origin, Size: c.Size, Root: c.Root.String(),
		Witness: w.Public(), LogKeys: w.LogKeys(), Note: c.Note,
	}
	return p.Answer(a, fmt.Sprintf("Cosigned: %s events of %s, root %s.",
		output.Count(c.Size), c.Origin, c.Root))
}
