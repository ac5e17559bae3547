package projections

// Waiting is how many look-ups wait for a query.
func (p *Intents) Waiting() int { return p.lookups.Waiting() }

// SetBounds changes the limits for a page of List: rows that are read, and events that the group
// has not handled.
func (p *Intents) SetBounds(looked, behind int) { p.bounds = listingBounds{looked, behind} }

// OpenStages are the stages of attempts that List treats as open.
const OpenStages = stages

// FindReferenceSQL is the statement of FindReference.
var FindReferenceSQL = findReferenceSQL
