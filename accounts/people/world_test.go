package people_test

import (
	"testing"

	"daftar/accounts/accountstest"
)

// world is what the tests of this package share with those of people and settings.
type world struct{ *accountstest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{accountstest.NewWorld(t)}
}
