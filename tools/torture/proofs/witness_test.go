package proofs_test

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cosig "github.com/transparency-dev/formats/note"
	formats "github.com/transparency-dev/formats/witness"
	"github.com/transparency-dev/merkle/testonly"
	"golang.org/x/mod/sumdb/note"

	"daftar/transparency"
	"daftar/transparency/witness"
)

// Our witness cosigns the checkpoints of a log of another implementation, which accepts the
// cosignatures.
func TestAnotherLogIsCosigned(t *testing.T) {
	t.Parallel()
	private, public, err := note.GenerateKey(rand.Reader, "log.example/other")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	w, err := witness.Open(filepath.Join(t.TempDir(), "state"), "witness.example/ours", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Trust(public); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse("https://witness.example/")
	if err != nil {
		t.Fatal(err)
	}
	seen, err := formats.New(w.Public(), address)
	if err != nil {
		t.Fatalf("the other implementation does not read the witness's key: %v", err)
	}
	tree := testonly.New(hasher)
	handler := w.Handler(nil)
	for size := uint64(0); size < upTo; {
		old := size
		for ; size < old+1+old/3; size++ {
			tree.AppendData(fmt.Appendf(nil, "leaf %d", size))
		}
		checkpoint := signedBy(t, signer, tree)
		body := fmt.Sprintf("old %d\n", old)
		if old > 0 {
			proof, err := tree.ConsistencyProof(old, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, hash := range proof {
				body += base64.StdEncoding.EncodeToString(hash) + "\n"
			}
		}
		r := httptest.NewRecorder()
		request := strings.NewReader(body + "\n" + checkpoint)
		handler.ServeHTTP(r, httptest.NewRequest(http.MethodPost, "/add-checkpoint", request))
		if r.Code != http.StatusOK {
			t.Fatalf("from %d to %d: %d %s", old, size, r.Code, r.Body)
		}
		if !seen.Satisfied([]byte(checkpoint + r.Body.String())) {
			t.Fatalf("the other implementation does not find the cosignature in %s", checkpoint+r.Body.String())
		}
		if !seen.Satisfied([]byte(w.Cosigned().Note)) || seen.Satisfied([]byte(checkpoint)) {
			t.Fatalf("the kept note is %s", w.Cosigned().Note)
		}
	}
}

func signedBy(t *testing.T, signer note.Signer, tree *testonly.Tree) string {
	t.Helper()
	root := base64.StdEncoding.EncodeToString(tree.Hash())
	text := fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), tree.Size(), root)
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}

// The cosignatures of another implementation's witness verify with its key.
func TestAnotherWitnessIsBelieved(t *testing.T) {
	t.Parallel()
	private, public, err := note.GenerateKey(rand.Reader, "witness.example/theirs")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := cosig.NewSignerForCosignatureV1(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err = cosig.VKeyToCosignatureV1(public)
	if err != nil {
		t.Fatal(err)
	}
	key, err := transparency.ParseCosignerKey(public)
	if err != nil {
		t.Fatalf("%s: %v", public, err)
	}
	tree := testonly.New(hasher)
	tree.AppendData([]byte("leaf"))
	signed := signedBy(t, signer, tree)
	if opened, err := note.Open([]byte(signed), note.VerifierList(key)); err != nil || len(opened.Sigs) != 1 {
		t.Errorf("%s: %v", signed, err)
	}
	changed := strings.Replace(signed, "\n1\n", "\n2\n", 1)
	if _, err := note.Open([]byte(changed), note.VerifierList(key)); err == nil {
		t.Error("a changed note verifies")
	}
}
