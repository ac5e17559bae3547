// Command daftar-dev has what developers run and production does not: a demonstration with a
// database, fakes of the acquirers, and payments that are played. See README.md.
package main

import (
	"os"

	"daftar/cmd/daftar-dev/commands"
	"daftar/cmd/daftar/cli"
)

// version is set by the build (scripts/version).
var version = "unknown"

func main() { os.Exit(cli.Main(version, commands.Root)) }
