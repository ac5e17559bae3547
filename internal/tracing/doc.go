// Package tracing follows a request through the server and beyond it: from the
// API over the append to each try of its webhook, as one OpenTelemetry trace. They
// are connected by the event, whose metadata have the trace's name.
//
// Until Start has been called nothing is recorded, events name no trace, and a
// call here reads one flag. Spans have routes, ids of intents and outcomes; never
// contents, credentials or addresses. A trace that a caller sends along is ignored:
// callers do not decide what is recorded here.
//
// When the collector is away spans are dropped after a while, and a warning says
// so; no request waits for it.
package tracing
