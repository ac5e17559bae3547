package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/transparency"
)

// checkTree looks at what proves the log to others: that the tree follows it, and
// that the newest checkpoint was signed by the key that is configured, if one is.
func checkTree(ctx context.Context, conf config, pool *pgxpool.Pool) (string, error) {
	var keys []string
	if !conf.transparency.key.IsZero() {
		keys = []string{conf.transparency.key.Public()}
	}
	h, err := transparency.CheckHealth(ctx, pool, keys)
	switch {
	case errors.Is(err, transparency.ErrSignature) && keys != nil:
		return "", fmt.Errorf("the newest checkpoint was not signed with DAFTAR_TRANSPARENCY_KEY: "+
			"a server runs with another key, or none has run with this one yet: %w", err)
	case err != nil:
		return "", err
	case h.Waiting > longLag:
		return "", fmt.Errorf("the tree has %s of %s events and the newest checkpoint %s; an event waits for one since %s",
			grouped(h.Size), grouped(h.Head), grouped(h.Signed), h.Waiting.Round(time.Second))
	case h.Signed == 0:
		return "nothing has been signed yet", nil
	}
	return fmt.Sprintf("the tree has %s of %s events; the newest checkpoint is %s old, covers %s and is signed by %s",
		grouped(h.Size), grouped(h.Head), h.Age.Round(time.Second), grouped(h.Signed), strings.Join(h.Keys, " or ")), nil
}

// exportLimit is how long the doctor waits for NATS.
const exportLimit = 5 * time.Second

// checkExport holds the stream in JetStream to the group's place in the log.
func checkExport(ctx context.Context, conf config, pool *pgxpool.Pool) (string, error) {
	if len(conf.nats.Servers) == 0 {
		return "the log is not exported (DAFTAR_NATS_URL)", nil
	}
	conf.nats.Log = zerolog.Nop()
	x, err := export.New(conf.nats)
	if err != nil {
		return "", err
	}
	defer x.Close()
	limited, cancel := context.WithTimeout(ctx, exportLimit)
	defer cancel()
	end, err := x.End(limited)
	if err != nil {
		return "", err
	}
	lags, err := feed.Lags(ctx, pool)
	if err != nil {
		return "", err
	}
	at := int64(0)
	for _, l := range lags {
		if l.Group == export.GroupName {
			at = l.Position
		}
	}
	if end < at {
		return "", fmt.Errorf("the stream %s ends at %s and has had %s: it is filled from the log with the next event",
			conf.nats.Stream, grouped(end), grouped(at))
	}
	return fmt.Sprintf("the stream %s has the log up to %s", conf.nats.Stream, grouped(end)), nil
}
