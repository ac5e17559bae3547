// Command daftar runs and operates the payment ledger. See README.md.
package main

import (
	"os"

	"daftar/cmd/daftar/commands"
)

// version is set by the build.
var version = "unknown"

func main() { os.Exit(commands.Main(version)) }
