package settlements

import "daftar/books"

// Command is what accepting the draft records.
func (d Draft) Command(t Terms) (books.RecordStatement, error) { return d.command(t) }
