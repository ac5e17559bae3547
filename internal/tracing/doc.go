// Package tracing follows a request through the server and beyond it: from the
// API over the append to each try of its webhook, as one OpenTelemetry trace. The
// parts are connected by the event, whose metadata contain the trace's name.
//
// Until Start has been called nothing is recorded, events name no trace, and a
// call here reads one flag. Spans have routes, ids of intents and outcomes; never
// contents, credentials or addresses. A trace that a caller sends along is ignored:
// callers do not decide what is recorded here.
//
// While the collector is out of reach, spans are dropped after some time and a warning
// is logged; no request waits.
package tracing
