// Package wholefile writes files that are whole or not there.
//
// Write puts a file in the place of an older one in a single step, and returns when it is
// on disk: also after a crash, a reader finds the old text or the new one. After an error
// it may be either. The folder must exist; a file that a crash left unfinished in it
// begins with ".new-" and may be removed. The package keeps nothing.
package wholefile
