package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/transparency"
)

func (p *program) auditCheck() *cobra.Command {
	var file string
	var older, keys []string
	c := &cobra.Command{
		Use: "check --proof FILE [--checkpoint OLDER] [--key KEY]", Args: cobra.NoArgs,
		Short: "Check a proof file, without a database or a network",
		RunE: running(func(*cobra.Command, []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return misusef("--proof: %v", err)
			}
			notes, err := readNotes(older)
			if err != nil {
				return err
			}
			public, err := readKeys(keys)
			if err != nil {
				return err
			}
			return p.check(text, notes, public)
		}),
	}
	c.Flags().StringVar(&file, "proof", "", "the file that audit prove made")
	c.Flags().StringArrayVar(&older, "checkpoint", nil, "an older checkpoint that the log must still contain; may be given several times")
	c.Flags().StringArrayVar(&keys, "key", nil, "the log's public key from elsewhere, or the file that has it")
	mustRequire(c, "proof")
	return c
}

func (p *program) check(text []byte, older []transparency.Checkpoint, keys []string) error {
	type verdict struct {
		OK     bool   `json:"ok"`
		UUID   string `json:"uuid,omitempty"`
		Reason string `json:"reason,omitempty"`
		*transparency.Checked
	}
	o := transparency.CheckOptions{Keys: keys}
	for _, c := range older {
		o.Older = append(o.Older, c.Note)
	}
	proof, checked, err := checkProof(text, o)
	if errors.Is(err, transparency.ErrProof) {
		if err := p.answer(verdict{Reason: err.Error()}, fmt.Sprintf("WRONG: %v\n", err)); err != nil {
			return err
		}
		return errReported
	}
	if err != nil {
		return err
	}
	if !checked.KeyGiven {
		p.tellf("WARNING: the signature was checked with the key in the file itself (%s). "+
			"Whoever made the file may have made the key: get the log's key from elsewhere and give it with --key.", proof.PublicKey)
	}
	var held strings.Builder
	for _, size := range checked.ConsistentWith {
		fmt.Fprintf(&held, "The log still contains everything that the checkpoint of size %s signed.\n", grouped(size))
	}
	return p.answer(verdict{OK: true, UUID: proof.Intent.String(), Checked: &checked},
		fmt.Sprintf("%d events of %s are in the log of %s, unchanged, at size %s.\n%s", checked.Events, proof.Intent, checked.Origin,
			grouped(checked.Size), held.String()))
}

// checkProof checks a file, and that its state is what its events add up to.
// Fields that a later version may add to the state are not held against it.
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
	fields := make([]string, 0, len(named))
	for field := range named {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for _, field := range fields {
		if !sameJSON(named[field], computed[field]) {
			return nil, checked, fmt.Errorf("%w: the file says that %s is %s; its events add up to %s",
				transparency.ErrProof, field, named[field], computed[field])
		}
	}
	return proof, checked, nil
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// readNotes reads checkpoint files.
func readNotes(paths []string) ([]transparency.Checkpoint, error) {
	var all []transparency.Checkpoint
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, misusef("%v", err)
		}
		c, err := transparency.ParseCheckpoint(string(text))
		if err != nil {
			return nil, misusef("%s: %v", path, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// readKeys reads public keys that are given as text or by file.
func readKeys(given []string) ([]string, error) {
	var keys []string
	for _, g := range given {
		if strings.Count(g, "+") < 2 || strings.ContainsAny(g, "\n") {
			text, err := os.ReadFile(g)
			if err != nil {
				return nil, misusef("--key: %v", err)
			}
			g = strings.TrimSpace(string(text))
		}
		if err := transparency.CheckPublicKey(g); err != nil {
			return nil, misusef("--key: %v", err)
		}
		keys = append(keys, g)
	}
	return keys, nil
}
