package feed

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"
)

// routerLog writes Watermill's messages to our log, one level lower: the feed itself
// logs what operators need. Fields are encoded only when a line is written.
type routerLog struct {
	log    zerolog.Logger
	fields watermill.LogFields
}

func (l routerLog) write(level zerolog.Level, msg string, err error, fields watermill.LogFields) {
	if l.log.GetLevel() <= level {
		l.log.WithLevel(level).Err(err).Fields(map[string]any(l.fields.Add(fields))).Msg("watermill: " + msg)
	}
}

// Error logs an error, unless it only says that the feed is ending.
func (l routerLog) Error(msg string, err error, fields watermill.LogFields) {
	level := zerolog.ErrorLevel
	if errors.Is(err, context.Canceled) || errors.Is(err, sql.ErrTxDone) {
		level = zerolog.DebugLevel
	}
	l.write(level, msg, err, fields)
}

// Info logs at debug level.
func (l routerLog) Info(msg string, fields watermill.LogFields) {
	l.write(zerolog.DebugLevel, msg, nil, fields)
}

// Debug logs at trace level.
func (l routerLog) Debug(msg string, fields watermill.LogFields) {
	l.write(zerolog.TraceLevel, msg, nil, fields)
}

// Trace logs nothing: it would be every statement.
func (l routerLog) Trace(string, watermill.LogFields) {}

// With adds fields to every line.
func (l routerLog) With(fields watermill.LogFields) watermill.LoggerAdapter {
	return routerLog{log: l.log, fields: l.fields.Add(fields)}
}
