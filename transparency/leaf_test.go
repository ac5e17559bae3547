package transparency_test

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/transparency"
)

// The worked example of docs/transparency.md, byte for byte. If this fails, published proofs cannot
// be checked any more.
func TestLeafIsAsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/transparency.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(text), "<!-- example: a leaf -->")
	example, _, ended := strings.Cut(example, "<!-- end -->")
	if !found || !ended {
		t.Fatal("docs/transparency.md has no example of a leaf")
	}
	// The last column of the table are the bytes, length and field.
	var want strings.Builder
	for line := range strings.Lines(example) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || !strings.Contains(cells[len(cells)-2], "`") {
			continue
		}
		want.WriteString(strings.NewReplacer("`", "", " ", "").Replace(cells[len(cells)-2]))
	}
	e := eventstore.Recorded{
		Position: 258, Stream: uuid.MustParse("0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55"), Version: 1,
		Type: "intent.created", SchemaVersion: 1,
		Payload:    []byte(`{"amount":5000,"currency":"LYD","description":"قهوة"}`),
		Metadata:   []byte(`{"actor":"application:7"}`),
		RecordedAt: time.Date(2026, 11, 20, 12, 0, 0, 1000, time.UTC),
	}
	leaf := transparency.Leaf(e)
	if got := hex.EncodeToString(leaf); got != want.String() {
		t.Errorf("the leaf is\n%s\nthe document says\n%s", got, want.String())
	}
	if hash := tlog.RecordHash(leaf).String(); !strings.Contains(string(text), hash) {
		t.Errorf("the document does not name the leaf's hash %s", hash)
	}
	for _, part := range []string{string(e.Payload), string(e.Metadata), e.Stream.String(),
		"2026-11-20T12:00:00.000001Z"} {
		if !strings.Contains(example, part) {
			t.Errorf("the example does not show %s", part)
		}
	}
}

// The hashes of events that are read as text and of those that are hashed in the binary format
// agree, also for times before 1970 and a long type.
func TestLeafOfUnusualEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(2)
	w.tamper(`
		UPDATE events
		SET recorded_at = '1969-12-31 23:59:59.999999Z', type = repeat('x', 5000), schema_version = 2147483647
		WHERE position = 1`,
		`UPDATE events SET recorded_at = '1999-12-31 23:59:59.5Z', payload = '', metadata = '' WHERE position = 2`,
	)
	w.grow(64)
	w.sign()
	if r := w.verify(); !r.OK || r.Size != 2 {
		t.Errorf("verify: %+v", r)
	}
}
