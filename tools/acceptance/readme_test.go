package acceptance_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// Every command line of the README and the operators' page works, in order, with the words in
// capitals replaced by earlier answers.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	known := map[string]string{"proof.json": filepath.Join(t.TempDir(), "proof.json")}
	typed := 0
	_, operators, _ := strings.Cut(read(t, "../../README.md"), "\n## Run it on your own PostgreSQL\n")
	operators += read(t, "../../docs/operate/README.md")
	for _, block := range shellBlock.FindAllStringSubmatch(operators, -1) {
		for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", "")) {
			command, ours := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "bin/"), "daftar ")
			if !ours {
				continue
			}
			typed++
			if command == "serve" {
				known["INTENT"] = createOne(t, serve(t, db.URL()), known)
				continue
			}
			type answered struct {
				Organization struct{ UUID string }
				Application  struct{ UUID string }
				UUID         string
				APIKey       string `json:"api_key"`
				AccessToken  string `json:"access_token"`
				Deliveries   []struct{ UUID string }
			}
			command, _, _ = strings.Cut(command, " < ") // a file with a password
			var r run
			pgtest.WaitFor(t, "a signed checkpoint", func() bool {
				r = callWith(t, env, "what the owner's password file holds\n", append(words(command, known), "--json")...)
				// The first checkpoint is signed some seconds after the server's start.
				return r.code == 0 || command != "audit checkpoint"
			})
			// No server listens at the address that the page sets.
			if unheard := strings.HasPrefix(command, "webhooks test"); r.code != 0 && !unheard {
				t.Fatalf("%s: exit %d: %s%s", command, r.code, r.out, r.errors)
			}
			if command == "audit checkpoint" {
				continue // its answer is the signed text, with and without --json
			}
			var a answered
			lines := strings.Split(strings.TrimSpace(r.out), "\n") // the last line is the answer
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &a); err != nil {
				t.Fatalf("%s answered %s: %v", command, r.out, err)
			}
			for word, value := range map[string]string{
				"ORGANISATION": a.Organization.UUID, "APPLICATION": a.Application.UUID, "API key": a.APIKey,
				"access token": a.AccessToken,
			} {
				if value != "" {
					known[word] = value
				}
			}
			if a.AccessToken != "" {
				known["TOKEN"] = a.UUID
			}
			if len(a.Deliveries) > 0 {
				known["DELIVERY"] = a.Deliveries[0].UUID
			}
		}
	}
	if typed < 35 {
		t.Errorf("the pages have %d commands; were they moved where this test does not look?", typed)
	}
}

func createOne(t *testing.T, s *service, known map[string]string) string {
	t.Helper()
	who := shop{key: known["API key"], token: known["access token"]}
	r := s.ask(t, who, http.MethodPost, "/payment-intents", order("readme"))
	if r.status != http.StatusCreated {
		t.Fatalf("create: %d %s", r.status, r.body)
	}
	return r.data.UUID
}

// words splits a line as a shell does, with single quotes, and replaces the words in capitals.
func words(line string, known map[string]string) []string {
	var out []string
	for n, part := range strings.Split(line, "'") {
		if n%2 == 1 {
			out = append(out, part)
			continue
		}
		for word := range strings.FieldsSeq(part) {
			if value, ok := known[word]; ok {
				word = value
			}
			out = append(out, word)
		}
	}
	return out
}

// ARCHITECTURE.md has each folder of the project once and no other.
func TestFoldersAreMapped(t *testing.T) {
	t.Parallel()
	architecture := read(t, "../../ARCHITECTURE.md")
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	made := []string{"bin", "dist", "var"} // created by make, and in no clone
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(made, e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	var mapped []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(architecture, -1) {
		mapped = append(mapped, row[1])
	}
	if !slices.Equal(mapped, folders) {
		t.Errorf("ARCHITECTURE.md maps %v, the project has %v", mapped, folders)
	}
}

// Every target of make in the README and CONTRIBUTING.md exists.
func TestTargetsExist(t *testing.T) {
	t.Parallel()
	makefile := read(t, "../../Makefile")
	text := read(t, "../../README.md") + read(t, "../../CONTRIBUTING.md")
	for _, target := range regexp.MustCompile(`(?m)^make ([a-z-]+)`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(makefile, "\n"+target[1]+":") {
			t.Errorf("there is no target %s", target[1])
		}
	}
}
