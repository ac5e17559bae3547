package transparency_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/note"

	"daftar/transparency"
	"daftar/transparency/witness"
)

// watched is a world whose checkpoints a witness on another machine is asked to cosign.
type watched struct {
	*world
	witness  *witness.Witness
	server   *httptest.Server
	config   []transparency.Witness
	registry *prometheus.Registry
	notary   *transparency.Notary
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{world: newWorld(t)}
	var err error
	w.witness, err = witness.Open(filepath.Join(t.TempDir(), "state"), "witness.example.ly/one", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.witness.Close)
	if err := w.witness.Trust(w.key.Public()); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewServer(w.witness.Handler(func(*witness.Finding) {}))
	t.Cleanup(w.server.Close)
	if w.config, err = transparency.ParseWitnesses(w.witness.Public() + " " + w.server.URL + "/"); err != nil {
		t.Fatal(err)
	}
	w.restart()
	return w
}

// restart makes a new notary, which remembers nothing.
func (w *watched) restart() {
	w.registry = prometheus.NewRegistry()
	w.notary = w.world.notary(func(c *transparency.Config) { c.Witnesses, c.Registerer = w.config, w.registry })
}

// tick appends events, and makes the notary sign and submit them.
func (w *watched) tick(events int) error {
	w.t.Helper()
	w.fill(events)
	w.grow(64)
	w.now = w.now.Add(time.Second)
	return errors.Join(w.notary.Look(w.t.Context()), w.notary.Publish(w.t.Context()))
}

// A witness cosigns each checkpoint, also if it knows older ones than the server thinks, and the
// public gets the cosignature.
func TestWitnessesCosign(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	for n, events := range []int{3, 300, 5} {
		if err := w.tick(events); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			w.restart()
		}
	}
	newest := w.latest()
	if got := w.witness.Cosigned(); got.Size != 308 || got.Root != newest.Root {
		t.Errorf("cosigned %+v", got)
	}
	r := httptest.NewRecorder()
	transparency.Handler(w.pool, w.key, zerolog.Nop(), w.config...).ServeHTTP(r,
		httptest.NewRequest(http.MethodGet, "/checkpoint", nil))
	if r.Body.String() != w.witness.Cosigned().Note || !strings.HasPrefix(r.Body.String(), newest.Note) {
		t.Errorf("the public sees %q, the witness %q", r.Body, w.witness.Cosigned().Note)
	}
	// A line that an attacker has inserted into the database is not shown.
	if err := w.tick(2); err != nil {
		t.Fatal(err)
	}
	w.tamper(`UPDATE transparency_cosignatures SET line = replace(line, ' ', ' AAAA') WHERE size = 310`)
	r = httptest.NewRecorder()
	transparency.Handler(w.pool, w.key, zerolog.Nop(), w.config...).ServeHTTP(r,
		httptest.NewRequest(http.MethodGet, "/transparency/checkpoint", nil))
	if r.Body.String() != w.latest().Note {
		t.Errorf("the public sees %q", r.Body)
	}
}

// A witness that cannot be reached, does not know the log or gives invalid answers delays nothing.
func TestWitnessesDelayNothing(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	answers := []struct {
		status int
		text   string
	}{{503, ""}, {404, ""}, {403, ""}, {200, ""}, {200, "— witness.example.ly/one AAAA\n"}, {409, "x\n"}, {409,
		"-1\n"}, {302, ""}}
	var next int
	liar := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.WriteHeader(answers[next].status)
		_, _ = out.Write([]byte(answers[next].text))
	}))
	defer liar.Close()
	var err error
	if w.config, err = transparency.ParseWitnesses(w.witness.Public() + " " + liar.URL); err != nil {
		t.Fatal(err)
	}
	w.restart()
	for next = range answers {
		if err := w.tick(2); err == nil || errors.Is(err, transparency.ErrForked) {
			t.Errorf("%+v: %v", answers[next], err)
		}
	}
	liar.Close()
	if err := w.tick(2); err == nil {
		t.Error("out of reach, and nothing says so")
	}
	if got := w.latest().Size; got != 18 || gauge(t, w.registry, "daftar_transparency_forked") != 0 {
		t.Errorf("the newest checkpoint has %d events", got)
	}
}

// A superuser rewrites the history, tree and checkpoints of a log, has the key, and restarts the
// server, so that nothing on the premises remembers. The witness does: the next checkpoint is the
// last.
func TestWitnessStopsARewrittenLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statements []string
		add        int
	}{
		"larger":       {[]string{`UPDATE events SET payload = '{}' WHERE position = 70`}, 5},
		"the same":     {[]string{`UPDATE events SET payload = '{}' WHERE position = 70`}, 0},
		"cut off":      {[]string{`DELETE FROM events WHERE position > 80`}, 5},
		"cut and grew": {[]string{`DELETE FROM events WHERE position > 80`}, 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatched(t)
			if err := w.tick(100); err != nil {
				t.Fatal(err)
			}
			kept := w.witness.Cosigned()
			w.rewrite(append(c.statements,
				`DELETE FROM transparency_cosignatures`,
				`DELETE FROM transparency_checkpoints`)...)
			w.restart()
			if err := w.tick(c.add); !errors.Is(err, transparency.ErrForked) {
				t.Errorf("submitted: %v, want ErrForked", err)
			}
			last := w.latest()
			for range 2 {
				if err := w.tick(5); !errors.Is(err, transparency.ErrForked) {
					t.Errorf("then: %v, want ErrForked", err)
				}
			}
			if w.latest().Note != last.Note || gauge(t, w.registry, "daftar_transparency_forked") != 1 ||
				w.witness.Cosigned().Note != kept.Note {
				t.Errorf("the newest checkpoint is %+v", w.latest())
			}
		})
	}
}

func TestParseWitnesses(t *testing.T) {
	t.Parallel()
	w := newCosigner(t, "one.example.ly")
	other := newCosigner(t, "two.example.ly")
	for _, good := range []string{
		w.Public() + " https://one.example.ly",
		" " + w.Public() + "\thttps://one.example.ly/x/ ,\n" + other.Public() + " http://127.0.0.1:8000",
	} {
		if all, err := transparency.ParseWitnesses(good); err != nil || len(all) != strings.Count(good, "http") {
			t.Errorf("%q: %v, %v", good, all, err)
		}
	}
	log, _, err := transparency.NewKey("one.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", w.Public(), "https://one.example.ly " + w.Public(), w.Public() + " http://one.example.ly",
		w.Public() + " https://one.example.ly,",
		log.Public() + " https://one.example.ly",
		strings.Replace(w.Public(), "one", "eno", 1) + " https://one.example.ly",
		w.Public() + " https://one.example.ly, " + w.Public() + " https://two.example.ly",
		w.Public()[:40] + " https://one.example.ly",
	} {
		if _, err := transparency.ParseWitnesses(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func newCosigner(t *testing.T, name string) transparency.Cosigner {
	t.Helper()
	c, err := transparency.NewCosigner(name, make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The example of c2sp.org/tlog-cosignature's message, and what does not verify.
func TestCosignature(t *testing.T) {
	t.Parallel()
	const text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
	c := newCosigner(t, "witness.example.com/w1")
	at := time.Unix(1679315147, 0)
	line := c.Cosign(text, at)
	open := func(text, line string) error {
		_, err := note.Open([]byte(text+"\n"+line), note.VerifierList(c.Verifier))
		return err
	}
	if err := open(text, line); err != nil {
		t.Error(err)
	}
	if open(strings.Replace(text, "20852163", "20852164", 1), line) == nil ||
		open(text, newCosigner(t, "w2").Cosign(text, at)) == nil ||
		open(text, c.Cosign(text, time.Unix(0, 0))) == nil {
		t.Error("what was not cosigned verifies")
	}
	for _, name := range []string{"", "a b", "a+b", "a\u00a0b"} {
		if _, err := transparency.NewCosigner(name, make([]byte, 32)); err == nil {
			t.Errorf("%q is taken for a name", name)
		}
	}
}
