//go:build long

package storybook_test

import "testing"

func TestLongEveryStoryIsReadable(t *testing.T) {
	t.Parallel()
	mustBeReadable(t, stories())
}
