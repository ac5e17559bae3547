package view

import (
	"maps"
	"slices"
	"strings"

	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// columnPrefix begins the names of the form's fields for columns.
const columnPrefix = "column_"

// ColumnField is the field of a statement that a field of the form is about.
func ColumnField(name string) (statements.Field, bool) {
	field, is := strings.CutPrefix(name, columnPrefix)
	return statements.Field(field), is && slices.Contains(statements.Fields, statements.Field(field))
}

// columnsText are columns in one line, as the flag of `daftar reconcile` has them.
func columnsText(columns map[statements.Field]string) string {
	var all []string
	for _, f := range statements.Fields {
		if name, named := columns[f]; named {
			all = append(all, string(f)+"="+name)
		}
	}
	return strings.Join(all, ", ")
}

// readColumns adds what is wrong with the chosen columns: an amount and a name of the payment are needed,
// and a column holds one thing.
func (f *FormErrors) readColumns(columns map[statements.Field]string) {
	if columns == nil {
		return
	}
	wrong := func(at statements.Field, text func(reconcileTexts) string) {
		f.Add(columnPrefix+string(at), func(t *Texts) string { return text(t.Reconcile) })
	}
	has := func(field statements.Field) bool { return columns[field] != "" }
	switch {
	case !has(statements.Amount) && !has(statements.Credit):
		wrong(statements.Amount, func(t reconcileTexts) string { return t.NeedsAmount })
	case has(statements.Amount) && (has(statements.Credit) || has(statements.Debit)):
		wrong(statements.Amount, func(t reconcileTexts) string { return t.TwoAmounts })
	}
	if !has(statements.Reference) && !has(statements.Number) && !has(statements.Narrative) {
		wrong(statements.Reference, func(t reconcileTexts) string { return t.NeedsReference })
	}
	used := map[string]bool{}
	for _, field := range statements.Fields {
		if name := columns[field]; name != "" {
			if used[name] {
				wrong(field, func(t reconcileTexts) string { return t.ColumnTwice })
			}
			used[name] = true
		}
	}
}

// columnChoice is a field of a statement and the columns that may hold it.
type columnChoice struct {
	Field, Name string // of the form
	Label, Hint string
	Chosen      string
	Columns     []string
}

// ColumnChoices are the fields of the form for columns: with what was chosen, or what would be read.
func (r rendering) ColumnChoices(p ReconcilePage) []columnChoice {
	chosen := p.Form.Columns
	if chosen == nil {
		chosen = p.Sample.Columns
	}
	names := p.Sample.Names()
	var all []columnChoice
	for _, f := range statements.Fields {
		words := r.T.Reconcile.Fields[f]
		all = append(all, columnChoice{
			Field: string(f), Name: columnPrefix + string(f), Label: words.Name, Hint: words.Meaning,
			Chosen: chosen[f], Columns: names,
		})
	}
	return all
}

// readColumn is a column that was read, or the unit of its amounts.
type readColumn struct{ Field, Column string }

// ReadColumns are the columns that a comparison has read.
func (r rendering) ReadColumns(report *reconcile.Report) []readColumn {
	var all []readColumn
	for _, f := range statements.Fields {
		if name := report.Columns[f]; name != "" {
			all = append(all, readColumn{r.T.Reconcile.Fields[f].Name, name})
		}
	}
	unit := r.T.Reconcile.Dirhams
	if report.Unit == statements.Dinars {
		unit = r.T.Reconcile.Dinars
	}
	return append(all, readColumn{r.T.Reconcile.Unit, unit})
}

// SampleHead and SampleRows are the preview of a file.
func (ReconcilePage) SampleHead(s *reconcile.Sample) []string { return s.Lines[0] }

// SampleRows are the lines below the names, each with as many cells.
func (ReconcilePage) SampleRows(s *reconcile.Sample) [][]string {
	var rows [][]string
	for _, line := range s.Lines[1:] {
		row := make([]string, max(len(line), len(s.Lines[0])))
		copy(row, line)
		rows = append(rows, row)
	}
	return rows
}

// StoredColumns are chosen columns as they are kept, and ColumnsOf are those of what was kept.
func StoredColumns(columns map[statements.Field]string) map[string]string {
	stored := make(map[string]string, len(columns))
	for f, name := range columns {
		stored[string(f)] = name
	}
	return stored
}

// ColumnsOf are the columns that were kept; nil: none.
func ColumnsOf(stored map[string]string) map[statements.Field]string {
	if len(stored) == 0 {
		return nil
	}
	columns := make(map[statements.Field]string, len(stored))
	for f, name := range maps.All(stored) {
		columns[statements.Field(f)] = name
	}
	return columns
}
