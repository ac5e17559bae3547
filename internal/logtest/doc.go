// Package logtest keeps what the code under test logs.
//
// A Log can be read while it is written, and never fails. It belongs to one test.
package logtest

import (
	"bytes"
	"sync"
)

// Log is an io.Writer that keeps everything. The zero Log is empty; it must not be copied.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
