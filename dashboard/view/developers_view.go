package view

// codePiece is a block of code as the template "snippet" shows it.
type codePiece struct{ ID, Label, Text, Copy, Copied string }

// Piece is a block of code; id names it on the page.
func (r rendering) Piece(id, label, text string) codePiece {
	t := r.T.Developers
	return codePiece{ID: id, Label: label, Text: text, Copy: t.Copy, Copied: t.Copied}
}

// sandboxTable is one of the tables of what the sandbox does.
type sandboxTable struct {
	Label, Does string
	Rows        []sandboxRow
}

// Table is one with a name for what stands at the head of its rows.
func (r rendering) Table(label string, rows []sandboxRow) sandboxTable {
	return sandboxTable{Label: label, Does: r.T.Developers.Does, Rows: rows}
}
