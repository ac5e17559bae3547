package main

import (
	"bytes"
	"fmt"
)

// unit is a service of systemd that the package has.
type unit struct {
	name     string
	settings string // the file that people change
	command  string // of daftar
}

// units are all of them. Only the first is for every installation; the package enables neither.
var units = []unit{
	{"daftar", environment, "serve"},
	{"daftar-sandbox", "/etc/daftar/sandbox.env", "sandbox-acquirer"},
}

// file is the unit's name in the folder deploy and in an archive.
func (u unit) file() string { return u.name + ".service" }

// place is that in the package.
func (u unit) place() string { return "/usr/lib/systemd/system/" + u.file() }

// packaged is the unit, changed for the program's place in the package.
func (u unit) packaged(byHand []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(byHand, []byte("[Unit]\n"))
	local, packaged := "ExecStart=/usr/local/bin/daftar "+u.command, "ExecStart=/usr/bin/daftar "+u.command
	if !ok || !bytes.HasPrefix(head, []byte("#")) || bytes.Count(rest, []byte("\nExecStart=")) != 1 ||
		bytes.Count(rest, []byte("\n"+local)) != 1 {
		return nil, fmt.Errorf("%s does not have one line %q", u.file(), local)
	}
	rest = bytes.Replace(rest, []byte(local), []byte(packaged), 1)
	rest = bytes.Replace(rest, []byte("/README.md\n"), []byte("/README.Debian\n"), 1)
	header := "# Change settings in " + u.settings + ", and this by `systemctl edit " + u.name + "`.\n[Unit]\n"
	return append([]byte(header), rest...), nil
}
