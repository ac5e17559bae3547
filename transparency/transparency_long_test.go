//go:build long

package transparency_test

import "testing"

// These are tests of the fast suite at their full size.

func TestLongEdgeIsTheTreeOfTlog(t *testing.T) {
	t.Parallel()
	edgeIsTheTreeOfTlog(t, 2*65536+300)
}

func TestLongAnybodyCanFollowTheLog(t *testing.T) {
	t.Parallel()
	anyoneCanFollowTheLog(t, 1)
}
