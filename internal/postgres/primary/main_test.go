package primary_test

import (
	"testing"

	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
