// Package worker has the building blocks of background goroutines: waiting that ends
// with a context, back-off, wake-ups, LISTEN, and the coalescing of queries.
//
// # What it promises
//
// Sleep and Signal.Wait return as soon as their context ends. Signal.Set never
// blocks, and a Signal that is set while no goroutine waits is not lost: the next Wait
// returns at once. Any number of Sets between two Waits count as one.
// ToTick makes all pollers of a program wake in the same moment.
//
// A Listener reports every notification that arrives, and replaces its connection
// when that breaks. What is notified in between is lost, so it also reports each
// new connection: the caller then checks for what it may have missed.
//
// A Coalescer answers questions that wait at the same time by one query. The query
// begins after the question was asked, so that the answer is never older. While few
// queries run, a caller makes the query itself, without another goroutine.
//
// Polls asks for many goroutines at each tick what there is to do, in one round trip. A question that cannot
// be answered keeps no other from its answer, and its goroutine is told so.
//
// # When it fails
//
// A Listener without a connection says so in the log and tries again. A Coalescer
// gives the error of a query to each caller that shares it, and ErrClosed to all
// that wait when it is closed.
//
// # Who owns what
//
// Sleep, Signal and Backoff start no goroutines. Listener.Run uses the caller's and
// owns its connection, which it closes before it returns. A Coalescer has goroutines
// only while questions wait; Close waits for them. Of those that Watch the same Polls
// one asks for all; when it ends, another does.
package worker
