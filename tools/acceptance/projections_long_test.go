//go:build long

package acceptance_test

import "testing"

func TestLongNobodyNoticesARebuild(t *testing.T) {
	t.Parallel()
	nobodyNotices(t, 10)
}
