package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// root is the root of the repository, from the folder in which go generate ./docs runs the command.
const root = "../.."

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func write() error {
	all, err := documents(root)
	if err != nil {
		return err
	}
	for name, text := range all {
		path := filepath.Join(root, "docs", "site", "documents", name)
		err := os.WriteFile(path, text, 0o644) //nolint:gosec // everybody may read the documentation
		if err != nil {
			return err
		}
	}
	return nil
}
