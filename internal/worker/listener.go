package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
)

const (
	// relistenPause is between the loss of a connection and the next attempt.
	relistenPause = 100 * time.Millisecond
	// closeTimeout bounds the closing of a connection, also on a silent network.
	closeTimeout = 100 * time.Millisecond
)

// Listener waits for NOTIFY on its own connection.
type Listener struct {
	Connection *pgx.ConnConfig
	Channel    string
	// Notified gets the payload of each notification, and "" whenever a connection
	// begins to listen. It must return at once.
	Notified func(payload string)
	// Retry is how long the Listener waits after an attempt to connect that failed.
	Retry time.Duration
	Log   zerolog.Logger
}

// Run listens until ctx ends.
func (l Listener) Run(ctx context.Context) {
	log := l.Log.With().Str("channel", l.Channel).Logger()
	for warned := false; ; {
		listened, err := l.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		// An outage is one warning, however often the connection is tried.
		level, pause := zerolog.WarnLevel, max(l.Retry, relistenPause)
		if listened {
			pause = relistenPause
		} else if warned {
			level = zerolog.DebugLevel
		}
		warned = true
		log.WithLevel(level).Err(err).Msg("not notified by the database: new work waits for the next poll")
		if !Sleep(ctx, pause) {
			return
		}
	}
}

// listen reports notifications until the connection breaks. It returns false if
// there was none.
func (l Listener) listen(ctx context.Context) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, l.Connection.Copy())
	if err != nil {
		return false, fmt.Errorf("connect: %w", err)
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		_ = conn.Close(closing) // there is nothing left to lose
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{l.Channel}.Sanitize()); err != nil {
		return false, fmt.Errorf("listen: %w", err)
	}
	l.Notified("") // notifications before this may be lost
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true, fmt.Errorf("wait for notification: %w", err)
		}
		l.Notified(n.Payload)
	}
}
