// Package history holds what a run of the fault suite saw from outside the
// service: every request and what became of it, every webhook that arrived, every
// fault. It promises nothing by itself: package torture writes it, package checker
// holds the database against it.
//
// A request without a definite answer is kept as unknown (Status 0): it may have
// happened. Times are counted from the start of the run on one monotonic clock, so
// that whatever clock the servers are made to believe in does not matter here.
//
// A Recorder may be used by many goroutines; a Run belongs to who made it.
package history
