//go:build long

package export_test

import "testing"

func TestLongToolsAgree(t *testing.T) { agree(t, 1_000, 100) }
