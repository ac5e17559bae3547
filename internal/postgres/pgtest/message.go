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

// IsCommit matches the COMMIT that ends a transaction of pgx (Tx.Commit).
func IsCommit(m Message) bool {
	return m.Type == 'Q' && bytes.EqualFold(bytes.TrimRight(m.Body, "\x00"), []byte("commit"))
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
