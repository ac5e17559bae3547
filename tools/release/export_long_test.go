//go:build long

package main

import "time"

// What the tests look at.
var PackagedUnit = packagedUnit

// Platforms are all that there may be binaries for.
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
