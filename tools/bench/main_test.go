package main_test

import (
	"os"
	"testing"

	"daftar/internal/postgres/pgtest"
	bench "daftar/tools/bench"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == bench.ReturnArgument {
		if bench.ReturnBytes() != nil {
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}
