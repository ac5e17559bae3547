package eventstore

// UncontendedAfter is how many batches in a row must not have waited.
const UncontendedAfter = uncontendedAfter

// Contended reports whether the next batch waits for its turn.
func (s *Store) Contended() bool { return s.queue.contended.Load() }
