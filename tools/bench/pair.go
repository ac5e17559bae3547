package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"daftar/internal/pgcluster"
)

// pair is a PostgreSQL server with a synchronous standby on this machine, and a database
// on it.
type pair struct {
	site

	primary, standby *pgcluster.Cluster
}

const standbyName = "standby"

// enterPair moves the stage to a server with a synchronous standby. The first call starts
// the pair; it is idle while the stage is elsewhere.
func (s *stage) enterPair(ctx context.Context) (leave func(context.Context) error, err error) {
	home, alone := s.site, s.cluster
	if s.pair == nil {
		if s.pair, err = s.startPair(ctx); err != nil {
			return nil, err
		}
	}
	s.cluster = s.pair.primary
	if s.pair.pool == nil {
		if s.pair.site, err = s.newSite(ctx, database, ""); err != nil {
			s.cluster = alone
			return nil, err
		}
	}
	s.site, s.settledAt = s.pair.site, nothingSettled
	return func(context.Context) error {
		s.stopServers()
		s.pair.site, s.site, s.cluster, s.settledAt = s.site, home, alone, nothingSettled
		return nil
	}, nil
}

func (s *stage) startPair(ctx context.Context) (*pair, error) {
	all := maps.Clone(settings)
	all["wal_keep_size"] = "256MB"
	p := &pair{}
	var err error
	config := pgcluster.Config{Dir: filepath.Join(s.dir, "primary"), Settings: all}
	if p.primary, err = pgcluster.Start(ctx, config); err != nil {
		return nil, fmt.Errorf("start primary: %w", err)
	}
	p.standby, err = pgcluster.StartStandby(ctx,
		pgcluster.Config{Dir: filepath.Join(s.dir, standbyName), Settings: maps.Clone(all)},
		pgcluster.Upstream{Of: p.primary, Name: standbyName})
	if err != nil {
		p.stop(ctx)
		return nil, fmt.Errorf("start standby: %w", err)
	}
	err = errors.Join(
		p.primary.EnsureRole(ctx, owner, true),
		p.primary.EnsureRole(ctx, user, false),
		p.primary.Set(ctx, map[string]string{"synchronous_standby_names": standbyName}),
		p.primary.AwaitStandbys(ctx, standbyName))
	if err != nil {
		p.stop(ctx)
		return nil, fmt.Errorf("prepare primary and standby: %w", err)
	}
	return p, nil
}

// stop ends and removes both. The primary goes first: its end is sent to the standby.
func (p *pair) stop(ctx context.Context) {
	if p.pool != nil {
		p.pool.Close()
	}
	for _, c := range []*pgcluster.Cluster{p.primary, p.standby} {
		if c != nil {
			_ = c.Stop(ctx)
			_ = c.Remove()
		}
	}
}
