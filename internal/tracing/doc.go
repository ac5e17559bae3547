// Package tracing follows a request through the server and beyond it: from the
// API over the append to each try of the webhook that tells of it, as one
// OpenTelemetry trace. The way from one to the other leads through the event:
// its metadata hold the trace's name.
//
// Until Start has been called nothing is recorded, events name no trace, and a
// call here costs a look at one flag. Spans hold routes, ids of intents and
// outcomes; never contents, credentials or addresses. A trace that a caller sends
// along is not taken up: callers do not decide what is recorded here.
//
// When the collector is away spans are dropped after a while, and a warning says
// so; no request waits for it.
package tracing
