package plutu

import (
	"maps"
	"slices"
)

// Codes returns the error codes that the adapter knows.
func Codes() []string { return slices.Collect(maps.Keys(codes)) }
