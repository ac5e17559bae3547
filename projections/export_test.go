package projections

// Waiting is how many questions wait for a query.
func (p *Intents) Waiting() int { return p.lookups.Waiting() }

// SetMaxScan bounds how many rows are looked at for one page.
func (p *Payments) SetMaxScan(rows int) { p.maxScan = rows }
