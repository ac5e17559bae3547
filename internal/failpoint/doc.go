// Package failpoint lets tests and the fault suite kill a server at the moments
// at which a crash would hurt most: between two steps that are not in one
// transaction.
//
// # What it promises
//
// In the program that is built without the tag failpoints, Here is an empty
// function that the compiler removes: no check, no environment variable, no way
// to crash a server from outside. With the tag, the variable DAFTAR_CRASH_AT
// names a point, as "point", or "point:n" for the nth time that the program reaches
// it. The process then ends by SIGKILL, which nothing can catch: no deferred
// function runs and no buffer is flushed, as if the machine had lost the process.
// A line on standard error names the point, so that this end can be distinguished
// from another.
//
// Points lists all points; a test compares the list with the calls in the code, one
// call for each point.
//
// # When it fails
//
// A point that does not exist, or a count that is no number from 1, ends the
// program at its start with exit code 2: a run that never crashes where it should
// would prove nothing.
//
// # Who owns what
//
// The package owns nothing. The test that sets the variable also restarts the process.
package failpoint
