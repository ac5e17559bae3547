//go:build long

package transparency_test

import "testing"

// This is a test of the fast suite at its full size.
func TestLongAnybodyCanFollowTheLog(t *testing.T) {
	t.Parallel()
	anyoneCanFollowTheLog(t, 1)
}
