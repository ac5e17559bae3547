package commands

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/output"
	"daftar/transparency"
)

func (p *program) auditCheck() *cobra.Command {
	var file string
	var evidence evidence
	c := cli.Command("check --proof FILE [--checkpoint OLDER] [--key KEY]",
		"Check a proof file, without a database or a network",
		func(context.Context, []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return cli.Misusef("--proof: %v", err)
			}
			return p.check(text, evidence)
		})
	c.Flags().StringVar(&file, "proof", "", "the file that audit prove made")
	evidence.flags(c, "checkpoint",
		"an older checkpoint that the log must still contain; may be given several times",
		"the log's public key from elsewhere, or the file that has it")
	return c
}

func (p *program) check(text []byte, e evidence) error {
	type verdict struct {
		OK     bool   `json:"ok"`
		UUID   string `json:"uuid,omitempty"`
		Reason string `json:"reason,omitempty"`
		*transparency.Checked
	}
	o := transparency.CheckOptions{Keys: e.keys}
	for _, c := range e.checkpoints {
		o.Older = append(o.Older, c.Note)
	}
	if err := e.checkKept(); err != nil {
		return err
	}
	proof, checked, err := checkProof(text, o)
	if other, is := errors.AsType[*transparency.NotSignedError](err); is {
		why := e.notSigned(other, ofFile)
		return cli.ReportedUnless(false, p.Answer(verdict{Reason: why}, "NOT PROVEN: "+why))
	}
	switch {
	case errors.Is(err, transparency.ErrNotProof):
		return cli.Misusef("--proof: %v", err)
	case errors.Is(err, transparency.ErrProof):
		return cli.ReportedUnless(false,
			p.Answer(verdict{Reason: err.Error()}, fmt.Sprintf("WRONG: %v", err)))
	case err != nil:
		return err
	}
	if !checked.KeyGiven {
		p.Notef("WARNING: the signature was checked with the key in the file itself (%s). "+
			"Anyone who made the file may have made the key: "+
			"get the log's key from elsewhere and give it with --key.", proof.PublicKey)
	}
	sentences := []string{fmt.Sprintf("%d events of %s are in the log of %s, unchanged, at size %s.",
		checked.Events, proof.Intent, checked.Origin, output.Count(checked.Size))}
	for _, size := range checked.ConsistentWith {
		sentences = append(sentences,
			fmt.Sprintf("The log still contains everything that the checkpoint of size %s signed.",
				output.Count(size)))
	}
	return p.Answer(verdict{OK: true, UUID: proof.Intent.String(), Checked: &checked}, sentences...)
}

// checkProof checks a file, and that its state is what its events add up to, with the
// same fields.
func checkProof(text []byte, o transparency.CheckOptions) (*transparency.Proof, transparency.Checked, error) {
	proof, err := transparency.ParseProof(text)
	if err != nil {
		return nil, transparency.Checked{}, err
	}
	checked, err := proof.Check(o)
	if err != nil {
		return nil, checked, err
	}
	events := make([]eventstore.Recorded, len(proof.Events))
	for n, e := range proof.Events {
		events[n] = e.Recorded()
	}
	replayed, err := stateOf(domain.IntentID(proof.Intent), events, proof.PublicURL)
	if err != nil {
		return nil, checked, fmt.Errorf("%w: its events cannot be replayed: %w", transparency.ErrProof, err)
	}
	var named, computed map[string]json.RawMessage
	if err := json.Unmarshal(proof.State, &named); err != nil || named == nil {
		return nil, checked, fmt.Errorf("%w: its state is no JSON object", transparency.ErrProof)
	}
	if err := json.Unmarshal(replayed, &computed); err != nil {
		return nil, checked, fmt.Errorf("read state: %w", err)
	}
	for _, field := range slices.Sorted(maps.Keys(computed)) {
		if !sameJSON(named[field], computed[field]) {
			return nil, checked, fmt.Errorf("%w: the file says that %s is %s; its events add up to %s",
				transparency.ErrProof, field, cmp.Or(string(named[field]), "missing"), computed[field])
		}
	}
	if len(named) > len(computed) {
		return nil, checked, fmt.Errorf(
			"%w: its state has fields that no payment intent has", transparency.ErrProof)
	}
	return proof, checked, nil
}

// sameJSON compares two values; it ignores white space and whether a text is escaped for a
// terminal.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil &&
		bytes.Equal(output.EscapeJSON(x.Bytes()), output.EscapeJSON(y.Bytes()))
}
