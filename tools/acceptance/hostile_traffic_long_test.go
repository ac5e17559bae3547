//go:build long

package acceptance_test

import (
	"testing"
	"time"
)

// The traffic reaches all layers: requests of each kind succeed, too.
func TestLongHostileTraffic(t *testing.T) { // alone: it takes both cores
	statuses := hostileTraffic(t, number(t, "FUZZ_EXECUTIONS", 20_000),
		number(t, "FUZZ_SEED", time.Now().UnixNano()))
	for _, what := range []string{
		"create 201", "create 200", "create 422", "create 400", "retrieve 200", "page 200", "form 303",
		"notification 204", "dashboard 200",
	} {
		if statuses[what] == 0 {
			t.Errorf("there was no %s", what)
		}
	}
}
