package pgcluster_test

import (
	"os"
	"testing"

	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerEnv); dir != "" {
		ownCluster(dir) // this process is the one that TestServerDiesWithItsOwner kills
		return
	}
	pgtest.Main(m)
}
