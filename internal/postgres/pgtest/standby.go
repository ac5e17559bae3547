package pgtest

import (
	"context"
	"maps"
	"net/url"
	"os"
	"strings"
	"testing"

	"daftar/internal/pgcluster"
)

// Replicated is a primary with a synchronous standby, for tests of a promotion.
type Replicated struct {
	Primary, Standby *Cluster
	Database         string
}

// NewReplicated starts a server with a migrated database, and a standby whose confirmation
// each commit waits for. Both are removed when the test ends.
func NewReplicated(t testing.TB, settings map[string]string) *Replicated {
	t.Helper()
	settings = maps.Clone(settings)
	if settings == nil {
		settings = map[string]string{}
	}
	settings["wal_keep_size"] = "256MB" // for a standby after a rewind
	r := &Replicated{Primary: NewInstalledCluster(t, settings), Database: "replicated"}
	r.Primary.Database(t, r.Database)
	r.Standby = r.Primary.NewStandby(t, "standby", settings)
	r.Synchronous(t)
	return r
}

// NewStandby starts a standby of the cluster, removed when the test ends.
func (c *Cluster) NewStandby(t testing.TB, name string, settings map[string]string) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	config, err := configOf(settings)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	standby, err := pgcluster.StartStandby(ctx, config, pgcluster.Upstream{Of: c.Cluster, Name: name})
	if err != nil {
		_ = os.RemoveAll(config.Dir)
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := remove(standby); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return &Cluster{standby}
}

// Synchronous makes commits on the primary wait for the standby, and returns when it streams.
func (r *Replicated) Synchronous(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	if err := r.Primary.Set(ctx, map[string]string{"synchronous_standby_names": "standby"}); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	if err := r.Primary.AwaitStandbys(ctx, "standby"); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
}

// Promote makes the standby the primary, whose commits wait for no standby. The old primary
// is left as it is.
func (r *Replicated) Promote(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	if err := r.Standby.Set(ctx, map[string]string{"synchronous_standby_names": ""}); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	if err := r.Standby.Promote(ctx); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
}

// URL names both servers, the primary first, and wants the one that takes writes.
func (r *Replicated) URL(user string) string {
	return Hosts(r.Primary.URL(r.Database, user), r.Standby.URL(r.Database, user))
}

// Hosts makes one URL of those of a database on several servers, which differ in their hosts.
func Hosts(first string, others ...string) string {
	u, err := url.Parse(first)
	if err != nil {
		panic("pgtest: not a URL")
	}
	hosts := []string{u.Host}
	for _, other := range others {
		o, err := url.Parse(other)
		if err != nil {
			panic("pgtest: not a URL")
		}
		hosts = append(hosts, o.Host)
	}
	u.Host = strings.Join(hosts, ",")
	query := u.Query()
	query.Set("target_session_attrs", "read-write")
	query.Set("connect_timeout", connectSeconds)
	u.RawQuery = query.Encode()
	return u.String()
}
