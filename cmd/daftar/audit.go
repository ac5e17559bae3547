package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/migrations"
	"daftar/projections"
	"daftar/transparency"
)

func (p *program) audit() *cobra.Command {
	return group("audit", "Proofs that no event was changed, removed or inserted, for auditors",
		&cobra.Command{
			Use: "checkpoint", Short: "Print the newest signed checkpoint, to be kept elsewhere", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error { return p.auditCheckpoint(c.Context()) }),
		},
		p.auditVerify(), p.auditProve(), p.auditCheck(),
		&cobra.Command{
			Use: "key", Short: "Print the public keys that checkpoints are signed with, the newest first", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error { return p.auditKey(c.Context()) }),
		},
		p.auditNewKey(),
	)
}

// withLog runs a command that an auditor's rights suffice for.
func (p *program) withLog(ctx context.Context, do func(config, *pgxpool.Pool) error) error {
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, conf.databaseURL, postgres.Options{
		ApplicationName: "daftar audit", MaxConns: 4, RuntimeParams: map[string]string{"default_transaction_read_only": "on", "jit": "off"},
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	return do(conf, pool)
}

// The signed note is the answer as it is, with --json as well: a byte more or
// less would break the signature.
func (p *program) auditCheckpoint(ctx context.Context) error {
	return p.withLog(ctx, func(_ config, pool *pgxpool.Pool) error {
		c, err := transparency.Latest(ctx, pool)
		if err != nil {
			return err
		}
		_, err = p.out.Write([]byte(c.Note))
		return err
	})
}

func (p *program) auditKey(ctx context.Context) error {
	return p.withLog(ctx, func(_ config, pool *pgxpool.Pool) error {
		keys, err := transparency.PublicKeys(ctx, pool)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return errors.New("no key has been used yet; daftar serve makes one or takes DAFTAR_TRANSPARENCY_KEY")
		}
		return p.answer(map[string]any{"keys": keys}, strings.Join(keys, "\n")+"\n")
	})
}

func (p *program) auditNewKey() *cobra.Command {
	var origin string
	c := &cobra.Command{
		Use: "new-key --origin NAME", Short: "Make a signing key for DAFTAR_TRANSPARENCY_KEY; it is printed, keep it secret", Args: cobra.NoArgs,
		RunE: running(func(*cobra.Command, []string) error {
			k, private, err := transparency.NewKey(origin)
			if err != nil {
				return misusef("--origin: a name such as pay.example.ly, without spaces and plus signs")
			}
			p.tellf("public key: %s", k.Public())
			return p.answer(map[string]any{"private_key": private, "public_key": k.Public()}, private+"\n")
		}),
	}
	c.Flags().StringVar(&origin, "origin", "", "the log's name: the host of the public address")
	mustRequire(c, "origin")
	return c
}

func (p *program) auditVerify() *cobra.Command {
	var kept, keys []string
	c := &cobra.Command{
		Use: "verify [--checkpoint FILE] [--key KEY]", Args: cobra.NoArgs,
		Short: "Hash every event anew and hold them to the tree and to all checkpoints",
		RunE: running(func(c *cobra.Command, _ []string) error {
			notes, err := readNotes(kept)
			if err != nil {
				return err
			}
			public, err := readKeys(keys)
			if err != nil {
				return err
			}
			return p.withLog(c.Context(), func(_ config, pool *pgxpool.Pool) error {
				return p.verify(c.Context(), pool, notes, public)
			})
		}),
	}
	c.Flags().StringArrayVar(&kept, "checkpoint", nil, "a checkpoint that was kept elsewhere; may be given several times")
	c.Flags().StringArrayVar(&keys, "key", nil, "a public key from elsewhere, or the file that has it (default: those that the database names)")
	return c
}

func (p *program) verify(ctx context.Context, pool *pgxpool.Pool, kept []transparency.Checkpoint, keys []string) error {
	bar := newProgress(p.errs)
	report, err := transparency.Verify(ctx, pool, transparency.VerifyOptions{
		Keys: keys, Kept: kept, Progress: func(done, total int64) {
			bar.ChangeMax64(total)
			_ = bar.Set64(done) // what cannot be shown is not worth failing for
		},
	})
	_ = bar.Finish()
	if err != nil {
		return err
	}
	if len(kept) == 0 || len(keys) == 0 {
		p.tellf("Checked with what the database itself holds. --checkpoint and --key, kept elsewhere, prove more.")
	}
	if err := p.answer(report, verifyText(report)); err != nil {
		return err
	}
	if !report.OK {
		return errReported
	}
	return nil
}

func verifyText(r transparency.Report) string {
	if !r.OK {
		return fmt.Sprintf("WRONG at position %s: %s: %s\n", grouped(r.FirstWrong.Position), r.FirstWrong.Kind, r.FirstWrong.Reason)
	}
	return fmt.Sprintf("%s events and %s checkpoints are right, in %.1f s; root %s\n%s events are too new for the tree.\n",
		grouped(r.Size), grouped(int64(r.Checkpoints)), r.Seconds, r.Root, grouped(max(r.Events-r.Size, 0)))
}

func (p *program) auditProve() *cobra.Command {
	var out string
	var since []string
	c := &cobra.Command{
		Use: "prove U [--out FILE] [--since CHECKPOINT]", Args: cobra.ExactArgs(1),
		Short: "Make a file that proves the events of one intent to anybody with the public key",
		RunE: running(func(c *cobra.Command, args []string) error {
			id, err := domain.ParseIntentID(args[0])
			if err != nil {
				return misusef("%q is not the uuid of a payment intent", args[0])
			}
			older, err := readNotes(since)
			if err != nil {
				return err
			}
			return p.withLog(c.Context(), func(conf config, pool *pgxpool.Pool) error {
				return p.prove(c.Context(), pool, id, conf.publicURL, out, older)
			})
		}),
	}
	c.Flags().StringVar(&out, "out", "", "write the proof to this file instead of standard output")
	c.Flags().StringArrayVar(&since, "since", nil, "a checkpoint file that the proof is to be held to; the newest few hundred need not be named")
	return c
}

func (p *program) prove(ctx context.Context, pool *pgxpool.Pool, id domain.IntentID, publicURL, out string, since []transparency.Checkpoint) error {
	events, err := eventstore.NewReader(pool).ReadStream(ctx, uuid.UUID(id))
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return fmt.Errorf("%s: %w", id, ledger.ErrNotFound)
	}
	proof, err := transparency.Prove(ctx, pool, events, since...)
	if err != nil {
		return err
	}
	proof.PublicURL = publicURL
	if proof.State, err = stateOf(id, events, publicURL); err != nil {
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
		_, err := p.out.Write(text.Bytes())
		return err
	}
	if err := os.WriteFile(out, text.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write proof: %w", err)
	}
	return p.answer(map[string]any{"file": out, "uuid": id.String(), "events": checked.Events, "size": checked.Size, "root": checked.Root},
		fmt.Sprintf("%s proves %d events of %s in a log of %s. It holds the events as they are: send it only to who may read them.\n",
			out, checked.Events, id, grouped(checked.Size)))
}

// stateOf is what events add up to, as the API shows it.
func stateOf(id domain.IntentID, events []eventstore.Recorded, publicURL string) (json.RawMessage, error) {
	i := domain.Blank(id)
	for _, r := range events {
		e, err := projections.Decode(r)
		if err != nil {
			return nil, err
		}
		i = domain.Evolve(i, e)
	}
	return httpapi.AppendIntent(nil, projections.IntentOf(i), publicURL)
}
