//go:build long

package people_test

import (
	"math"
	"testing"
)

func TestLongAnOwnerIsAlwaysLeft(t *testing.T) {
	t.Parallel()
	ownersAgainstEachOther(t, math.MaxInt)
}
