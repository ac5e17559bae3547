package transparency_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/transparency"
)

// Anyone can check a proof of Include with the key alone; the proof does not reveal the events.
func TestInclude(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := transparency.Include(t.Context(), w.pool); !errors.Is(err, transparency.ErrNoCheckpoint) {
		t.Errorf("before any checkpoint: %v", err)
	}
	w.fill(300)
	w.grow(64)
	c := w.sign()
	events := w.events(0, 300)
	in, err := transparency.Include(t.Context(), w.pool, events[0], events[260])
	if err != nil {
		t.Fatal(err)
	}
	known, err := transparency.Verifiers([]string{in.PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	signed, err := transparency.OpenCheckpoint(in.Checkpoint, known)
	if err != nil || signed.Root != c.Root || signed.Size != 300 || in.Size != 300 || in.Root != c.Root ||
		len(in.Leaves) != 2 {
		t.Fatalf("%+v, %+v, %v", in, signed, err)
	}
	for n, e := range []int{0, 260} {
		leaf := in.Leaves[n]
		if leaf.Position != events[e].Position || leaf.Hash != tlog.RecordHash(transparency.Leaf(events[e])) {
			t.Errorf("leaf %+v", leaf)
		}
		if err := tlog.CheckRecord(leaf.Path, signed.Size, signed.Root, leaf.Position-1, leaf.Hash); err != nil {
			t.Error(err)
		}
	}
	text, err := json.Marshal(in)
	if err != nil || bytes.Contains(text, events[0].Payload) ||
		bytes.Contains(text, []byte(events[0].Stream.String())) {
		t.Errorf("the proof tells what the events are: %s, %v", text, err)
	}
}

// An event that is newer than the checkpoint is not proved, and one that was changed since it was
// signed is detected.
func TestIncludeProvesNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(20)
	w.grow(64)
	w.sign()
	w.fill(5)
	w.grow(64)
	_, err := transparency.Include(t.Context(), w.pool, w.events(20, 21)...)
	if !errors.Is(err, transparency.ErrUncovered) {
		t.Errorf("an event that nothing covers: %v", err)
	}
	w.tamper(`UPDATE events SET payload = '{"n":7}' WHERE position = 3`)
	_, err = transparency.Include(t.Context(), w.pool, w.events(2, 3)...)
	if !errors.Is(err, transparency.ErrMismatch) {
		t.Errorf("an event that was changed: %v", err)
	}
}
