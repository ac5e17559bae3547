// Package wholefile writes files that are whole or not there.
//
// Write replaces an older file in a single step, and returns when the new one is on disk:
// also after a crash, a reader finds the old text or the new one. After an error it may be
// either. The folder must exist; a file that a crash left unfinished in it begins with
// ".new-" and may be removed. The package keeps no state.
package wholefile
