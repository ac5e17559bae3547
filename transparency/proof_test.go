package transparency_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/transparency"
)

func (w *world) prove(id uuid.UUID, since ...transparency.Checkpoint) *transparency.Proof {
	w.t.Helper()
	events, err := eventstore.NewReader(w.pool).ReadStream(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := transparency.Prove(w.t.Context(), w.pool, events, since...)
	if err != nil {
		w.t.Fatal(err)
	}
	p.State = json.RawMessage(`{}`)
	return p
}

// mailed is the proof as another person reads it from the file.
func mailed(t *testing.T, p *transparency.Proof) *transparency.Proof {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	read, err := transparency.ParseProof(text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestProofIsHeldToOlderCheckpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var notes []string
	for range 5 {
		w.fill(70)
		w.grow(64)
		notes = append(notes, w.sign().Note)
	}
	id := w.stream(3)
	w.grow(64)
	w.sign()
	p := mailed(t, w.prove(id))
	got, err := p.Check(transparency.CheckOptions{Keys: []string{w.key.Public()},
		Older: append(notes, p.Checkpoint)})
	if err != nil {
		t.Fatal(err)
	}
	if !got.KeyGiven || got.Size != 353 || got.Events != 3 || got.Origin != "pay.example.ly" ||
		!slices.Equal(got.ConsistentWith, []int64{70, 140, 210, 280, 350, 353}) {
		t.Errorf("checked %+v", got)
	}
	if got, err := p.Check(transparency.CheckOptions{}); err != nil || got.KeyGiven {
		t.Errorf("with its own key: %+v, %v", got, err)
	}
	// A checkpoint that the database has deleted must be given when the file is made.
	kept, err := transparency.ParseCheckpoint(notes[2])
	if err != nil {
		t.Fatal(err)
	}
	w.tamper(`DELETE FROM transparency_checkpoints WHERE size = 210`)
	_, err = w.prove(id).Check(transparency.CheckOptions{Older: notes[2:3]})
	if !errors.Is(err, transparency.ErrProof) || !strings.Contains(err.Error(), "--since") {
		t.Errorf("without a path from there: %v", err)
	}
	if _, err := w.prove(id, kept).Check(transparency.CheckOptions{Older: notes[2:3]}); err != nil {
		t.Errorf("with --since: %v", err)
	}
	_, err = w.prove(id).Check(transparency.CheckOptions{Older: []string{forged(t, w, 140)}})
	if !errors.Is(err, transparency.ErrProof) || !strings.Contains(err.Error(), "does not contain") {
		t.Errorf("a checkpoint of another history: %v", err)
	}
	_, err = w.prove(id).Check(transparency.CheckOptions{Older: []string{forged(t, w, 353)}})
	if !errors.Is(err, transparency.ErrProof) || !strings.Contains(err.Error(), "forked") {
		t.Errorf("a fork of the same size: %v", err)
	}
	_, err = w.prove(id).Check(transparency.CheckOptions{Older: []string{forged(t, w, 400)}})
	if !errors.Is(err, transparency.ErrProof) {
		t.Errorf("a newer checkpoint: %v", err)
	}
}

func TestUncoveredEventsAreNotProven(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.stream(1)
	events := w.events(0, 1)
	if _, err := transparency.Prove(t.Context(), w.pool, events); !errors.Is(err, transparency.ErrNoCheckpoint) {
		t.Errorf("before the first checkpoint: %v", err)
	}
	w.grow(10)
	w.sign()
	w.prove(id)
	w.stream(1)
	_, err := transparency.Prove(t.Context(), w.pool, w.events(1, 2))
	if !errors.Is(err, transparency.ErrUncovered) {
		t.Errorf("after the last checkpoint: %v", err)
	}
}

// Every change of a proof file is detected.
func TestTamperedProofIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(100)
	id := w.stream(3)
	w.grow(64)
	older := w.sign()
	w.fill(20)
	w.grow(64)
	w.sign()
	other, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	type proof = transparency.Proof
	for name, c := range map[string]struct {
		change func(*proof)
		says   string
	}{
		"payload": {func(p *proof) { p.Events[1].Payload += " " }, "leaf that the file names"},
		"payload, leaf": {func(p *proof) {
			p.Events[1].Payload += " "
			relabel(&p.Events[1])
		}, "hash that the file names"},
		"metadata":       {func(p *proof) { p.Events[0].Metadata = "{}" }, "leaf"},
		"type":           {func(p *proof) { p.Events[0].Type = "intent.succeeded" }, "leaf"},
		"schema version": {func(p *proof) { p.Events[0].SchemaVersion++ }, "leaf"},
		"time": {func(p *proof) {
			p.Events[2].RecordedAt = p.Events[2].RecordedAt.Add(time.Microsecond)
		}, "leaf"},
		"position":       {func(p *proof) { p.Events[2].Position++ }, "leaf"},
		"too new":        {func(p *proof) { p.Events[2].Position = 1 << 40 }, "newer than the checkpoint"},
		"order":          {func(p *proof) { p.Events[1].Position = 1 }, "comes after"},
		"first missing":  {func(p *proof) { p.Events = p.Events[1:] }, "version 1 is missing"},
		"one missing":    {func(p *proof) { p.Events = slices.Delete(p.Events, 1, 2) }, "version 2 is missing"},
		"none":           {func(p *proof) { p.Events = []transparency.ProvenEvent{} }, "no events"},
		"another intent": {func(p *proof) { p.Intent = uuid.New() }, "not of"},
		"path":           {func(p *proof) { p.Events[0].Inclusion[0][5] ^= 1 }, "not in the tree"},
		"path too short": {func(p *proof) { p.Events[0].Inclusion = p.Events[0].Inclusion[1:] }, "not in the tree"},
		"size": {func(p *proof) {
			p.Checkpoint = strings.Replace(p.Checkpoint, "123", "124", 1)
		}, "signature"},
		"key":           {func(p *proof) { p.PublicKey = other.Public() }, "signature"},
		"no key":        {func(p *proof) { p.PublicKey = "" }, "no public key"},
		"no checkpoint": {func(p *proof) { p.Checkpoint = "x" }, "not a checkpoint"},
		"consistency": {func(p *proof) {
			for at, h := range p.Older.Hashes {
				h[0] ^= 1
				p.Older.Hashes[at] = h
			}
		}, "does not contain"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := mailed(t, w.prove(id))
			c.change(p)
			_, err := mailed(t, p).Check(transparency.CheckOptions{Older: []string{older.Note}})
			if !errors.Is(err, transparency.ErrProof) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it to say %q", err, c.says)
			}
		})
	}
	_, err = w.prove(id).Check(transparency.CheckOptions{Keys: []string{other.Public()}})
	if !errors.Is(err, transparency.ErrProof) {
		t.Errorf("with another key given: %v", err)
	}
}

// A proof file can be read in only one way: as it was made.
func TestProofFilesAreReadStrictly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.stream(2)
	w.grow(64)
	w.sign()
	text, err := json.Marshal(w.prove(id))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	if _, err := transparency.ParseProof(text); err != nil {
		t.Fatal(err)
	}
	field := func(name string) string { // the field as the file has it, up to the next one
		_, rest, _ := strings.Cut(whole, `"`+name+`":`)
		value, _, _ := strings.Cut(rest, `,"`)
		return `"` + name + `":` + value + ","
	}
	for name, text := range map[string]string{
		"nothing":                 "",
		"no field":                "{}",
		"another format":          strings.Replace(whole, "daftar-proof/1", "daftar-proof/2", 1),
		"a field too many":        strings.Replace(whole, "{", `{"surplus":1,`, 1),
		"something after it":      whole + "{}",
		"a name twice":            strings.Replace(whole, field("intent"), field("intent")+field("intent"), 1),
		"a name in capitals":      strings.Replace(whole, `"intent"`, `"Intent"`, 1),
		"an event's name twice":   strings.Replace(whole, field("position"), `"position":1,`+field("position"), 1),
		"no public_url":           strings.Replace(whole, field("public_url"), "", 1),
		"no state":                strings.Replace(whole, `"state":{},`, "", 1),
		"no leaf_hash":            strings.Replace(whole, field("leaf_hash"), "", 1),
		"no inclusion":            strings.Replace(whole, field("schema_version"), "", 1),
		"state with a name twice": strings.Replace(whole, `"state":{}`, `"state":{"a":1,"a":2}`, 1),
		"null for a list":         strings.Replace(whole, `"from":[]`, `"from":null`, 1),
		"another form of uuid":    strings.Replace(whole, id.String(), strings.ToUpper(id.String()), 1),
	} {
		if text == whole {
			t.Errorf("%s: nothing was changed in %s", name, whole)
		}
		if _, err := transparency.ParseProof([]byte(text)); !errors.Is(err, transparency.ErrProof) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// relabel makes the leaf of a changed event fit, but not its hash.
func relabel(e *transparency.ProvenEvent) { e.Leaf = transparency.Leaf(e.Recorded()) }
