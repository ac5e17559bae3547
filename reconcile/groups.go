package reconcile

// Group is the findings of a kind, and what they add to the two totals of the report: what all groups add
// to the statement less what they add to the ledger is the report's difference.
type Group struct {
	Kind     Kind
	Findings []Finding // in the order of the report
	// Statement and Ledger count what is in the span. Lines in another currency have no amount.
	Statement, Ledger Total
}

// Amount is the sum of a group that has one side only, and otherwise the statement's less the ledger's.
func (g Group) Amount() int64 {
	if g.Statement.Count == 0 {
		return g.Ledger.Amount
	}
	return g.Statement.Amount - g.Ledger.Amount
}

// HasRefunds reports whether money went back in any of the findings.
func (g Group) HasRefunds() bool {
	for _, f := range g.Findings {
		if f.Line != nil && f.Line.Amount < 0 || f.Entry != nil && f.Entry.Amount < 0 {
			return true
		}
	}
	return false
}

// Groups are the findings by their kind, the worst first. Kinds without a finding have no group.
func (r *Report) Groups() []Group {
	var all []Group
	begin := 0                     // of the group
	for n, f := range r.Findings { // they are sorted by their kind
		if n == 0 || r.Findings[n-1].Kind != f.Kind {
			begin, all = n, append(all, Group{Kind: f.Kind})
		}
		g := &all[len(all)-1]
		g.Findings = r.Findings[begin : n+1]
		if l := f.Line; l != nil && (l.At.IsZero() || r.Span.Has(l.At)) {
			g.Statement.add(l.Amount)
		}
		// The entry of a repeated line is counted with the line that is paired with it.
		if e := f.Entry; e != nil && f.Kind != TwiceInStatement && r.Span.Has(e.At) {
			g.Ledger.add(e.Amount)
		}
	}
	return all
}
