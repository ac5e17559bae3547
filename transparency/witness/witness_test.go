package witness_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"daftar/transparency"
	"daftar/transparency/witness"
)

// look makes the witness read the log once, and fails the test on an error.
func look(t *testing.T, w *witness.Witness, l *aLog) transparency.Checkpoint {
	t.Helper()
	c, err := w.ReadAndCosign(t.Context(), l.served())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A witness cosigns extensions of what it cosigned before, trusts the log's first key, and is the
// same after a restart.
func TestWitnessFollowsALog(t *testing.T) {
	t.Parallel()
	l := newLog(t, "pay.example.ly")
	path := statePath(t)
	w := open(t, path)
	public := w.Public()
	for n, more := range []int{3, 0, 254, 1, 300} {
		l.grow(more, "event")
		c := look(t, w, l)
		if c.Size != l.size || !strings.HasPrefix(c.Note, strings.TrimSuffix(l.checkpoint(), "\n")) {
			t.Fatalf("step %d: cosigned %q", n, c.Note)
		}
		key, err := transparency.ParseCosignerKey(public)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := note.Open([]byte(c.Note), note.VerifierList(key))
		if err != nil || len(signed.Sigs) != 1 || len(signed.UnverifiedSigs) != 1 ||
			signed.Sigs[0].Name != "witness.example.ly/one" {
			t.Fatalf("step %d: %+v, %v", n, signed, err)
		}
		w.Close()
		w = open(t, path)
		if w.Public() != public || w.Cosigned().Note != c.Note || w.LogKeys()[0] != l.key {
			t.Fatalf("step %d: after a restart it is %s with %q", n, w.Public(), w.Cosigned().Note)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the state has the rights %v (%v)", info.Mode(), err)
	}
}

// A log that rewrote what it signed is detected by its next checkpoint, and both notes are kept;
// the witness cosigns nothing more of it, then or after a restart.
func TestRewrittenLogIsCaught(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		size int
		says string
	}{
		"of the same size": {20, "two trees of 20 events"},
		"larger":           {25, "does not lead from 20 events to 25"},
		"much larger":      {600, "does not lead from 20 events to 600"},
		"smaller":          {15, "lost 5 events"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLog(t, "pay.example.ly")
			path := statePath(t)
			w := open(t, path)
			l.grow(20, "event")
			kept := look(t, w, l)
			l.forget()
			l.grow(c.size, "another")
			for range 2 {
				_, err := w.ReadAndCosign(t.Context(), l.served())
				f, ok := errors.AsType[*witness.Finding](err)
				if !ok || !strings.Contains(f.Reason, c.says) || len(f.Files) != 2 {
					t.Fatalf("found %v", err)
				}
				for n, want := range []string{kept.Note, l.checkpoint()} {
					text, err := os.ReadFile(f.Files[n])
					if err != nil || string(text) != want {
						t.Errorf("%s has %q, %v; want %q", f.Files[n], text, err, want)
					}
				}
				w.Close()
				w = open(t, path)
			}
			if w.Cosigned().Note != kept.Note {
				t.Errorf("cosigned %q", w.Cosigned().Note)
			}
		})
	}
}

// Text that is no checkpoint of the log, or a log out of reach, is an error of one try and no
// finding.
func TestWhatIsNoFinding(t *testing.T) {
	t.Parallel()
	l, other := newLog(t, "pay.example.ly"), newLog(t, "pay.example.ly")
	elsewhere := newLog(t, "other.example.ly")
	for _, x := range []*aLog{l, other, elsewhere} {
		x.grow(5, "event")
	}
	w := open(t, statePath(t))
	look(t, w, l)
	l.turn(true)
	for name, c := range map[string]struct {
		log  *aLog
		want error
	}{
		"out of order": {l, nil}, "another key": {other, transparency.ErrSignature},
		"another log": {elsewhere, witness.ErrUnknownLog},
	} {
		_, err := w.ReadAndCosign(t.Context(), c.log.served())
		_, found := errors.AsType[*witness.Finding](err)
		if err == nil || found || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l.turn(false)
	l.grow(1, "event")
	if c := look(t, w, l); c.Size != 6 {
		t.Errorf("afterwards cosigned %d", c.Size)
	}
	// A new key of the log must be given by the operator.
	if err := w.Trust(other.key); err != nil {
		t.Fatal(err)
	}
	if err := w.Trust(elsewhere.key); err == nil {
		t.Error("a key of another log is trusted")
	}
	other.forget()
	other.grow(7, "event")
	if c := look(t, w, other); c.Size != 7 || len(w.LogKeys()) != 2 {
		t.Errorf("with the new key cosigned %d", c.Size)
	}
}

// The pinned key is the given one.
func TestGivenKeyCounts(t *testing.T) {
	t.Parallel()
	l, other := newLog(t, "pay.example.ly"), newLog(t, "pay.example.ly")
	l.grow(5, "event")
	w := open(t, statePath(t))
	if err := w.Trust(other.key); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ReadAndCosign(t.Context(), l.served()); !errors.Is(err, transparency.ErrSignature) {
		t.Errorf("got %v, want ErrSignature", err)
	}
}

// Follow continues after errors, and ends with a finding.
func TestFollow(t *testing.T) {
	t.Parallel()
	l := newLog(t, "pay.example.ly")
	l.grow(5, "event")
	w := open(t, statePath(t))
	steps := 0
	err := w.Follow(t.Context(), l.served(), time.Nanosecond, func(c transparency.Checkpoint, err error) {
		steps++
		switch steps {
		case 1, 3:
			if err != nil || c.Size != l.size {
				t.Errorf("step %d: %+v, %v", steps, c, err)
			}
			l.turn(true)
		case 2:
			if err == nil {
				t.Error("no error while the log is out of reach")
			}
			l.turn(false)
			l.grow(5, "event")
		default:
			l.turn(false)
			l.forget()
			l.grow(12, "another")
		}
	})
	if _, found := errors.AsType[*witness.Finding](err); !found || steps != 4 {
		t.Errorf("ended after %d steps: %v", steps, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	log := newLog(t, "pay.example.ly").served()
	err = w.Follow(ctx, log, time.Hour, func(transparency.Checkpoint, error) { cancel() })
	if err != nil {
		t.Errorf("stopped: %v", err)
	}
}

// A state is used by one process, and is only accepted as it was written.
func TestState(t *testing.T) {
	t.Parallel()
	path := statePath(t)
	w := open(t, path)
	if _, err := witness.Open(path, "two", time.Now); !errors.Is(err, witness.ErrInUse) {
		t.Errorf("a second time: %v", err)
	}
	w.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, changed := range map[string]string{
		"half":            string(text[:len(text)/2]),
		"a name twice":    strings.Replace(string(text), `"checkpoint"`, `"checkpoint": "", "checkpoint"`, 1),
		"another format":  strings.Replace(string(text), "daftar-witness/1", "daftar-witness/2", 1),
		"a short seed":    strings.Replace(string(text), `"seed": "`, `"seed": "", "x": "`, 1),
		"no checkpoint":   strings.Replace(string(text), `"checkpoint": ""`, `"checkpoint": "x"`, 1),
		"a space in name": strings.Replace(string(text), `witness.example.ly/one`, `witness one`, 1),
	} {
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if w, err := witness.Open(path, "one", time.Now); err == nil {
			w.Close()
			t.Errorf("%s: is opened", name)
		}
	}
	for _, address := range []string{"", "pay.example.ly", "ftp://pay.example.ly",
		"https://pay.example.ly?x=1", "https://"} {
		if _, err := witness.NewLog(address); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
}
