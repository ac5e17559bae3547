// Package fakes runs fakes of acquirers, with play money, on a developer's machine. Each fake is in
// the folder of its adapter; this package lists them.
//
// A fake listens on loopback only, keeps its books in memory, and ends with the context of Run.
// A name that no fake has, and an address of another machine, are a config.Error.
package fakes
