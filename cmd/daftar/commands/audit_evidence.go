package commands

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/internal/plaintext"
	"daftar/transparency"
)

// evidence is what an auditor got from outside of the database.
type evidence struct {
	checkpoints []transparency.Checkpoint
	keys        []string
}

// flags declares the flag for checkpoint files where it has a name, and that for keys
// where it has a usage.
func (e *evidence) flags(c *cobra.Command, checkpoint, ofCheckpoint, ofKey string) {
	if checkpoint != "" {
		c.Flags().Func(checkpoint, "`file` with "+ofCheckpoint, func(path string) error {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			note, err := transparency.ReadCheckpoint(text)
			e.checkpoints = append(e.checkpoints, note)
			return err
		})
	}
	if ofKey == "" {
		return
	}
	c.Flags().Func("key", ofKey, func(key string) error {
		keys, err := readKeys(key)
		e.keys = append(e.keys, keys...)
		return err
	})
}

// readKeys reads a public key, or the file that has one on each line, as audit key prints
// them.
func readKeys(key string) ([]string, error) {
	key = strings.TrimSpace(plaintext.FromFile([]byte(key)))
	if strings.Count(key, "+") < 2 || strings.HasPrefix(key, "/") {
		text, err := os.ReadFile(key)
		if err != nil {
			return nil, err
		}
		key = plaintext.FromFile(text)
	}
	keys := strings.Fields(key)
	_, err := transparency.Verifiers(keys)
	return keys, err
}

// The texts with which notSigned names the keys of which none has signed a checkpoint.
const (
	ofDatabase = "by a key that the database names; give the log's with --key, from elsewhere"
	ofFile     = "by the key in the file"
)

// notSigned is the sentence on a checkpoint that no given key has signed. Where no key was
// given, otherwise names the keys that were tried.
func (e *evidence) notSigned(err *transparency.NotSignedError, otherwise string) string {
	if len(e.keys) > 0 {
		otherwise = "by the key you gave"
	}
	return fmt.Sprintf("not signed %s: %v", otherwise, err)
}

// misused turns the error of a checkpoint that another key signed into misuse: it proves
// nothing about the log.
func (e *evidence) misused(err error) error {
	if other, is := errors.AsType[*transparency.NotSignedError](err); is {
		return cli.Misusef("%s", e.notSigned(other, ofDatabase))
	}
	return err
}

// checkKept refuses kept checkpoints that the keys given have not signed.
func (e *evidence) checkKept() error {
	if len(e.keys) == 0 {
		return nil
	}
	known, err := transparency.Verifiers(e.keys)
	if err != nil {
		return err
	}
	for _, c := range e.checkpoints {
		if _, err := transparency.OpenCheckpoint(c.Note, known); err != nil {
			return e.misused(err)
		}
	}
	return nil
}
