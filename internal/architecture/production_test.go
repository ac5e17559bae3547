package architecture_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// forDevelopers are parts of the paths of packages that only daftar-dev and tests may have in them.
var forDevelopers = []string{"daftar-dev", "demo", "fake", "fakes", "pgcluster", "pgtest", "acquirertest"}

// The program that takes people's money contains no fake of a bank and no database server.
func TestProductionHasNothingOfDevelopers(t *testing.T) {
	t.Parallel()
	for program, has := range map[string]bool{"daftar": false, "daftar-dev": true} {
		c := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/"+program)
		c.Dir = "../.."
		listed, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		found := slices.DeleteFunc(strings.Fields(string(listed)), func(pkg string) bool {
			parts := strings.Split(pkg, "/")
			return parts[0] != module || !slices.ContainsFunc(forDevelopers, func(part string) bool {
				return slices.Contains(parts, part)
			})
		})
		if (len(found) > 0) != has {
			t.Errorf("%s has in it: %q", program, found)
		}
	}
}
