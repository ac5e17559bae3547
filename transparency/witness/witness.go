package witness

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/wholefile"
	"daftar/transparency"
)

// Errors of a checkpoint that is not cosigned.
var (
	// ErrUnknownLog says that it is of another log, or that the witness has no key of a log yet.
	ErrUnknownLog = errors.New("the witness does not know the log")
	// ErrProof says that no proof shows that it extends the one that was cosigned last.
	ErrProof = errors.New("the checkpoint does not extend the one that was cosigned last")
	// errAhead says that the request names a larger one that it extends.
	errAhead = errors.New("the old size is greater than the checkpoint's")
)

// errStale says that the witness has cosigned another size than the one that the
// request says the checkpoint extends.
type errStale struct{ size int64 }

func (e errStale) Error() string { return fmt.Sprintf("the witness has cosigned %d events", e.size) }

// Finding is the evidence against a log: two checkpoints that it signed and that cannot both
// be true, or between which it has no proof. It names the files that have them.
type Finding struct {
	Kept, Shown transparency.Checkpoint
	Reason      string
	Files       []string
}

// Error is for people.
func (f *Finding) Error() string {
	return fmt.Sprintf("THE LOG WAS REWRITTEN: %s. It signed %s over %d events, which this witness cosigned, "+
		"and now %s over %d. The signed notes are in %s",
		f.Reason, f.Kept.Root, f.Kept.Size, f.Shown.Root, f.Shown.Size, strings.Join(f.Files, " and "))
}

// Witness cosigns the checkpoints of one log.
type Witness struct {
	path     string
	lock     *os.File
	now      func() time.Time
	cosigner transparency.Cosigner

	mu    sync.Mutex
	state state
	keys  note.Verifiers
	kept  transparency.Checkpoint // of the state; zero: none yet
}

// Open reads a witness's state, or makes a witness of the given name, with a new key. Errors:
// ErrInUse, or those of the file.
func Open(path, name string, now func() time.Time) (*Witness, error) {
	file, err := lock(path)
	if err != nil {
		return nil, err
	}
	w := &Witness{path: path, lock: file, now: now}
	if err := w.open(name); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func (w *Witness) open(name string) error {
	s, err := readState(w.path, name)
	if err != nil {
		return err
	}
	if w.cosigner, err = transparency.NewCosigner(s.Name, s.Seed); err != nil {
		return err
	}
	if s.Checkpoint != "" {
		if w.kept, err = transparency.ParseCheckpoint(s.Checkpoint); err != nil {
			return fmt.Errorf("read the witness's state: %w", err)
		}
	}
	if err := s.write(w.path); err != nil { // a state that cannot be written is useless
		return err
	}
	w.state = s
	return w.Trust()
}

// Close releases the state for other processes.
func (w *Witness) Close() { _ = w.lock.Close() }

// Public is the key with which anyone checks the witness's cosignatures.
func (w *Witness) Public() string { return w.cosigner.Public() }

// LogKeys are the log's public keys that the witness trusts.
func (w *Witness) LogKeys() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.state.LogKeys)
}

// Trust adds public keys of the log to those that the witness trusts, permanently.
// All must be of one log: they have the same name.
func (w *Witness) Trust(keys ...string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state
	for _, key := range keys {
		if !slices.Contains(s.LogKeys, key) {
			s.LogKeys = append(slices.Clone(s.LogKeys), key)
		}
	}
	if len(s.LogKeys) == 0 {
		w.keys = note.VerifierList()
		return nil
	}
	verifiers, err := transparency.Verifiers(s.LogKeys)
	if err != nil {
		return err
	}
	for _, key := range s.LogKeys {
		if origin(key) != origin(s.LogKeys[0]) {
			return fmt.Errorf("the witness follows %s, and %s is a key of another log", origin(s.LogKeys[0]), key)
		}
	}
	if len(s.LogKeys) > len(w.state.LogKeys) {
		if err := s.write(w.path); err != nil {
			return err
		}
	}
	w.state, w.keys = s, verifiers
	return nil
}

// origin is the name of the log in its key.
func origin(key string) string {
	name, _, _ := strings.Cut(key, "+")
	return name
}

// Cosigned is the newest checkpoint that was cosigned, with the signatures of the log
// and of the witness; zero: none yet.
func (w *Witness) Cosigned() transparency.Checkpoint {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kept
}

// Check reads a signed checkpoint of the log. Errors: transparency.ErrNotCheckpoint,
// ErrUnknownLog, transparency.ErrSignature.
func (w *Witness) Check(text string) (transparency.Checkpoint, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.check(text)
}

func (w *Witness) check(text string) (transparency.Checkpoint, error) {
	c, err := transparency.ParseCheckpoint(text)
	if err != nil {
		return c, err
	}
	if len(w.state.LogKeys) == 0 || c.Origin != origin(w.state.LogKeys[0]) {
		return c, ErrUnknownLog
	}
	return transparency.OpenCheckpoint(text, w.keys)
}

// Add cosigns a checkpoint that extends the one of size old, which must be the newest
// that was cosigned, and returns the signature line. The checkpoint is stored before
// Add returns. Errors: those of Check; one that has the size of the newest;
// ErrProof; a *Finding if the log has signed two trees of one size.
func (w *Witness) Add(text string, old int64, proof tlog.TreeProof) (line string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, err := w.check(text)
	if err != nil {
		return "", err
	}
	switch {
	case old > c.Size:
		return "", errAhead
	case old != w.kept.Size:
		return "", errStale{w.kept.Size}
	case c.Size == old && c.Root != w.root():
		if old == 0 {
			return "", fmt.Errorf("%w: a tree without events has another root", ErrProof)
		}
		return "", w.convict(c, fmt.Sprintf("two trees of %d events were signed", c.Size))
	}
	if err := checkProof(proof, w.kept, c); err != nil {
		return "", err
	}
	signed, err := note.Open([]byte(text), w.keys)
	if err != nil {
		return "", err
	}
	line = w.cosigner.Cosign(signed.Text, w.now())
	c.Note = signed.Text + "\n"
	for _, s := range signed.Sigs {
		c.Note += transparency.SignatureLine(s)
	}
	c.Note += line
	s := w.state
	s.Checkpoint = c.Note
	if err := s.write(w.path); err != nil {
		return "", err
	}
	w.state, w.kept = s, c
	return line, nil
}

// root is the root of the newest cosigned tree.
func (w *Witness) root() tlog.Hash {
	if w.kept.Size > 0 {
		return w.kept.Root
	}
	empty, _ := tlog.TreeHash(0, nil) // has no error
	return empty
}

func checkProof(proof tlog.TreeProof, kept, c transparency.Checkpoint) error {
	if kept.Size == 0 || kept.Size == c.Size {
		if len(proof) > 0 {
			return fmt.Errorf("%w: from %d events to %d the proof is empty", ErrProof, kept.Size, c.Size)
		}
		return nil
	}
	if tlog.CheckTree(proof, c.Size, c.Root, kept.Size, kept.Root) != nil {
		return ErrProof
	}
	return nil
}

// convict writes both notes to files and returns the finding.
func (w *Witness) convict(shown transparency.Checkpoint, reason string) error {
	f := &Finding{Kept: w.kept, Shown: shown, Reason: reason}
	for what, c := range []transparency.Checkpoint{w.kept, shown} {
		path := fmt.Sprintf("%s.evidence-%d-%s", w.path, w.kept.Size, []string{"kept", "shown"}[what])
		if err := wholefile.Write(path, []byte(c.Note), 0o600); err != nil {
			f.Reason += fmt.Sprintf(" (%v; the note is: %q)", err, c.Note)
			continue
		}
		f.Files = append(f.Files, path)
	}
	return f
}
