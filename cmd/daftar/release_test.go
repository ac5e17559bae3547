package main_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Whoever builds the same source in another folder gets the same bytes.
func TestReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--check").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the same bytes from two folders") {
		t.Errorf("%v: %s", err, out)
	}
}

// What is given away has the licences of all that is in it.
func TestEveryDependencyHasALicence(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--licences").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"github.com/gorilla/mux@", "github.com/jackc/pgx/v5@", "github.com/rs/zerolog@", "\nGo, LICENSE\n", "Apache License", "MIT License"} {
		if !strings.Contains(string(out), name) {
			t.Errorf("the licences lack %q", name)
		}
	}
	for _, name := range []string{"GNU AFFERO", "GNU GENERAL PUBLIC LICENSE", "Business Source License"} {
		if strings.Contains(string(out), name) {
			t.Errorf("something in the binary is under %q, which does not go with ours", name)
		}
	}
}
