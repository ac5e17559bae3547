package feed_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

// remembered is how many events a group took from memory.
func remembered(t *testing.T, r *prometheus.Registry) int {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "daftar_feed_remembered_events_total" {
			return int(f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	t.Fatal("no metric of remembered events")
	return 0
}

// hook is called by a store once its target is set.
type hook struct {
	call atomic.Pointer[func([]eventstore.Recorded)]
}

func (h *hook) committed(events []eventstore.Recorded) {
	if call := h.call.Load(); call != nil {
		(*call)(events)
	}
}

func (h *hook) to(f running) {
	call := f.Committed
	h.call.Store(&call)
}

// The events from memory must equal, to the byte, those from the log.
func TestWhatWasCommittedIsWhatTheLogHas(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var committed []eventstore.Recorded
	w := newWorld(t, func(events []eventstore.Recorded) {
		mu.Lock()
		defer mu.Unlock()
		committed = append(committed, events...)
	})
	for _, payload := range []string{`{}`, `{"description":"قهوة \u0026 شاي"}`,
		`{"long":"` + strings.Repeat("é", 5000) + `"}`} {
		_, err := w.store.Append(t.Context(), eventstore.Append{
			Stream: uuid.New(),
			Events: []eventstore.Event{{Type: "test.happened", SchemaVersion: 3, Payload: []byte(payload)},
				{Type: "t", SchemaVersion: 1, Payload: []byte(`1`)}},
			Metadata: eventstore.Metadata{Actor: "operator:سالم", CorrelationID: "c"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pgtest.WaitFor(t, "the hook to get all events", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(committed) == 6
	})
	log, err := eventstore.NewReader(w.pool).ReadRange(t.Context(), 0, 100, 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(log, committed); diff != "" {
		t.Errorf("what was committed is not what the log has:\n%s", diff)
	}
}

// A server that writes the log delivers its events to its groups without reading them back; each
// event once, with the bytes of the log.
func TestGroupsTakeWhatWasCommittedHere(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	var mu sync.Mutex
	var seen []eventstore.Recorded
	metrics := prometheus.NewRegistry()
	w.add(t, 3) // before the feed: only the log has them
	f := w.run(t, feed.Config{Poll: never, Registerer: metrics}, feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range events {
				e.Payload, e.Metadata = bytes.Clone(e.Payload), bytes.Clone(e.Metadata)
				seen = append(seen, e)
			}
			return record(ctx, tx, "g", events)
		}})
	w.wantEffects(t, "g", 3)
	h.to(f)
	for n := int64(1); n <= 20; n++ {
		w.add(t, 2)
		w.wantEffects(t, "g", 3+2*n)
	}
	upTo := w.addUntilRemembered(t, metrics, 43)
	if got := int64(remembered(t, metrics)); got > upTo-3 {
		t.Errorf("%d of %d events came from memory", got, upTo-3)
	}
	log, err := eventstore.NewReader(w.pool).ReadRange(t.Context(), 0, upTo, int(upTo))
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(log, seen); diff != "" {
		t.Errorf("the group saw other events than the log has:\n%s", diff)
	}
}

// What one group has read from the log the others of the server take from memory.
func TestGroupsShareWhatOneHasRead(t *testing.T) {
	t.Parallel()
	const all, batch = 200, 10
	w := newWorld(t, nil)
	w.add(t, all) // by another server: this one has none of it in memory
	metrics, prompt := prometheus.NewRegistry(), make(chan struct{})
	w.run(t, feed.Config{Batch: batch, Registerer: metrics},
		feed.Group{Name: "prompt", Handle: recordAs("prompt")},
		feed.Group{Name: "later", Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			<-prompt
			return record(ctx, tx, "later", events)
		}})
	w.wantEffects(t, "prompt", all)
	close(prompt)
	w.wantEffects(t, "later", all)
	if got := remembered(t, metrics); got < all-batch { // "later" is the first in the order of names
		t.Errorf("%d of %d events came from memory, want all but the first %d at least", got, all, batch)
	}
}

// Two servers write the same log and run the same group: each lacks in memory the events of the
// other, and both advance the offset.
func TestTwoServersWithMemory(t *testing.T) {
	t.Parallel()
	twoServersWithMemory(t, 60)
}

func twoServersWithMemory(t *testing.T, each int) {
	t.Helper()
	var one, two hook
	w := newWorld(t, one.committed)
	other := eventstore.New(w.pool, w.pool, eventstore.Options{OnCommit: two.committed})
	t.Cleanup(func() { _ = other.Close(context.Background()) })
	one.to(w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: recordAs("g")}))
	two.to(w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: recordAs("g")}))
	stores := []*eventstore.Store{w.store, other}
	var writers sync.WaitGroup
	for n, s := range stores {
		writers.Go(func() {
			for range each {
				_, err := s.Append(t.Context(), eventstore.Append{
					Stream: uuid.New(), Events: []eventstore.Event{{Type: "test.happened", SchemaVersion: 1,
						Payload: []byte(`{}`)}},
				})
				if err != nil {
					t.Errorf("server %d: %v", n, err)
					return
				}
			}
		})
	}
	writers.Wait()
	w.wantEffects(t, "g", int64(2*each))
}

// An event that was parked and released is delivered although newer ones are in memory, and a
// handler that fails gets the same events from the log.
func TestMemoryHidesNothing(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	var cured atomic.Bool
	metrics := prometheus.NewRegistry()
	f := w.run(t, feed.Config{Registerer: metrics}, feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			for _, e := range events {
				if e.Type == "test.poison" && !cured.Load() {
					return errTest
				}
			}
			return record(ctx, tx, "g", events)
		}})
	h.to(f)
	w.add(t, 2)
	w.wantEffects(t, "g", 2)
	w.add(t, 3, "test.happened", "test.poison")
	w.wantEffects(t, "g", 5, 4)
	cured.Store(true)
	if err := feed.Release(t.Context(), w.pool, "g", 4); err != nil {
		t.Fatal(err)
	}
	for n := int64(6); n <= 15; n++ {
		w.add(t, 1)
	}
	pgtest.WaitFor(t, "the released event", func() bool {
		return w.count(t, `SELECT count(*) FROM parked_events`) == 0
	})
	w.wantEffects(t, "g", 15)
	w.addUntilRemembered(t, metrics, 15)
}

// addUntilRemembered adds events until the group g has taken one from memory, and returns the end
// of the log then. A poll between a commit and the update of the memory reads the log: on a busy
// machine the notification often comes before the memory is updated.
func (w *world) addUntilRemembered(t *testing.T, metrics *prometheus.Registry, upTo int64) int64 {
	t.Helper()
	pgtest.WaitFor(t, "an event from memory", func() bool {
		if remembered(t, metrics) > 0 {
			return true
		}
		w.add(t, 1)
		upTo++
		w.wantEffects(t, "g", upTo)
		return false
	})
	return upTo
}
