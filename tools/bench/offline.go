package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/rs/zerolog"

	"daftar/eventstore/feed"
	"daftar/tools/bench/figures"
	"daftar/transparency"
)

// rebuild measures `daftar projections rebuild intents` on the log of the feed, including
// the comparison with the table in use. Then it drops the replaced table.
func (s *stage) rebuild(ctx context.Context) (figures.Result, error) {
	var report struct {
		Events  int     `json:"events"`
		Seconds float64 `json:"seconds"`
	}
	// The first rebuild finds an empty table, which is drift.
	spent, err := s.command(ctx, &report, "projections", "rebuild", "intents", "--accept-drift", "--json")
	if err != nil {
		return figures.Result{}, err
	}
	if report.Events < s.backlog { // the log has grown since it was filled
		return figures.Result{}, fmt.Errorf("the rebuild replayed %d of %d events", report.Events, s.backlog)
	}
	var dropped any
	if _, err := s.command(ctx, &dropped, "projections", "clean", "--older-than", "0s", "--json"); err != nil {
		return figures.Result{}, err
	}
	return figures.Result{
		Value:      float64(report.Events) / report.Seconds,
		Operations: report.Events,
		Cost:       spent,
	}, nil
}

// verify measures `daftar audit verify` on the log of the feed.
func (s *stage) verify(ctx context.Context) (figures.Result, error) {
	var report struct {
		OK      bool    `json:"ok"`
		Size    int     `json:"size"`
		Seconds float64 `json:"seconds"`
	}
	spent, err := s.command(ctx, &report, "audit", "verify", "--json")
	if err != nil {
		return figures.Result{}, err
	}
	if !report.OK || report.Size < s.backlog {
		return figures.Result{}, fmt.Errorf("the verification found OK %v of %d events instead of %d",
			report.OK, report.Size, s.backlog)
	}
	return figures.Result{
		Value:      float64(report.Size) / report.Seconds,
		Operations: report.Size,
		Cost:       spent,
	}, nil
}

// command runs the program on the log of the feed.
func (s *stage) command(ctx context.Context, answer any, arguments ...string) (figures.Cost, error) {
	return s.commandOn(ctx, feedDatabase, answer, arguments...)
}

// commandOn runs the program on a database and decodes the last line of its output, which
// is JSON, into answer.
func (s *stage) commandOn(
	ctx context.Context, database string, answer any, arguments ...string,
) (figures.Cost, error) {
	c := exec.CommandContext(ctx, s.daftar, arguments...) //nolint:gosec // the program to measure
	c.Env = append(os.Environ(), "DAFTAR_DATABASE_URL="+s.cluster.URL(database, owner))
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return figures.Cost{}, fmt.Errorf("daftar %v: %w: %s", arguments, err, exit.Stderr)
	}
	if err != nil {
		return figures.Cost{}, fmt.Errorf("daftar %v: %w", arguments, err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], answer); err != nil {
		return figures.Cost{}, fmt.Errorf("daftar %v answered %s: %w", arguments, out, err)
	}
	return figures.Cost{Server: processCost(c.ProcessState)}, nil
}

// prepareTree hashes the log of the feed into the transparency tree, once: a verification
// checks the events against that tree.
func (s *stage) prepareTree(ctx context.Context) error {
	if err := s.prepareFeed(ctx); err != nil || s.treeReady {
		return err
	}
	fmt.Fprintf(os.Stderr, "hashing %d events\n", s.backlog)
	if err := s.hash(ctx, feedDatabase, int64(s.backlog)); err != nil {
		return err
	}
	s.treeReady = true
	return nil
}

// hashLimit is enough for more than a hundred million events.
const hashLimit = 2 * time.Hour

// hash runs the transparency group on a database until it has hashed the given position.
func (s *stage) hash(ctx context.Context, database string, upTo int64) error {
	pool, err := s.feedPool(ctx, database, "off")
	if err != nil {
		return err
	}
	defer pool.Close()
	running, stop := context.WithCancel(ctx)
	defer stop()
	f, err := feed.New(feed.Config{
		Pool:   pool,
		Log:    zerolog.New(os.Stderr).Level(zerolog.WarnLevel),
		Groups: []feed.Group{transparency.Group()},
	})
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- f.Run(running) }()
	err = until(ctx, hashLimit, func() (bool, error) {
		var size int64
		err := pool.QueryRow(ctx, `SELECT size FROM transparency_tree`).Scan(&size)
		return size >= upTo, err
	})
	stop()
	if err := errors.Join(err, <-done); err != nil {
		return fmt.Errorf("hash the log: %w", err)
	}
	return nil
}
