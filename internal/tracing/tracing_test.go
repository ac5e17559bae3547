package tracing_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"

	"daftar/internal/tracing"
)

// Without Start nothing is recorded, and a call costs next to nothing.
func TestOffCostsNothing(t *testing.T) { //nolint:paralleltest // others of this package turn tracing on
	ctx := t.Context()
	allocations := testing.AllocsPerRun(100, func() {
		began, end := tracing.Begin(ctx, "append")
		if tracing.Parent(began) != "" || began != ctx {
			t.Error("a trace where none was asked for")
		}
		end(nil)
	})
	if allocations != 0 || tracing.On() {
		t.Errorf("%v allocations, on is %t", allocations, tracing.On())
	}
}

// Continue continues the trace that Parent named; without one a new trace begins.
func TestContinue(t *testing.T) { //nolint:paralleltest // tracing is the process's
	s := httptest.NewServer(http.NotFoundHandler()) // a collector that refuses everything
	t.Cleanup(s.Close)
	t.Setenv(tracing.Variable, s.URL)
	stop, err := tracing.Start(t.Context(), "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tracing.Start(t.Context(), "test", zerolog.Nop()); err == nil {
		t.Error("tracing was started twice")
	}
	const trace = len("00-") + 32
	first, end := tracing.Begin(t.Context(), "request")
	parent := tracing.Parent(first)
	end(errors.New("secret"))
	for named, same := range map[string]bool{parent: true, "": false, "nonsense": false} {
		next, end := tracing.Continue(t.Context(), named, "webhook")
		if got := tracing.Parent(next); len(got) < trace || (got[:trace] == parent[:trace]) != same {
			t.Errorf("after %q comes %q", named, got)
		}
		end(nil)
	}
	_ = stop(t.Context()) // the collector refuses
	if tracing.On() {
		t.Error("tracing is on after its end")
	}
}
