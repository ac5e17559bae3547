package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/operate has the code's variables and commands.
func TestOperatorsPagesAreTrue(t *testing.T) {
	t.Parallel()
	for name, want := range documents() {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operate", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("docs/operate/%s is stale; go generate ./docs writes it again (-code +file):\n%s", name, diff)
		}
	}
}

// A command in a group has a heading; former names of commands have none.
func TestCommandsAreListed(t *testing.T) {
	t.Parallel()
	text := documents()["commands.md"]
	for heading, want := range map[string]bool{
		"### daftar serve\n": true, "### daftar app create\n": true, "### daftar-dev demo\n": true,
		"### daftar demo\n": false, "### daftar app\n": false,
	} {
		if strings.Contains(text, heading) != want {
			t.Errorf("%q exists: %v, want %v", heading, !want, want)
		}
	}
}
