//go:build long

package accounts_test

import (
	"math"
	"testing"
)

func TestLongAnOwnerIsAlwaysLeft(t *testing.T) {
	t.Parallel()
	ownersAgainstEachOther(t, math.MaxInt)
}
