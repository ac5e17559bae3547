// Package history holds what a run of the fault suite observed outside the service: every
// request and its outcome, every webhook that arrived, every fault. Package torture writes
// it; package checker checks the database against it.
//
// A request without a definite answer is kept as unknown (Status 0): the service may have
// done what it asked. Times are counted from the start of the run on one monotonic clock and
// do not depend on the clocks of the servers, which faults may change.
//
// A Recorder may be used by many goroutines; a Run may not.
package history
