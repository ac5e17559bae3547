package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"daftar/tools/bench/figures"
)

// report is what commands that go over the whole log answer.
type report struct {
	OK      bool    `json:"ok"`
	Events  int     `json:"events"`
	Size    int     `json:"size"` // of the tree
	Seconds float64 `json:"seconds"`
}

// rebuild measures `daftar projections rebuild intents` on the log of the feed, including
// the comparison with the table in use. The first one finds an empty table, which is drift.
func (s *stage) rebuild(ctx context.Context) (figures.Result, error) {
	return s.replay(ctx, feedDatabase, "intents", s.backlog, "rebuild", "--accept-drift")
}

// verify measures `daftar audit verify` on the log of the feed.
func (s *stage) verify(ctx context.Context) (figures.Result, error) {
	return s.audit(ctx, feedDatabase, s.backlog)
}

// replay rebuilds or verifies a read model from a log of at least so many events. After a
// rebuild it drops the replaced table.
func (s *stage) replay(
	ctx context.Context, database, model string, least int, verb string, flags ...string,
) (r figures.Result, err error) {
	var found report
	arguments := append([]string{"projections", verb, model, "--json"}, flags...)
	if r.Cost, err = s.command(ctx, database, &found, arguments...); err != nil {
		return r, err
	}
	if found.Events < least {
		return r, fmt.Errorf("projections %s %s replayed %d of %d events", verb, model, found.Events, least)
	}
	if verb == "rebuild" {
		var dropped any
		if _, err := s.command(ctx, database, &dropped,
			"projections", "clean", "--older-than", "0s", "--json"); err != nil {
			return r, err
		}
	}
	r.Operations, r.Value = found.Events, float64(found.Events)/found.Seconds
	return r, nil
}

// audit verifies a whole log of at least so many events against its tree.
func (s *stage) audit(ctx context.Context, database string, least int) (r figures.Result, err error) {
	var found report
	if r.Cost, err = s.command(ctx, database, &found, "audit", "verify", "--json"); err != nil {
		return r, err
	}
	if !found.OK || found.Size < least {
		return r, fmt.Errorf("the verification found OK %v of %d events instead of %d",
			found.OK, found.Size, least)
	}
	r.Operations, r.Value = found.Size, float64(found.Size)/found.Seconds
	return r, nil
}

// command runs the program on a database and decodes the last line of its output, which
// is JSON, into answer. The cost is its processor time.
func (s *stage) command(
	ctx context.Context, database string, answer any, arguments ...string,
) (cost figures.Cost, err error) {
	c := exec.CommandContext(ctx, s.daftar, arguments...) //nolint:gosec // the program to measure
	c.Env = append(os.Environ(), "DAFTAR_DATABASE_URL="+s.cluster.URL(database, owner))
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return cost, fmt.Errorf("daftar %v: %w: %s", arguments, err, exit.Stderr)
	}
	if err != nil {
		return cost, fmt.Errorf("daftar %v: %w", arguments, err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], answer); err != nil {
		return cost, fmt.Errorf("daftar %v answered %s: %w", arguments, out, err)
	}
	cost.Server = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return cost, nil
}
