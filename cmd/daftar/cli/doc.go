// Package cli is what a command of daftar and of daftar-dev is: how it reads flags and arguments,
// answers, and ends.
//
// It promises the exit codes that scripts act on, one JSON value on standard output under --json,
// and that a call with a mistake in it, as a wrong flag, fails before anything is done. A Client asks
// the API as a merchant's server does, with an application's credentials.
package cli
