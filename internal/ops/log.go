package ops

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// NewLog writes a log of the given level: JSON, one line each, or lines for
// people where w is a terminal. Times are UTC. Card numbers and credentials are
// redacted.
func NewLog(w io.Writer, level zerolog.Level) zerolog.Logger {
	setTimes()
	if IsTerminal(w) {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(redactingWriter{w}).Level(level).With().Timestamp().Logger()
}

// setTimes sets the global variables of zerolog, once: another log may be written to
// already.
var setTimes = sync.OnceFunc(func() {
	zerolog.TimeFieldFormat = time.RFC3339Nano
	zerolog.TimestampFunc = func() time.Time { return time.Now().UTC() }
})

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
