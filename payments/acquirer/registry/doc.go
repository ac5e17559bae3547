// Package registry lists the acquirers that are built in, each as its adapter describes it. What
// configuration, pages, commands and reconciliations know of an acquirer they take from here.
//
// It promises that names of acquirers, of methods and of variables are there once, and that words
// exist in both languages; a test holds every Description to it. Nothing fails: what has a name
// that is not known is reported as such, since events may have been stored by another version.
package registry
