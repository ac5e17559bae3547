//go:build !linux

package pgcluster

import "syscall"

// capabilityChoices is what prepareDirectory tries: there are no capabilities.
func capabilityChoices() [][]uintptr { return [][]uintptr{nil} }

func setCapabilities(*syscall.SysProcAttr, []uintptr) {}

// EndWithParent does nothing on this system: a server outlives an owner that is killed,
// and awaitPredecessor reports it.
func EndWithParent(*syscall.SysProcAttr, syscall.Signal) {}
