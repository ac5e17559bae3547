//go:build long

package dashboard_test

import (
	"strings"
	"testing"
)

// Every role requests every route of either organisation, for both applications of each.
func TestLongMatrix(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"of one organisation", "of the other"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMatrix(t)
			m.ours, m.theirs = m.businesses[n], m.businesses[1-n]
			for app := range 2 {
				m.app = app
				for _, row := range matrix {
					if (app == 0 || row.ofApplication()) && (n == 0 || !row.alone) {
						m.ask(row)
					}
				}
			}
			m.noSecretIsKept()
		})
	}
}

// ofApplication reports whether the row is about something of one application.
func (row matrixRow) ofApplication() bool {
	for _, part := range []string{"{application}", "{delivery}", "{payment}"} {
		if strings.Contains(row.path, part) {
			return true
		}
	}
	return false
}
