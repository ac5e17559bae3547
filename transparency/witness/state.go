package witness

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daftar/internal/exactjson"
	"daftar/internal/wholefile"
)

// stateFormat is the first field of every state file.
const stateFormat = "daftar-witness/1"

// state is what a witness stores. Its seed is secret.
type state struct {
	Format string `json:"format"`
	Name   string `json:"name"`
	Seed   []byte `json:"seed"` // of the key that cosigns
	// LogKeys are the log's public keys that the witness trusts.
	LogKeys []string `json:"log_keys"`
	// Checkpoint is the newest that was cosigned, with the signatures of the log and the
	// witness; "": none yet.
	Checkpoint string `json:"checkpoint"`
}

// readState reads a state file, or makes the state of a new witness. It is not written yet.
func readState(path, name string) (state, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		s := state{Format: stateFormat, Name: name, Seed: make([]byte, ed25519.SeedSize), LogKeys: []string{}}
		_, err := rand.Read(s.Seed)
		return s, err
	}
	var s state
	if err == nil {
		err = exactjson.Decode(text, &s)
	}
	if err == nil && s.Format != stateFormat {
		err = fmt.Errorf("its format is %q, want %q", s.Format, stateFormat)
	}
	if err != nil {
		return state{}, fmt.Errorf("read the witness's state: %w", err)
	}
	return s, nil
}

// write stores the state on disk before it returns. Other users may not read it.
func (s state) write(path string) error {
	text, err := json.Marshal(s, jsontext.WithIndent(" "))
	if err == nil {
		err = wholefile.Write(path, append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep the witness's state: %w", err)
	}
	return nil
}

// ErrInUse says that another process is this witness already.
var ErrInUse = errors.New("another process uses the witness's state")

// lock locks the state for this process; the kernel releases the lock when the process ends.
func lock(path string) (*os.File, error) {
	file, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the witness's state: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%w: %s", ErrInUse, path)
	}
	return file, nil
}
