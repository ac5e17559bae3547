package transparency

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/exactjson"
	"daftar/internal/plaintext"
)

// ErrProof says that a proof file is wrong. The message says in which way.
var ErrProof = errors.New("the proof does not hold")

// ErrNotProof is the ErrProof of text that is not a proof file.
var ErrNotProof = fmt.Errorf("%w: it is not a proof file", ErrProof)

var errNoPath = errors.New("the file has no hashes for that size")

// CheckOptions of Proof.Check.
type CheckOptions struct {
	// Keys are public keys that the reader has from elsewhere. Without any, the
	// file's own is taken, which proves only that the file agrees with itself.
	Keys []string
	// Older are notes that the reader kept.
	Older []string
}

// Checked says what a proof file proves.
type Checked struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
	Events int    `json:"events"`
	// KeyGiven: the signature was checked with a key from elsewhere.
	KeyGiven bool `json:"key_given"`
	// ConsistentWith are the sizes of the older checkpoints that the log still
	// contains.
	ConsistentWith []int64 `json:"consistent_with"`
}

// ParseProof reads a proof file, which must be as Prove makes it, so that another JSON parser
// does not find another proof in it. The error wraps ErrProof, and ErrNotProof
// if it is no proof file at all.
func ParseProof(text []byte) (*Proof, error) {
	text = []byte(plaintext.FromFile(text))
	var file struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotProof, err)
	}
	if file.Format != ProofFormat {
		return nil, fmt.Errorf("%w: its format is %q, want %q", ErrNotProof, file.Format, ProofFormat)
	}
	var p Proof
	if err := exactjson.Decode(text, &p); err != nil {
		return nil, fmt.Errorf("%w: it is not as audit prove wrote it: %w", ErrProof, err)
	}
	if p.Format != ProofFormat {
		return nil, fmt.Errorf("%w: its format is %q, want %q", ErrProof, p.Format, ProofFormat)
	}
	return &p, nil
}

// Check verifies the file against itself, the keys and older checkpoints. It needs
// nothing but its arguments. The error wraps ErrProof. It does not check State.
func (p *Proof) Check(o CheckOptions) (Checked, error) {
	checked, err := p.check(o)
	if err != nil {
		return Checked{}, fmt.Errorf("%w: %w", ErrProof, err)
	}
	return checked, nil
}

func (p *Proof) check(o CheckOptions) (Checked, error) {
	keys := o.Keys
	if len(keys) == 0 {
		keys = []string{p.PublicKey}
	}
	known, err := Verifiers(keys)
	if err != nil {
		return Checked{}, err
	}
	c, err := OpenCheckpoint(p.Checkpoint, known)
	if err != nil {
		return Checked{}, err
	}
	if err := p.checkEvents(c); err != nil {
		return Checked{}, err
	}
	checked := Checked{
		Origin:         c.Origin,
		Size:           c.Size,
		Root:           c.Root.String(),
		Events:         len(p.Events),
		KeyGiven:       len(o.Keys) > 0,
		ConsistentWith: []int64{},
	}
	for _, text := range o.Older {
		older, err := p.checkOlder(c, text, known)
		if err != nil {
			return Checked{}, err
		}
		checked.ConsistentWith = append(checked.ConsistentWith, older.Size)
	}
	return checked, nil
}

func (p *Proof) checkEvents(c Checkpoint) error {
	if len(p.Events) == 0 {
		return errors.New("it has no events")
	}
	last := int64(0)
	for n, e := range p.Events {
		switch {
		case e.StreamID != p.Intent:
			return fmt.Errorf("position %d is an event of %s, not of %s", e.Position, e.StreamID, p.Intent)
		case e.Version != n+1:
			return fmt.Errorf("version %d is missing: version %d comes in its place", n+1, e.Version)
		case e.Position <= last:
			return fmt.Errorf("position %d comes after position %d", e.Position, last)
		case e.Position > c.Size:
			return fmt.Errorf("position %d is newer than the checkpoint, which ends at %d", e.Position, c.Size)
		}
		last = e.Position
		leaf := Leaf(e.Recorded())
		if !bytes.Equal(leaf, e.Leaf) {
			return fmt.Errorf("the event at position %d does not have the leaf that the file names", e.Position)
		}
		hash := tlog.RecordHash(leaf)
		if hash != e.LeafHash {
			return fmt.Errorf("the leaf at position %d does not have the hash that the file names", e.Position)
		}
		if err := tlog.CheckRecord(e.Inclusion, c.Size, c.Root, e.Position-1, hash); err != nil {
			return fmt.Errorf("the event at position %d is not in the tree that the checkpoint signs", e.Position)
		}
	}
	return nil
}

func (p *Proof) checkOlder(c Checkpoint, text string, known note.Verifiers) (Checkpoint, error) {
	older, err := OpenCheckpoint(text, known)
	if err != nil {
		return older, fmt.Errorf("the older checkpoint: %w", err)
	}
	switch {
	case older.Origin != c.Origin:
		return older, fmt.Errorf("the older checkpoint is of %s, the file of %s", older.Origin, c.Origin)
	case older.Size > c.Size:
		return older, fmt.Errorf("the checkpoint given has %d events and the file's has %d: "+
			"make a newer proof file", older.Size, c.Size)
	case older.Size == c.Size:
		if older.Root != c.Root {
			return older, fmt.Errorf("the log was forked: two checkpoints of size %d have the roots %s and %s",
				c.Size, older.Root, c.Root)
		}
		return older, nil
	case older.Size == 0:
		return older, nil // every log contains the empty one
	}
	path, err := tlog.ProveTree(c.Size, older.Size, p.Older.reader())
	if err != nil {
		return older, fmt.Errorf("the file cannot be held to a checkpoint of size %d: "+
			"it holds no consistency proof from there; make one with audit prove %s --since FILE",
			older.Size, p.Intent)
	}
	if err := tlog.CheckTree(path, c.Size, c.Root, older.Size, older.Root); err != nil {
		return older, fmt.Errorf("the log of size %d does not contain the one of size %d: "+
			"it was rewritten, or the file's hashes are wrong", c.Size, older.Size)
	}
	return older, nil
}
