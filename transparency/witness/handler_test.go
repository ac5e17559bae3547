package witness_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/transparency"
	"daftar/transparency/witness"
)

// submission is a body of add-checkpoint.
func submission(old int64, proof tlog.TreeProof, checkpoint string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "old %d\n", old)
	for _, h := range proof {
		b.WriteString(base64.StdEncoding.EncodeToString(h[:]) + "\n")
	}
	return b.String() + "\n" + checkpoint
}

// The answers of c2sp.org/tlog-witness, in its order.
func TestAddCheckpoint(t *testing.T) {
	t.Parallel()
	l, other, liar := newLog(t, "pay.example.ly"), newLog(t, "other.example.ly"), newLog(t, "pay.example.ly")
	w := open(t, statePath(t))
	if err := w.Trust(l.key); err != nil {
		t.Fatal(err)
	}
	var findings []*witness.Finding
	handler := w.Handler(func(f *witness.Finding) { findings = append(findings, f) })
	post := func(body string) *httptest.ResponseRecorder {
		r := httptest.NewRecorder()
		handler.ServeHTTP(r, httptest.NewRequest(http.MethodPost, "/add-checkpoint", strings.NewReader(body)))
		return r
	}
	add := func(what string, want int, body string) string {
		t.Helper()
		r := post(body)
		if r.Code != want {
			t.Errorf("%s: %d %s, want %d", what, r.Code, r.Body, want)
		}
		return r.Body.String()
	}
	get := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRecorder()
		handler.ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
		return r
	}
	byOrigin := fmt.Sprintf("/%x/checkpoint", sha256.Sum256([]byte("pay.example.ly")))
	if r := get(byOrigin); r.Code != http.StatusNotFound {
		t.Errorf("before the first: %d", r.Code)
	}
	for _, x := range []*aLog{l, other, liar} {
		x.grow(7, "event")
	}
	first := l.checkpoint()
	add("another log", 404, submission(0, nil, other.checkpoint()))
	add("another key", 403, submission(0, nil, liar.checkpoint()))
	add("a changed note", 403, submission(0, nil, strings.Replace(first, "\n7\n", "\n8\n", 1)))
	add("the old size is larger", 400, submission(8, nil, first))
	add("a proof from nothing", 422, submission(0, tlog.TreeProof{{1}}, first))
	add("an empty tree with another root", 422, submission(0, nil, l.sign(0, tlog.Hash{1})))
	if size := add("nothing was cosigned yet", 409, submission(7, nil, first)); size != "0\n" {
		t.Errorf("the size is %q", size)
	}
	line := add("the first", 200, submission(0, nil, first))
	opens(t, w, first+line)
	r := post(submission(0, nil, first))
	if r.Code != 409 || r.Body.String() != "7\n" || r.Header().Get("Content-Type") != "text/x.tlog.size" {
		t.Errorf("conflict: %d %v %q", r.Code, r.Header(), r.Body)
	}
	add("the same again", 200, submission(7, nil, first))
	l.grow(13, "event")
	second := l.checkpoint()
	proof := l.proof(7)
	add("without a proof", 422, submission(7, nil, second))
	add("with half of the proof", 422, submission(7, proof[1:], second))
	add("with another proof", 422, submission(7, append(tlog.TreeProof{{1}}, proof[1:]...), second))
	opens(t, w, second+add("the second", 200, submission(7, proof, second)))
	if size := add("the first again", 400, submission(20, nil, first)); size == "" {
		t.Error("no reason")
	}
	for _, path := range []string{"/checkpoint", byOrigin} {
		r := get(path)
		if r.Code != 200 || r.Body.String() != w.Cosigned().Note || !strings.Contains(r.Body.String(), "\n20\n") {
			t.Errorf("%s: %d %s", path, r.Code, r.Body)
		}
	}
	if r := get(fmt.Sprintf("/%x/checkpoint", sha256.Sum256([]byte("other.example.ly")))); r.Code != 404 {
		t.Errorf("of another log: %d", r.Code)
	}
	if r := get("/key"); r.Body.String() != w.Public()+"\n" {
		t.Errorf("key: %s", r.Body)
	}
	if len(findings) != 0 {
		t.Fatalf("found %v", findings)
	}
	l.forget()
	l.grow(20, "another")
	add("another tree of that size", 422, submission(20, nil, l.checkpoint()))
	if len(findings) != 1 || findings[0].Kept.Size != 20 || w.Cosigned().Size != 20 ||
		!strings.HasPrefix(second, w.Cosigned().Note[:60]) {
		t.Errorf("found %v, cosigned %s", findings, w.Cosigned().Note)
	}
}

func opens(t *testing.T, w *witness.Witness, text string) {
	t.Helper()
	key, err := transparency.ParseCosignerKey(w.Public())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := note.Open([]byte(text), note.VerifierList(key)); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// Requests that violate the protocol.
func TestMalformedSubmissions(t *testing.T) {
	t.Parallel()
	l := newLog(t, "pay.example.ly")
	l.grow(3, "event")
	w := open(t, statePath(t))
	if err := w.Trust(l.key); err != nil {
		t.Fatal(err)
	}
	handler := w.Handler(nil)
	hash := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"nothing":            {"", 400},
		"no old size":        {"\n\n" + l.checkpoint(), 400},
		"a sign":             {"old +0\n\n" + l.checkpoint(), 400},
		"a negative size":    {"old -1\n\n" + l.checkpoint(), 400},
		"a leading nought":   {"old 00\n\n" + l.checkpoint(), 400},
		"two spaces":         {"old  0\n\n" + l.checkpoint(), 400},
		"carriage returns":   {"old 0\r\n\r\n" + l.checkpoint(), 400},
		"beyond an int64":    {"old 9223372036854775808\n\n" + l.checkpoint(), 400},
		"no blank line":      {"old 0\n", 400},
		"a short hash":       {"old 0\nAAAA\n\n" + l.checkpoint(), 400},
		"a hash with spaces": {"old 0\n " + hash + "\n\n" + l.checkpoint(), 400},
		"64 hashes":          {"old 0\n" + strings.Repeat(hash+"\n", 64) + "\n" + l.checkpoint(), 400},
		"no checkpoint":      {"old 0\n\nhello\n", 400},
		"no signature":       {"old 0\n\npay.example.ly\n3\n" + hash + "\n", 400},
		"too large":          {"old 0\n\n" + l.checkpoint() + strings.Repeat("x", 1<<20), 413},
	} {
		r := httptest.NewRecorder()
		handler.ServeHTTP(r, httptest.NewRequest(http.MethodPost, "/add-checkpoint", strings.NewReader(c.body)))
		if r.Code != c.want {
			t.Errorf("%s: %d %s, want %d", name, r.Code, r.Body, c.want)
		}
	}
	for method, path := range map[string]string{http.MethodGet: "/add-checkpoint",
		http.MethodPost: "/checkpoint"} {
		r := httptest.NewRecorder()
		handler.ServeHTTP(r, httptest.NewRequest(method, path, nil))
		if r.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d", method, path, r.Code)
		}
	}
	if w.Cosigned().Note != "" {
		t.Errorf("cosigned %q", w.Cosigned().Note)
	}
}
