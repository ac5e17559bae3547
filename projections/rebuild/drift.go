package rebuild

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/projections"
)

// Drift is a difference between a read model and what the events say.
type Drift struct {
	UUID     string `json:"uuid"     label:"uuid"`
	Field    string `json:"field"    label:"field"    none:"row"` // empty: the row is missing or extra
	Stored   string `json:"stored"   label:"stored"`
	Replayed string `json:"replayed" label:"replayed"`
}

// Report is the outcome of a verification or a rebuild.
type Report struct {
	Name    string  `json:"name"`
	Events  int64   `json:"events"` // that were replayed
	Seconds float64 `json:"seconds"`
	Drift   []Drift `json:"drift" label:""` // at most maxDrift of them
	OK      bool    `json:"ok"`
	// Pause is how long others waited at most for the swap of the tables: writers, or, if
	// a group writes the read model, readers; 0: nothing was swapped.
	Pause time.Duration `json:"-"`
}

// maxDrift bounds a report: more differences call for a rebuild, not for a longer list.
const maxDrift = 1000

func (r *Report) note(found []Drift) {
	r.Drift = append(r.Drift, found[:min(len(found), maxDrift-len(r.Drift))]...)
}

const (
	// absentRow represents a missing row in a Drift.
	absentRow = "(no row)"
	// untitledRow represents an existing row of a table without a title.
	untitledRow = "(a row)"
)

// absentColumn is the value of a column that a table of another version lacks. It
// equals every value.
type absentColumn struct{}

// rowKey identifies a row of a table.
type rowKey [5]any

func keyOf(t projections.Table, r projections.Row) (key rowKey) {
	copy(key[:], r[:t.Key])
	return key
}

// differences compares the rows of a table, column by column. If the read model
// has several tables, the differences name those other than the first.
func (m model) differences(table int, stored, replayed []projections.Row) []Drift {
	t := m.Tables[table]
	byKey := make(map[rowKey]projections.Row, len(stored))
	for _, s := range stored {
		byKey[keyOf(t, s)] = s
	}
	prefix := ""
	if table > 0 {
		prefix = t.Name
	}
	var found []Drift
	drift := func(r projections.Row, column, stored, replayed string) {
		field := strings.Join(append(append([]string{prefix}, keyTexts(t, r)...), column), " ")
		found = append(found, Drift{
			UUID: text(r[0]), Field: strings.TrimSpace(field), Stored: stored, Replayed: replayed,
		})
	}
	for _, r := range replayed {
		s, exists := byKey[keyOf(t, r)]
		if !exists {
			drift(r, "", absentRow, title(t, r))
			continue
		}
		delete(byKey, keyOf(t, r))
		for n, name := range t.Columns {
			if _, lacks := s[n].(absentColumn); !lacks && !equalValues(s[n], r[n]) {
				one, other := texts(s[n], r[n])
				drift(r, name, one, other)
			}
		}
	}
	for _, s := range stored {
		if _, left := byKey[keyOf(t, s)]; left {
			drift(s, "", title(t, s), absentRow)
		}
	}
	slices.SortStableFunc(found, func(a, b Drift) int {
		if t.Sums {
			return cmp.Or(cmp.Compare(a.UUID, b.UUID), cmp.Compare(a.Field, b.Field))
		}
		return cmp.Compare(a.UUID, b.UUID)
	})
	return found
}

// keyTexts are the values of the key after the uuid.
func keyTexts(t projections.Table, r projections.Row) []string {
	var all []string
	for _, v := range r[1:t.Key] {
		if day, is := v.(time.Time); is {
			v = day.Format(time.DateOnly)
		}
		all = append(all, text(v))
	}
	return all
}

// title represents a whole row.
func title(t projections.Table, r projections.Row) string {
	if n := slices.Index(t.Columns, t.Title); n >= 0 {
		return text(r[n])
	}
	return untitledRow
}

func equalValues(stored, replayed any) bool {
	at, is := stored.(time.Time)
	if other, too := replayed.(time.Time); is && too {
		return at.Equal(other)
	}
	return stored == replayed
}

// texts are two values that differ. A text that looks like null is quoted if the other value
// is null.
func texts(stored, replayed any) (string, string) {
	quote := func(v, other any) string {
		if s, is := v.(string); is && other == nil && (s == "" || s == text(nil)) {
			return strconv.Quote(s)
		}
		return text(v)
	}
	return quote(stored, replayed), quote(replayed, stored)
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case [16]byte:
		return uuid.UUID(v).String()
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}
