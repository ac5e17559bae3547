// Package commands is the command line: every command of daftar with its flags. One file
// has the commands of one group: flags, one call into the package that does the work,
// and the answer as a struct that package output prints.
//
// It promises the exit codes that scripts act on, one JSON value on standard output
// under --json, and that a call with a mistake in it, as a wrong flag, fails before
// anything is done. It holds no rules of payments, accounts or storage: what a command
// can do, a package below it does.
package commands
