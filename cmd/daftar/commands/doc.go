// Package commands is the command line: every command of daftar with its flags. One file
// has the commands of one group: flags, one call into the package that does the work,
// and the answer as a struct that package output prints.
//
// It keeps what package cli promises of exit codes, --json and mistakes in a call. It holds no rules
// of payments, accounts or storage: what a command can do, a package below it does.
package commands
