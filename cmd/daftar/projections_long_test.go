//go:build long

package main_test

import "testing"

func TestLongNobodyNoticesARebuild(t *testing.T) {
	t.Parallel()
	nobodyNotices(t, 10)
}
