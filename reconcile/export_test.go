package reconcile

import (
	"context"
	"io"

	"daftar/payments/acquirer/statements"
)

// Match compares a statement with entries, without a database.
func Match(
	r io.Reader, p Profile, columns map[statements.Field]string, s Span, entries []Entry,
) (Report, error) {
	st, err := read(context.Background(), r, p, columns, MaxLines)
	if err != nil {
		return Report{}, err
	}
	if s, err = s.of(st, 0); err != nil {
		return Report{}, err
	}
	for n := range entries {
		entries[n].line = none
	}
	m := newMatching(p, st.lines)
	m.add(entries)
	m.pair()
	report := Report{Acquirer: p.Acquirer, Span: s, Unpaid: st.unpaidCount, Skipped: st.skipped}
	report.fill(m)
	return report, nil
}

// Read returns the lines of a statement.
func Read(r io.Reader, p Profile, columns map[statements.Field]string) ([]Line, error) {
	st, err := read(context.Background(), r, p, columns, MaxLines)
	return st.lines, err
}

// Count is the number of findings of a kind.
func (r *Report) Count(k Kind) int {
	n := 0
	for _, f := range r.Findings {
		if f.Kind == k {
			n++
		}
	}
	return n
}
