package projections

// Waiting is how many questions wait for a query.
func (p *Intents) Waiting() int { return len(p.questions) }

// InChunksOf makes a rebuild replay about that many events at a time.
func (o Options) InChunksOf(events int64) Options {
	o.chunkEvents = events
	return o
}

// SetMaxScan bounds how many rows are looked at for one page.
func (p *Payments) SetMaxScan(rows int) { p.maxScan = rows }

// SecondVersion is a made-up next version of intents, which has a column more.
func SecondVersion() Projection {
	s := intentsShape
	s.version = 2
	s.alter = `ALTER TABLE {intents} ADD COLUMN letters integer NOT NULL DEFAULT -1`
	s.begin = func() folding {
		return &intentsFolding{
			columns: append(append([]string{}, intentColumns...), "letters"),
			values:  func(i Intent) []any { return append(intentValues(i), int32(len(i.Description))) },
		}
	}
	return s.projection(Verify)
}
