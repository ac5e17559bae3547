// Package server assembles the parts of daftar: what `daftar serve` runs, the sandbox
// acquirer that runs next to it, and the operations for commands of operators.
//
// New checks the database, opens the pools, claims the addresses and makes the parts;
// it fails on a schema or a durability that the ledger cannot rely on, and with a
// config.Error on an address that is taken. Run serves until its context ends, then
// drains: requests that are under way are answered, and appends that wait are
// committed, within drainLimit, and what runs next to them ends, within workLimit. What takes
// longer is cut off: a refund whose acquirer does not answer is unknown then, as after a kill.
// A part that fails ends Run with its error.
//
// A Server owns its pools, listeners and parts. Run releases them; a Server that is not
// run is released by Close. Tests call it in their own process through Handler.
package server
