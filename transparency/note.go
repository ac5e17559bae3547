package transparency

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/plaintext"
)

// Errors of a signed note.
var (
	// ErrNotCheckpoint is returned for text that is no checkpoint.
	ErrNotCheckpoint = errors.New("not a checkpoint")
	// ErrSignature says that none of the keys has signed a checkpoint.
	ErrSignature = errors.New("the signature does not hold")
)

// NotSignedError is the ErrSignature of a checkpoint that has no signature of the keys
// with which it was checked. The keys may be the wrong ones: the error says nothing about the
// log.
type NotSignedError struct {
	Origin string
	Size   int64
	By     []string // NAME+HASH of the keys that its signatures name
}

func (e *NotSignedError) Error() string {
	return fmt.Sprintf("the checkpoint of size %d of %s bears the signature of %s alone",
		e.Size, e.Origin, strings.Join(e.By, " and "))
}

// Is reports whether target is ErrSignature.
func (e *NotSignedError) Is(target error) bool { return target == ErrSignature }

// ReadCheckpoint reads a signed note from a file that a person kept. A well-formed one is
// used as it is. Otherwise changes by editors, shells and mail are undone first: a byte order
// mark, UTF-16, line ends of other systems, and blanks and lines at both ends. This cannot
// turn a note into another that a key has signed. The error wraps ErrNotCheckpoint.
func ReadCheckpoint(file []byte) (Checkpoint, error) {
	if c, err := ParseCheckpoint(string(file)); err == nil {
		return c, nil
	}
	text := strings.TrimSpace(plaintext.FromFile(file))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
		return Checkpoint{}, fmt.Errorf(`%w: it is JSON; jq -r .checkpoint gives the signed note in it`,
			ErrNotCheckpoint)
	}
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		lines[n] = strings.TrimSpace(line)
	}
	return ParseCheckpoint(strings.Join(lines, "\n") + "\n")
}

// ParseCheckpoint reads a signed note without checking its signatures. The error wraps
// ErrNotCheckpoint and states what is wrong.
func ParseCheckpoint(text string) (Checkpoint, error) {
	c, err := parseBody(text)
	if err != nil {
		return Checkpoint{}, err
	}
	if _, err := note.Open([]byte(text), note.VerifierList()); !isUnverified(err) {
		return Checkpoint{}, malformed(text)
	}
	return c, nil
}

func isUnverified(err error) bool {
	_, is := errors.AsType[*note.UnverifiedNoteError](err)
	return is
}

// parseBody reads the part above the signatures.
func parseBody(text string) (Checkpoint, error) {
	body, _, signed := strings.Cut(text, "\n\n")
	lines := strings.Split(body, "\n")
	if !signed || len(lines) < 3 || lines[0] == "" {
		return Checkpoint{}, fmt.Errorf("%w: it has no origin, size, root and signature", ErrNotCheckpoint)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, fmt.Errorf("%w: %q is no size", ErrNotCheckpoint, lines[1])
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return Checkpoint{}, fmt.Errorf("%w: %q is no root", ErrNotCheckpoint, lines[2])
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: tlog.Hash(root), Note: text}, nil
}

// malformed returns why a text is not a signed note.
func malformed(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%w: it is not UTF-8", ErrNotCheckpoint)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) {
		return fmt.Errorf("%w: it has control characters", ErrNotCheckpoint)
	}
	signatures := text[strings.LastIndex(text, "\n\n")+2:]
	for line := range strings.Lines(signatures) {
		if _, err := note.Open([]byte("x\n\n"+line), note.VerifierList()); !isUnverified(err) {
			return fmt.Errorf("%w: %q is no line of a signature, which is an em dash, a name and base64",
				ErrNotCheckpoint, line)
		}
	}
	return fmt.Errorf("%w: it does not end with the lines of its signatures", ErrNotCheckpoint)
}

// OpenCheckpoint reads a signed note that one of the keys has signed under the log's name.
// Errors wrap ErrNotCheckpoint or ErrSignature, and are a *NotSignedError if no signature
// is of one of the keys.
func OpenCheckpoint(text string, keys note.Verifiers) (Checkpoint, error) {
	c, err := parseBody(text)
	if err != nil {
		return Checkpoint{}, err
	}
	opened, err := note.Open([]byte(text), keys)
	if unverified, is := errors.AsType[*note.UnverifiedNoteError](err); is {
		e := &NotSignedError{Origin: c.Origin, Size: c.Size}
		for _, s := range unverified.Note.UnverifiedSigs {
			e.By = append(e.By, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
		}
		return Checkpoint{}, e
	}
	if invalid, is := errors.AsType[*note.InvalidSignatureError](err); is {
		return Checkpoint{}, fmt.Errorf("checkpoint of size %d: %w: it is not the text that %s+%08x signed",
			c.Size, ErrSignature, invalid.Name, invalid.Hash)
	}
	if err != nil {
		return Checkpoint{}, malformed(text)
	}
	for _, s := range opened.Sigs {
		if s.Name == c.Origin {
			return c, nil
		}
	}
	return Checkpoint{}, fmt.Errorf("checkpoint of size %d: %w: it is of %s, signed by another name",
		c.Size, ErrSignature, c.Origin)
}
