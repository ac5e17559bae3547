package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/output"
	"daftar/projections"
	"daftar/transparency"
)

func (p *program) audit() *cobra.Command {
	return cli.Group("audit", "Proofs that no event was changed, removed or inserted, for auditors",
		p.auditCheckpoint(), p.auditVerify(), p.auditMissing(),
		p.auditProve(), p.auditCheck(), p.auditWitness(),
		cli.Command("key", "Print the public keys that checkpoints are signed with, the newest first",
			p.onDatabase(forAuditors, p.auditKey)),
		p.auditNewKey(),
	)
}

func (p *program) auditCheckpoint() *cobra.Command {
	c := cli.Command("checkpoint", "Print the newest signed checkpoint, to be kept elsewhere",
		p.onDatabase(forAuditors, p.checkpoint))
	c.Long = `Print the newest signed checkpoint, to be kept elsewhere. The answer is the signed
note as it is; keep it as a file.

With --json it is one JSON value with the note in it:
  origin      the name of the log
  size        how many events the checkpoint covers
  root        the root of their tree, in base64
  signed_at   when it was signed, by the database's clock
  checkpoint  the signed note: daftar audit checkpoint --json | jq -r .checkpoint > kept`
	return c
}

// checkpoint prints the note itself, not as text for people: a byte more or less would break
// the signature.
func (p *program) checkpoint(ctx context.Context, s session) error {
	c, err := transparency.Latest(ctx, s.pool)
	if err != nil {
		return err
	}
	if p.JSON {
		return p.Answer(struct {
			Origin     string    `json:"origin"`
			Size       int64     `json:"size"`
			Root       string    `json:"root"`
			SignedAt   time.Time `json:"signed_at"`
			Checkpoint string    `json:"checkpoint"`
		}{c.Origin, c.Size, c.Root.String(), c.SignedAt.UTC(), c.Note})
	}
	_, err = io.WriteString(p.Out, c.Note)
	return err
}

func (p *program) auditKey(ctx context.Context, s session) error {
	keys, err := transparency.PublicKeys(ctx, s.pool)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return fmt.Errorf("no key has been used yet; daftar serve makes one or takes DAFTAR_TRANSPARENCY_KEY")
	}
	return p.Answer(map[string][]string{"keys": keys}, keys...)
}

func (p *program) auditNewKey() *cobra.Command {
	var origin string
	c := cli.Command("new-key --origin NAME",
		"Make a signing key for DAFTAR_TRANSPARENCY_KEY; it is printed, keep it secret",
		func(context.Context, []string) error {
			k, private, err := transparency.NewKey(origin)
			if err != nil {
				return cli.Misusef("--origin: a name such as pay.example.ly, without spaces and plus signs")
			}
			p.Notef("public key: %s", k.Public())
			return p.Answer(map[string]string{"private_key": private, "public_key": k.Public()}, private)
		})
	c.Flags().StringVar(&origin, "origin", "", "the log's name: the host of the public address")
	return c
}

func (p *program) auditVerify() *cobra.Command {
	var evidence evidence
	c := cli.Command("verify [--checkpoint FILE] [--key KEY]",
		"Hash every event again and hold them to the tree and to all checkpoints",
		p.onReplica(forAuditors, func(ctx context.Context, s session) error {
			return p.verify(ctx, s, evidence)
		}))
	evidence.flags(c, "checkpoint", "a checkpoint that was kept elsewhere; may be given several times",
		"a public key from elsewhere, or the file that has it (default: those that the database names)")
	return c
}

// verify checks the log also against the newest checkpoint in the folder of published ones.
func (p *program) verify(ctx context.Context, s session, e evidence) error {
	published, err := transparency.Published(s.Transparency.Dir)
	if err != nil {
		return err
	}
	if published.Size > 0 {
		e.checkpoints = append(e.checkpoints, published)
	}
	bar := newProgress(p.Err)
	r, err := transparency.Verify(ctx, s.pool, transparency.VerifyOptions{
		Keys: e.keys, Kept: e.checkpoints, Progress: bar.show,
	})
	bar.finish()
	if err != nil {
		return e.misused(err)
	}
	if len(e.checkpoints) == 0 || len(e.keys) == 0 {
		p.Notef("Checked with what the database itself holds, which its administrator can write. " +
			"--checkpoint and --key, kept elsewhere, such as by daftar audit witness, prove more.")
	}
	if !r.OK {
		d := r.Discrepancy
		return cli.ReportedUnless(false, p.Answer(r,
			fmt.Sprintf("WRONG at position %s: %s: %s", output.Count(d.Position), d.Kind, d.Reason)))
	}
	return p.Answer(r,
		fmt.Sprintf("%s events and %s checkpoints are right, in %.1f s; root %s",
			output.Count(r.Size), output.Count(int64(r.Checkpoints)), r.Seconds, r.Root),
		output.Count(max(r.Events-r.Size, 0))+" events are too new for the tree.")
}

func (p *program) auditProve() *cobra.Command {
	var id domain.IntentID
	var out string
	var since evidence
	c := cli.Command("prove U [--out FILE] [--since CHECKPOINT]",
		"Make a file that proves the events of one intent to anybody with the public key",
		p.onDatabase(forAuditors, func(ctx context.Context, s session) error {
			return p.prove(ctx, s, id, out, since.checkpoints)
		}))
	c.Flags().StringVar(&out, "out", "", "write the proof to this file instead of standard output")
	since.flags(c, "since",
		"a checkpoint file that the proof is to be held to; the newest few hundred need not be named", "")
	return cli.Argument(c, &id, cli.ParseIntent)
}

func (p *program) prove(ctx context.Context, s session, id domain.IntentID, out string,
	since []transparency.Checkpoint,
) error {
	events, err := readIntent(ctx, s.pool, id)
	if err != nil {
		return err
	}
	proof, err := transparency.Prove(ctx, s.pool, events, since...)
	if err != nil {
		return err
	}
	proof.PublicURL = s.PublicURL
	if proof.State, err = stateOf(id, events, s.PublicURL); err != nil {
		return err
	}
	checked, err := proof.Check(transparency.CheckOptions{})
	if err != nil {
		return fmt.Errorf("the log is not what was signed; run daftar audit verify: %w", err)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(proof); err != nil {
		return fmt.Errorf("write proof: %w", err)
	}
	if out == "" {
		_, err := p.Out.Write(output.EscapeJSON(text.Bytes()))
		return err
	}
	if err := os.WriteFile(out, text.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write proof: %w", err)
	}
	return p.Answer(struct {
		File   string `json:"file"`
		UUID   string `json:"uuid"`
		Events int    `json:"events"`
		Size   int64  `json:"size"`
		Root   string `json:"root"`
	}{out, id.String(), checked.Events, checked.Size, checked.Root}, fmt.Sprintf(
		"%s proves %d events of %s in a log of %s. "+
			"It holds the events as they are: send it only to who may read them.",
		out, checked.Events, id, output.Count(checked.Size)))
}

// stateOf is what events add up to, as the API shows it.
func stateOf(id domain.IntentID, events []eventstore.Recorded, publicURL string) (json.RawMessage, error) {
	i, err := domain.Replay(id, events)
	if err != nil {
		return nil, err
	}
	return httpapi.MarshalIntent(projections.IntentOf(i), publicURL)
}
