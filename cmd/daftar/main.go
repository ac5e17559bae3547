// Command daftar runs and operates the payment ledger. See README.md.
package main

import (
	"os"

	"github.com/google/uuid"

	"daftar/cmd/daftar/commands"
)

// version is set by the build.
var version = "unknown"

func main() {
	// Each request has one: its random bytes are drawn for sixteen at a time.
	uuid.EnableRandPool()
	os.Exit(commands.Main(version))
}
