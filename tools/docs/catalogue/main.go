package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// root is that of the repository, from the folder in which go generate ./docs runs the command.
const root = "../.."

func main() {
	text, err := catalogue(root)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "docs", "events.md"), text,
			0o644) //nolint:gosec // everybody may read the documentation
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "catalogue:", err)
		os.Exit(1)
	}
}
