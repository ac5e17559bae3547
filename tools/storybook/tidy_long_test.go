//go:build long

package storybook_test

import (
	"testing"

	"daftar/tools/storybook"
)

func TestLongEveryStoryIsTidy(t *testing.T) {
	t.Parallel()
	for _, l := range storybook.Languages {
		k := kind{storybook.Light, l}
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			k.mustBeTidy(t, stories())
		})
	}
}
