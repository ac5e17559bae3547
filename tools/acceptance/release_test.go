package acceptance_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A release has the licences of everything in it.
func TestEveryDependencyHasALicence(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--licences").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{
		"github.com/gorilla/mux@", "github.com/jackc/pgx/v5@", "github.com/rs/zerolog@", "\nGo, LICENSE\n",
		"Apache License", "MIT License",
	} {
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
