package pgtest

import (
	"bytes"
)

// Message is one message of a client to the server, as the PostgreSQL protocol
// frames it. Type is 0 for the messages before a session (startup, cancel).
type Message struct {
	Type byte
	Body []byte // without type and length
	size int    // on the wire
}

// IsSync matches the end of an extended-protocol batch: where the server commits
// an implicit transaction, and so a pgx.Batch without BEGIN.
func IsSync(m Message) bool { return m.Type == 'S' }

// IsCommit matches the COMMIT that ends a transaction: that of pgx (Tx.Commit), or one
// that was prepared under a name that ends with "commit", as the feed sends it after a
// statement.
func IsCommit(m Message) bool {
	switch m.Type {
	case 'Q':
		return bytes.EqualFold(bytes.TrimRight(m.Body, "\x00"), []byte("commit"))
	case 'B': // Bind: the portal's name, and then the statement's
		_, rest, _ := bytes.Cut(m.Body, []byte{0})
		name, _, _ := bytes.Cut(rest, []byte{0})
		return bytes.HasSuffix(name, []byte("commit"))
	}
	return false
}

// Contains matches any message with this text in it, such as a statement.
func Contains(text string) func(Message) bool {
	return func(m Message) bool { return bytes.Contains(m.Body, []byte(text)) }
}

// Nth matches the nth message (from 1) that match does.
func Nth(n int, match func(Message) bool) func(Message) bool {
	return func(m Message) bool {
		if match(m) {
			n--
		}
		return n == 0
	}
}
