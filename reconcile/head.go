package reconcile

import (
	"errors"
	"io"
	"strings"
)

// maxPreamble is within how many lines the head of a table is looked for.
const maxPreamble = 50

// head is the line with the names of the columns.
type head struct {
	line  int
	names []string // as the file has them
	at    map[Field]int
}

// findHead reads up to the head: the first line that has the columns that are needed.
// Where there is none, the line that has most of them says what is missing. It returns
// how many columns it found.
func findHead(t table, p Profile, chosen map[Field]string) (h head, best int, err error) {
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
	line   int
	names  []string
	normal []string
	used   []bool
	at     map[Field]int
	twice  error // the first name that several columns have
}

// take finds the column of a field. A column has one field.
func (c *columns) take(f Field, wanted string) bool {
	found := none
	for n, name := range c.normal {
		if c.used[n] || name != wanted {
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
func (c *columns) takeKnown(known map[Field][]string, fields []Field, chosen map[Field]string) {
	for _, f := range fields {
		if _, named := chosen[f]; named {
			continue
		}
		for _, name := range known[f] {
			if _, found := c.at[f]; found || c.take(f, name) {
				break
			}
		}
	}
}

// locate finds the column of each field: the one that the caller named, else by the
// provider's own names, else by those of banks. It returns how many it found.
func locate(r record, p Profile, chosen map[Field]string) (h head, found int, err error) {
	c := &columns{line: r.number, used: make([]bool, len(r.cells)), at: map[Field]int{}}
	for _, cell := range r.cells {
		name := strings.ToValidUTF8(trimmed(strings.Clone(cell.text)), "\ufffd")
		c.names, c.normal = append(c.names, name), append(c.normal, normal(name))
	}
	for _, f := range Fields {
		name := chosen[f]
		if name == "" || c.take(f, normal(name)) {
			continue
		}
		if c.twice == nil {
			c.twice = problemAt(ProblemNoColumn, r.number, name, "")
		}
		return head{}, len(c.at), c.twice
	}
	for _, known := range []map[Field][]string{p.names, banks} {
		c.takeKnown(known, Fields, chosen)
	}
	if c.twice != nil {
		return head{}, len(c.at), c.twice
	}
	if _, found := c.at[Amount]; !found {
		return head{}, len(c.at), problemAt(ProblemNoColumn, r.number, string(Amount), "")
	}
	_, ours := c.at[Reference]
	if _, theirs := c.at[Number]; !ours && !theirs {
		return head{}, len(c.at), problemAt(ProblemNoColumn, r.number, string(Reference), "")
	}
	return head{r.number, c.names, c.at}, len(c.at), nil
}
