// Package cli is what the commands of daftar and of daftar-dev have in common: how they read flags
// and arguments, answer, and end.
//
// It promises the exit codes that scripts act on, one JSON value on standard output under --json,
// and that a call with a mistake in it, as a wrong flag, fails before anything is done. A Client asks
// the API as a merchant's server does, with an application's credentials.
package cli
