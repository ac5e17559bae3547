package reconcile

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"daftar/payments/acquirer/statements"
)

// maxPreamble is the number of lines within which the head of a table must be.
const maxPreamble = 50

// head is the line with the names of the columns.
type head struct {
	names []string // as the file has them
	at    map[statements.Field]int
}

// columns are the names of the columns that are read.
func (h head) columns() map[statements.Field]string {
	names := make(map[statements.Field]string, len(h.at))
	for f, n := range h.at {
		names[f] = h.names[n]
	}
	return names
}

// findHead reads up to the head, the first line with the needed columns, and returns the
// number of columns that it found. If there is none, the error is about the line that has
// most of them.
func findHead(t table, p Profile, chosen map[statements.Field]string) (h head, best int, err error) {
	var nearest error
	best = none
	for range maxPreamble {
		r, err := t.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return head{}, best, err
		}
		if r.isBlank() {
			continue
		}
		h, found, err := locate(r, p, chosen)
		if err == nil {
			t.expect(len(h.names))
			return h, found, nil
		}
		if found > best {
			best, nearest = found, err
		}
	}
	if nearest == nil {
		nearest = problemAt(ProblemEmpty, 0, "", "")
	}
	return head{}, best, nearest
}

// columns assigns the names in a line to fields.
type columns struct {
	line  int
	names []string
	exact [][]string // each name, normal
	meant [][]string // its spellings
	used  []bool
	at    map[statements.Field]int
	twice error // the first name that several columns have
}

// take finds the column of a field by one of its names. A column belongs to one field only.
func (c *columns) take(f statements.Field, among [][]string, wanted string) bool {
	found := none
	for n, names := range among {
		if c.used[n] || !slices.Contains(names, wanted) {
			continue
		}
		if found != none {
			if c.twice == nil {
				c.twice = problemAt(ProblemTwoColumns, c.line, c.names[n], "")
			}
			return false
		}
		found = n
	}
	if found != none {
		c.at[f], c.used[found] = found, true
	}
	return found != none
}

// takeKnown finds the columns of fields that have none yet by their usual names.
func (c *columns) takeKnown(
	known map[statements.Field][]string, fields []statements.Field, chosen map[statements.Field]string,
) {
	for _, f := range fields {
		if _, named := chosen[f]; named {
			continue
		}
		for _, name := range known[f] {
			if _, found := c.at[f]; found || c.take(f, c.meant, name) {
				break
			}
		}
	}
}

// locate finds the column of each field: the one that the caller named, otherwise by the
// provider's own names, otherwise by those of banks. It returns how many it found.
func locate(r record, p Profile, chosen map[statements.Field]string) (h head, found int, err error) {
	if i := slices.IndexFunc(r.cells, func(c cell) bool { return !utf8.ValidString(c.text) }); i >= 0 {
		// The unreadable name may be that of the status, which tells paid from unpaid lines.
		name := strings.ToValidUTF8(trimmed(r.cells[i].text), "\ufffd")
		return head{}, 0, problemAt(ProblemEncoding, r.number, name, "")
	}
	c := &columns{line: r.number, used: make([]bool, len(r.cells)), at: map[statements.Field]int{}}
	for _, cell := range r.cells {
		name := trimmed(strings.Clone(cell.text))
		c.names = append(c.names, name)
		c.exact = append(c.exact, []string{normal(name)})
		c.meant = append(c.meant, spellings(name))
	}
	if err := c.takeChosen(chosen); err != nil {
		return head{}, len(c.at), err
	}
	for _, known := range []map[statements.Field][]string{p.Columns, bankColumns} {
		c.takeKnown(known, []statements.Field{
			statements.Reference, statements.Number, statements.Amount, statements.Currency,
			statements.Time, statements.Status, statements.Type,
		}, chosen)
	}
	c.takeKnown(bankColumns, []statements.Field{statements.Narrative}, chosen)
	c.takeSides(chosen)
	twice := c.twice
	c.takeKnown(bankColumns, []statements.Field{statements.Fee, statements.Settled}, chosen)
	c.twice = twice // a comparison does without them
	has := func(fields ...statements.Field) bool {
		return slices.ContainsFunc(fields, func(f statements.Field) bool {
			_, found := c.at[f]
			return found
		})
	}
	switch {
	case c.twice != nil:
		return head{}, len(c.at), c.twice
	case !has(statements.Amount, statements.Credit):
		return head{}, len(c.at), problemAt(ProblemNoColumn, r.number, string(statements.Amount), "")
	case !has(statements.Reference, statements.Number, statements.Narrative):
		return head{}, len(c.at), problemAt(ProblemNoColumn, r.number, string(statements.Reference), "")
	}
	return head{c.names, c.at}, len(c.at), nil
}

// takeChosen finds the columns that the caller named.
func (c *columns) takeChosen(chosen map[statements.Field]string) error {
	for _, f := range statements.Fields {
		name := chosen[f]
		if name == "" || c.take(f, c.exact, normal(name)) {
			continue
		}
		if c.twice != nil {
			return c.twice
		}
		return problemAt(ProblemNoColumn, c.line, name, "")
	}
	return nil
}

// takeSides finds the columns of credits and of debits. Together they replace a column of
// amounts. A column that the caller chose for the amount and that has a name of credits is
// one of credits.
func (c *columns) takeSides(chosen map[statements.Field]string) {
	if name, named := chosen[statements.Amount]; named {
		n, found := c.at[statements.Amount]
		if found && slices.Contains(bankColumns[statements.Credit], normal(name)) {
			delete(c.at, statements.Amount)
			c.at[statements.Credit] = n
			c.takeKnown(bankColumns, []statements.Field{statements.Debit}, chosen)
		}
		return
	}
	sides := columns{
		line:  c.line,
		names: c.names,
		exact: c.exact,
		meant: c.meant,
		used:  slices.Clone(c.used),
		at:    map[statements.Field]int{},
	}
	sides.takeKnown(bankColumns, []statements.Field{statements.Credit, statements.Debit}, chosen)
	for _, f := range []statements.Field{statements.Credit, statements.Debit} {
		if n, named := c.at[f]; named {
			sides.at[f] = n
		}
	}
	_, in := sides.at[statements.Credit]
	_, out := sides.at[statements.Debit]
	_, amount := c.at[statements.Amount]
	if in && (out || !amount) {
		delete(c.at, statements.Amount)
		for f, n := range sides.at {
			c.at[f], c.used[n] = n, true
		}
		if c.twice == nil {
			c.twice = sides.twice
		}
	}
}
