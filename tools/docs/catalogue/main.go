package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// root is the root of the repository, from the folder in which go generate ./docs runs the command.
const root = "../.."

func main() {
	text, err := catalogue(root)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "docs", "events.md"), text, 0o644) //nolint:gosec // public
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "catalogue:", err)
		os.Exit(1)
	}
}
