package acceptance_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// Checkpoints, keys and proofs are accepted in the forms in which people keep them. An unreadable
// file is a usage error, another key is reported as such, and nothing valid is called wrong.
func TestWhatAuditorsKeep(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example.ly")
	intent := s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("k-1")).data.UUID
	note := awaitCheckpoint(t, s.env, "1")
	dir := t.TempDir()
	kept := func(name, text string) string { return write(t, dir, name, text) }
	key := answer[struct{ Keys []string }](t, s.env, "audit", "key").Keys[0]
	foreign := parse[struct {
		PublicKey string `json:"public_key"`
	}](t, call(t, nil, "audit", "new-key", "--origin", "pay.example.ly", "--json").out).PublicKey
	good, text := kept("kept", note+"\n"), kept("text", "Tuesday's checkpoint\n")
	altered := kept("altered", strings.Replace(note, "\n1\n", "\n7\n", 1))
	windows := func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") + "\r\n" }
	asJSON := `{"checkpoint":"` + strings.ReplaceAll(note, "\n", `\n`) + `"}`
	proof := filepath.Join(dir, "proof.json")
	if r := call(t, s.env, "audit", "prove", intent, "--since", good, "--out", proof); r.code != 0 {
		t.Fatalf("prove: exit %d, %s", r.code, r.errors)
	}
	whole, err := os.ReadFile(proof)
	if err != nil {
		t.Fatal(err)
	}
	halfProof := string(whole[:len(whole)/2])
	keyFile := kept("key", "\ufeff"+foreign+"\r\n"+key+"\r\n\r\n")
	const given = "not signed by the key you gave"
	for name, c := range map[string]struct {
		args string
		code int
		says string
	}{
		"verify, a line more": {"verify --key " + keyFile + " --checkpoint " + good, 0, "are right"},
		"verify, CRLF":        {"verify --checkpoint " + kept("crlf", windows(note)), 0, "are right"},
		"verify, no note": {"verify --checkpoint " + text, 2,
			"not a checkpoint: it has no origin, size, root and signature"},
		"verify, JSON":    {"verify --checkpoint " + kept("json", asJSON), 2, "jq -r .checkpoint"},
		"verify, cut off": {"verify --checkpoint " + kept("cut", note[:len(note)-8]), 2, "no line of a signature"},
		"verify, another key": {"verify --key " + foreign, 2,
			given + ": the checkpoint of size 1 of pay.example.ly bears the signature of"},
		"verify, another key, kept": {"verify --key " + foreign + " --checkpoint " + good, 2, given},
		"verify, altered": {"verify --checkpoint " + altered, 1,
			"the signature does not hold: it is not the text that"},
		"verify, no key":       {"verify --key " + text, 2, "is no public key"},
		"missing, a line more": {"missing --checkpoint " + good, 0, "Nothing is missing"},
		"missing, another key": {"missing --checkpoint " + good + " --key " + foreign, 2, given},
		"missing, altered":     {"missing --checkpoint " + altered, 1, "signature does not hold"},
		"check, a line more": {
			"check --proof " + proof + " --checkpoint " + good + " --key " + keyFile, 0, "unchanged",
		},
		"check, CRLF and UTF-8's BOM": {
			"check --proof " + kept("crlf.json", windows(string(whole))) + " --key " + key, 0, "unchanged",
		},
		"check, another key": {"check --proof " + proof + " --key " + foreign, 1, given},
		"check, another key, kept": {
			"check --proof " + proof + " --checkpoint " + good + " --key " + foreign, 2, given,
		},
		"check, no proof":     {"check --proof " + good, 2, "it is not a proof file"},
		"check, half a proof": {"check --proof " + kept("half.json", halfProof), 2, "it is not a proof file"},
		"prove, no note":      {"prove " + intent + " --since " + text, 2, "not a checkpoint"},
		"witness, a witness's key": {
			"witness --once --from " + s.base + " --state " + dir + "/w --key " + witnessKey(t, s),
			2, "is the key of a witness",
		},
	} {
		r := call(t, s.env, append([]string{"audit"}, strings.Fields(c.args)...)...)
		all := r.out + r.errors
		if r.code != c.code || !strings.Contains(all, c.says) || strings.Contains(all, "WRONG") ||
			strings.Contains(all, "tampered") {
			t.Errorf("%s: exit %d, want %d saying %q: %s", name, r.code, c.code, c.says, all)
		}
	}
}

// witnessKey is the key of a witness that has run once.
func witnessKey(t *testing.T, s *service) string {
	t.Helper()
	return answer[struct{ Witness string }](t, nil, "audit", "witness", "--once",
		"--from", strings.TrimSuffix(s.base, "/api/v1"),
		"--state", filepath.Join(t.TempDir(), "witness.json"), "--name", "witness.example.ly/1").Witness
}
