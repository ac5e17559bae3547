package projections

// Waiting is how many questions wait for a query.
func (p *Intents) Waiting() int { return p.lookups.Waiting() }
