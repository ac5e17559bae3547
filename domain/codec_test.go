package domain_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
)

// golden are events whose stored bytes are in testdata/events. A file is added for each new
// version, and none ever changes, because ledgers contain such bytes. A version that is not
// here has only its file.
func golden() map[string]domain.Event {
	full := created()
	full.CustomerID, full.ReturnURL = new("customer-7"), new("https://shop.ly/orders/1?a=1&b=<2>")
	full.Metadata = domain.Metadata{{Key: "zone", Value: "طرابلس"}, {Key: "a", Value: `"quoted" \ </script>`}}
	empty := created()
	empty.Metadata = domain.Metadata{}
	return map[string]domain.Event{
		"intent.created.v1":           full,
		"intent.created.v1.bare":      created(),
		"intent.created.v1.no_pairs":  empty,
		"intent.attempt_started.v1":   started(first, soon),
		"intent.attempt_failed.v1":    failed(first, soon),
		"intent.succeeded.v1":         paid(first, soon),
		"intent.expired.v1":           domain.Expired{At: expiry},
		"intent.expired.v2":           domain.Expired{At: soon, Stopped: true},
		"intent.late_succeeded.v1":    domain.LateSucceeded(paid(first, late)),
		"intent.duplicate_payment.v1": domain.DuplicatePayment(paid(second, late)),
		"intent.refund_recorded.v1":   refunded(1, first, 4_500),
		"intent.refund_failed.v1":     refundFailed(1, first, 4_500),
	}
}

func TestStoredBytesAreFrozen(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for name, event := range golden() {
		path := filepath.Join("testdata", "events", name+".json")
		stored, err := domain.EncodeEvent(event)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("WRITE_GOLDEN") == "new" {
			writeNew(t, path, stored.Payload)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (a new version? WRITE_GOLDEN=new writes missing files only)", err)
		}
		if !bytes.Equal(stored.Payload, want) {
			t.Errorf("%s is stored as\n%s\nand was as\n%s", name, stored.Payload, want)
		}
		if prefix := fmt.Sprintf("%s.v%d", stored.Type, stored.SchemaVersion); name[:len(prefix)] != prefix {
			t.Errorf("%s is stored as %s", name, prefix)
		}
		read, err := domain.DecodeEvent(domain.StoredEvent{
			Type: stored.Type, SchemaVersion: stored.SchemaVersion, Payload: want,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(event, read); diff != "" {
			t.Errorf("%s reads as (-want +got):\n%s", name, diff)
		}
		seen[filepath.Base(path)] = true
	}
	files, err := os.ReadDir(filepath.Join("testdata", "events"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f.Name()] {
			readAndWrite(t, f.Name())
		}
	}
}

// readAndWrite checks a golden file that was written by hand: the event that is read from it is
// stored as the same bytes. Package facts checks the fields of the event against the file.
func readAndWrite(t *testing.T, file string) {
	t.Helper()
	parts := strings.Split(file, ".") // intent.name.v1.json
	version, err := strconv.Atoi(strings.TrimPrefix(parts[2], "v"))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := os.ReadFile(filepath.Join("testdata", "events", file))
	if err != nil {
		t.Fatal(err)
	}
	want := domain.StoredEvent{Type: parts[0] + "." + parts[1], SchemaVersion: version, Payload: payload}
	event, err := domain.DecodeEvent(want)
	if err != nil {
		t.Fatalf("%s: %v: every version ever stored stays readable", file, err)
	}
	got, err := domain.EncodeEvent(event)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is stored as (-file +now):\n%s", file, diff)
	}
}

// writeNew writes a golden file unless there is one.
func writeNew(t *testing.T, path string, content []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, os.ErrExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDecodeRefusesUnknownFormats(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]domain.StoredEvent{
		"unknown name": {Type: "intent.refunded", SchemaVersion: 1, Payload: []byte(`{}`)},
		"unknown version": {
			Type: domain.TypeExpired, SchemaVersion: 3, Payload: []byte(`{"at":"2026-11-20T20:38:15Z"}`),
		},
		"unknown reason": {
			Type: domain.TypeExpired, SchemaVersion: 2,
			Payload: []byte(`{"at":"2026-11-20T20:38:15Z","reason":"bored"}`),
		},
	} {
		if _, err := domain.DecodeEvent(stored); !errors.Is(err, domain.ErrUnknownEvent) {
			t.Errorf("%s: %v, want ErrUnknownEvent", name, err)
		}
	}
	for name, payload := range map[string]string{
		"no JSON":       `{"at":`,
		"unknown field": `{"at":"2026-11-20T20:38:15Z","why":"none"}`,
		"wrong type":    `{"at":7}`,
	} {
		stored := domain.StoredEvent{Type: domain.TypeExpired, SchemaVersion: 1, Payload: []byte(payload)}
		if _, err := domain.DecodeEvent(stored); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	for _, name := range []string{domain.TypeCreated, domain.TypeSucceeded} {
		stored := domain.StoredEvent{Type: name, SchemaVersion: 1, Payload: []byte(`{"currency":"USD"}`)}
		if _, err := domain.DecodeEvent(stored); !errors.Is(err, domain.ErrUnknownCurrency) {
			t.Errorf("%s in an unknown currency: %v", name, err)
		}
	}
}
