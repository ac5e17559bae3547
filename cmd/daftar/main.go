// Command daftar runs and operates the payment ledger. See README.md.
package main

import (
	"os"

	"github.com/google/uuid"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/commands"
)

// version is that of the newest release in CHANGELOG.md. A build from a checkout adds the
// commit (scripts/version).
var version = "1.0.0"

func main() {
	// Each request gets a uuid. The pool reads the random bytes of sixteen at a time.
	uuid.EnableRandPool()
	os.Exit(cli.Main(version, commands.Root))
}
