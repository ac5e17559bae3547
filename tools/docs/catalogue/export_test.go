package main

// Catalogue is what is held to docs/events.md.
func Catalogue(root string) ([]byte, error) { return catalogue(root) }
