// Package registry lists the built-in acquirers, each as its adapter describes it. Configuration,
// pages, commands and reconciliations know acquirers only from here.
//
// It promises that names of acquirers, methods and variables are unique, and that texts exist in
// both languages; a test checks every Description. Nothing fails: an unknown name is reported as
// such, because another version may have stored the event.
package registry
