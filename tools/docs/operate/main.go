package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// root is the root of the repository, from the folder in which go generate ./docs runs the command.
const root = "../.."

func main() {
	for name, text := range documents() {
		path := filepath.Join(root, "docs", "operate", name)
		err := os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // all may read the documentation
		if err != nil {
			fmt.Fprintln(os.Stderr, "operate:", err)
			os.Exit(1)
		}
	}
}

// documents returns the files of docs/operate that are made from the code, by name.
func documents() map[string]string {
	return map[string]string{"variables.md": variables(), "commands.md": commands()}
}
