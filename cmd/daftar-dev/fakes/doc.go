// Package fakes runs fakes of acquirers, with play money: what a server takes for the acquirers, on
// the machine of a developer. Each is in the folder of its adapter, and here is their list.
//
// A fake listens on loopback only, keeps its books in memory, and ends with the context of Run.
// A name that no fake has, and an address of another machine, are a config.Error.
package fakes
