//go:build long

package main

import "time"

// PackagedUnit returns a unit as the package has it, by its name.
func PackagedUnit(name string, byHand []byte) ([]byte, error) {
	for _, u := range units {
		if u.name == name {
			return u.packaged(byHand)
		}
	}
	panic("there is no unit " + name)
}

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
