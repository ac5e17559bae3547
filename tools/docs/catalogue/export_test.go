package main

// Catalogue returns the text that must be in docs/events.md.
func Catalogue(root string) ([]byte, error) { return catalogue(root) }
