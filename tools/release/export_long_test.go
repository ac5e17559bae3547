//go:build long

package main

import "time"

// Unexported names for the tests.
var PackagedUnit = packagedUnit

// Platforms returns all platforms that may have binaries.
func Platforms() (names []string) {
	for _, p := range platforms {
		names = append(names, p.String())
	}
	return names
}

// Make makes a release.
func Make(root, version, binaries, out string, date time.Time) error {
	r := release{root: root, version: version, binaries: binaries, out: out, date: date}
	return r.make()
}
