//go:build long

package pgcluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres/pgtest"
)

// The lock of a running cluster is removed. A second owner waits as long as a server may
// take to end after its owner, and is refused.
func TestLongSecondOwnerWithoutTheLock(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	if err := os.Remove(filepath.Join(cluster.Dir(), "lock")); err != nil {
		t.Fatal(err)
	}
	_, err := pgcluster.Start(t.Context(), pgcluster.Config{Dir: cluster.Dir()})
	if !errors.Is(err, pgcluster.ErrInUse) {
		t.Errorf("a second owner without the lock: %v, want %v", err, pgcluster.ErrInUse)
	}
}
