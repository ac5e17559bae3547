package reconcile

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"daftar/payments/acquirer/statements"
)

// maxPreamble is within how many lines the head of a table is looked for.
const maxPreamble = 50

// head is the line with the names of the columns.
type head struct {
	line  int
	names []string // as the file has them
	at    map[statements.Field]int
}

// findHead reads up to the head: the first line that has the columns that are needed.
// Where there is none, the line that has most of them says what is missing. It returns
// how many columns it found.
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

// columns is a search among the names of a line.
type columns struct {
	line  int
	names []string
	exact [][]string // each name, normal
	meant [][]string // its spellings
	used  []bool
	at    map[statements.Field]int
	twice error // the first name that several columns have
}

// take finds the column of a field. A column has one field.
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
func (c *columns) takeKnown(known map[statements.Field][]string, fields []statements.Field,
	chosen map[statements.Field]string,
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

// locate finds the column of each field: the one that the caller named, else by the
// provider's own names, else by those of banks. It returns how many it found.
func locate(r record, p Profile, chosen map[statements.Field]string) (h head, found int, err error) {
	if i := slices.IndexFunc(r.cells, func(c cell) bool { return !utf8.ValidString(c.text) }); i >= 0 {
		// A name that cannot be read may be that of what was not paid.
		return head{}, 0, problemAt(ProblemEncoding, r.number,
			strings.ToValidUTF8(trimmed(r.cells[i].text), "\ufffd"), "")
	}
	c := &columns{line: r.number, used: make([]bool, len(r.cells)), at: map[statements.Field]int{}}
	for _, cell := range r.cells {
		name := trimmed(strings.Clone(cell.text))
		c.names, c.exact, c.meant = append(c.names, name), append(c.exact, []string{normal(name)}),
			append(c.meant, spellings(name))
	}
	if err := c.takeChosen(chosen); err != nil {
		return head{}, len(c.at), err
	}
	for _, known := range []map[statements.Field][]string{p.Columns, banks} {
		c.takeKnown(known, []statements.Field{statements.Reference, statements.Number, statements.Amount,
			statements.Currency, statements.Time, statements.Status, statements.Type}, chosen)
	}
	c.takeKnown(banks, []statements.Field{statements.Narrative}, chosen)
	c.takeSides(chosen)
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
	return head{r.number, c.names, c.at}, len(c.at), nil
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

// takeSides finds the columns of what came in and of what went out. Together they say
// more than a column of amounts, which then does not count; a column of credits that the
// caller names as that of amounts is one of credits.
func (c *columns) takeSides(chosen map[statements.Field]string) {
	if name, named := chosen[statements.Amount]; named {
		if n, found := c.at[statements.Amount]; found &&
			slices.Contains(banks[statements.Credit], normal(name)) {
			delete(c.at, statements.Amount)
			c.at[statements.Credit] = n
			c.takeKnown(banks, []statements.Field{statements.Debit}, chosen)
		}
		return
	}
	sides := columns{line: c.line, names: c.names, exact: c.exact, meant: c.meant, used: slices.Clone(c.used),
		at: map[statements.Field]int{}}
	sides.takeKnown(banks, []statements.Field{statements.Credit, statements.Debit}, chosen)
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
