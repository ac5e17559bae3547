package domain_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
)

// Whatever bytes are stored under whatever name and version, reading them returns an event or an
// error. An event that was read is written in one form, which reads as the same event, and every
// history can be folded.
func FuzzEventDecode(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, file := range files {
		payload, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := strings.Split(filepath.Base(file), ".")
		f.Add(parts[0]+"."+parts[1], 1, payload)
	}
	f.Add("intent.unknown", 1, []byte(`{}`))
	f.Add(domain.TypeExpired, 2, []byte(`{"at":"2026-11-20T20:38:15Z"}`))
	f.Add(domain.TypeExpired, 1, []byte(`{"at":"2026-11-20T20:38:15.1234567+02:00"}`))
	f.Add(domain.TypeExpired, 1, []byte(`{"at":"0001-01-01T00:00:00Z"}`))
	f.Add(domain.TypeCreated, 1, []byte(`{"currency":"LYD","metadata":{"a":"1","a":"2"}}`))
	f.Add(domain.TypeSucceeded, 1, []byte("{\"currency\":\"LYD\",\"attempt\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, name string, version int, payload []byte) {
		stored := domain.StoredEvent{Type: name, SchemaVersion: version, Payload: payload}
		e, err := domain.DecodeEvent(stored)
		if err != nil {
			return
		}
		again, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatalf("%q of version %d, %q: was read and cannot be written: %v", name, version, payload, err)
		}
		if again.Type != name || again.SchemaVersion != version {
			t.Errorf("%q of version %d is written as %q of version %d", name, version, again.Type, again.SchemaVersion)
		}
		same, err := domain.DecodeEvent(again)
		if err != nil {
			t.Fatalf("%q was written as %q, which cannot be read: %v", payload, again.Payload, err)
		}
		if diff := cmp.Diff(e, same); diff != "" {
			t.Errorf("%q was written as %q, and reads as (-before +after):\n%s", payload, again.Payload, diff)
		}
		if third, err := domain.EncodeEvent(same); err != nil || !bytes.Equal(third.Payload, again.Payload) {
			t.Errorf("%q is written as %q, then as %q, %v", payload, again.Payload, third.Payload, err)
		}
		i := domain.Fold(domain.IntentID{1}, []domain.Event{e, same})
		want := same.OccurredAt()
		_, recorded := same.(domain.RefundRecorded)
		_, failed := same.(domain.RefundFailed)
		if recorded || failed {
			want = time.Time{}
		}
		if i.Version != 2 || i.UpdatedAt != want {
			t.Errorf("%q folds to version %d of %v", payload, i.Version, i.UpdatedAt)
		}
	})
}
