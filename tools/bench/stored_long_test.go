//go:build long

package main_test

import "testing"

func TestLongStoredIntentsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	storedAreThoseOfTheService(t, 21_234, 321, 0)
}
