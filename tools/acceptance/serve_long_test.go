//go:build long

package acceptance_test

import (
	"testing"
	"time"
)

func TestLongDatabaseAwayAndBack(t *testing.T) { // alone: it measures
	if took := awayAndBack(t); took > 5*time.Second {
		t.Errorf("the first good create came %v after the database", took)
	}
}

func TestLongDrainUnderLoad(t *testing.T) { // alone: it measures
	if took := drainUnderLoad(t); took > 10*time.Second {
		t.Errorf("stopped after %v", took)
	}
}

func TestLongSilentDatabase(t *testing.T) { // alone: it measures
	if slowest := silentDatabase(t); slowest > 7*time.Second {
		t.Errorf("an answer took %v", slowest)
	}
}

func TestLongDemoTwice(t *testing.T) { // alone: it measures
	if stopped, ready := demoTwice(t); stopped > 12*time.Second || ready > 10*time.Second {
		t.Errorf("the first run stopped after %v, the second was ready after %v", stopped, ready)
	}
}
