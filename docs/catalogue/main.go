package main

import (
	"fmt"
	"os"
)

func main() {
	text, err := catalogue("..")
	if err == nil {
		err = os.WriteFile("events.md", text, 0o644) //nolint:gosec // everybody may read the documentation
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "catalogue:", err)
		os.Exit(1)
	}
}
