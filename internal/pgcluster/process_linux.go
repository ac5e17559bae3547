package pgcluster

import "syscall"

// Linux capabilities by number; package syscall does not name them.
const (
	capDACOverride   = 1
	capDACReadSearch = 2
)

// capabilityChoices is what prepareDirectory tries, least first.
func capabilityChoices() [][]uintptr {
	return [][]uintptr{nil, {capDACReadSearch}, {capDACOverride}}
}

func setCapabilities(a *syscall.SysProcAttr, caps []uintptr) { a.AmbientCaps = caps }

// EndWithParent makes the kernel send a signal when the thread that started the process ends.
func EndWithParent(a *syscall.SysProcAttr, s syscall.Signal) { a.Pdeathsig = s }
