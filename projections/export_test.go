package projections

// Waiting is how many questions wait for a query.
func (p *Intents) Waiting() int { return p.lookups.Waiting() }

// SetBounds changes what a page of List may cost: rows that are looked at, and events that the
// group has not handled.
func (p *Intents) SetBounds(looked, behind int) { p.bounds = listingBounds{looked, behind} }

// OpenStages are the stages of attempts that List takes for open.
const OpenStages = stages
