package settings_test

import (
	"testing"

	"daftar/accounts/accountstest"
)

// world is accountstest.World with the steps of this package's tests.
type world struct{ *accountstest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{accountstest.NewWorld(t)}
}

// Short names of what the tests use most.
var (
	operator = accountstest.Operator
	by       = accountstest.By
)
