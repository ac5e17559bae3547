//go:build long

package projections_test

import (
	"testing"

	"daftar/projections/rebuild"
)

// These are tests of the fast suite at their full size.

func TestLongRebuildGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	rebuildInterrupted(t, 50_000, rebuild.Options{})
}

func TestLongRebuildBesideWriters(t *testing.T) {
	t.Parallel()
	rebuildWithWriters(t, 6, 3, 2)
}

func TestLongRebuildRefusesDriftUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	rebuildRefusesDrift(t, tampering)
}

func TestLongDriftOfModelsIsEvidence(t *testing.T) {
	t.Parallel()
	driftIsEvidence(t, changes)
}

func TestLongPagesAreBoundedWork(t *testing.T) {
	t.Parallel()
	pagesAreBoundedWork(t, 60_000, 20_000)
}
