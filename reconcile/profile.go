package reconcile

import (
	"fmt"
	"slices"
	"strings"

	"daftar/payments/acquirer/registry"
	"daftar/payments/acquirer/statements"
)

// Profile describes the statements of an acquirer.
type Profile struct {
	statements.Format

	Acquirer string // its name in events
}

// Acquirers are the acquirers whose statements can be read, in the order of the registry.
func Acquirers() []string {
	var names []string
	for _, a := range registry.All() {
		names = append(names, a.Name)
	}
	return names
}

// ProfileOf is the profile of an acquirer; false: it has none.
func ProfileOf(acquirer string) (Profile, bool) {
	a, known := registry.Named(acquirer)
	return Profile{a.Statement, acquirer}, known
}

// key is the form of our reference by which payments are indexed: an attempt's id, cut to the
// length that statements have of it, in lower case.
func (p Profile) key(reference string) string {
	if p.ReferenceLength > 0 && len(reference) > p.ReferenceLength {
		reference = reference[:p.ReferenceLength]
	}
	return strings.ToLower(reference)
}

// ParseColumns reads which column of a file holds which field, as in
// reference=Order,amount=Total. A field without a name is not read from the file.
func ParseColumns(text string) (map[statements.Field]string, error) {
	columns := map[statements.Field]string{}
	for part := range strings.SplitSeq(text, ",") {
		field, name, pair := strings.Cut(part, "=")
		f := statements.Field(strings.TrimSpace(field))
		switch _, twice := columns[f]; {
		case !pair || !slices.Contains(statements.Fields, f):
			return nil, fmt.Errorf("%q is not FIELD=COLUMN with a field of %v", part, statements.Fields)
		case twice:
			return nil, fmt.Errorf("%s is named twice", f)
		case f == statements.Amount && strings.TrimSpace(name) == "":
			return nil, fmt.Errorf("%s needs a column", f)
		}
		columns[f] = strings.TrimSpace(name)
	}
	return columns, nil
}
