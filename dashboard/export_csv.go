package dashboard

import (
	"encoding/csv"
	"io"

	"daftar/internal/locale"
)

// byteOrderMark tells spreadsheets that the file is UTF-8.
const byteOrderMark = "\ufeff"

// csvWriter writes comma-separated values. In English the heads are the columns' stable names,
// which scripts rely on.
type csvWriter struct {
	out   *csv.Writer
	heads []string
	cells []string
}

func newCSV(w io.Writer, t table, l locale.Lang) *csvWriter {
	c := &csvWriter{out: csv.NewWriter(w)}
	c.out.UseCRLF = true
	for _, column := range t.columns {
		head := column.Name
		if l == locale.Arabic {
			head = column.Head.Arabic
		}
		c.heads = append(c.heads, head)
	}
	return c
}

// begin writes the heads, once. They fit into the writer's buffer, so nothing is sent yet.
func (c *csvWriter) begin() error {
	if c.heads == nil {
		return nil
	}
	c.heads[0] = byteOrderMark + c.heads[0]
	err := c.out.Write(c.heads)
	c.heads = nil
	return err
}

func (c *csvWriter) row(cells []cell) error {
	if err := c.begin(); err != nil {
		return err
	}
	c.cells = c.cells[:0]
	for _, value := range cells {
		c.cells = append(c.cells, value.text())
	}
	return c.out.Write(c.cells)
}

func (c *csvWriter) flush() error {
	c.out.Flush()
	return c.out.Error()
}

func (c *csvWriter) close() error {
	if err := c.begin(); err != nil {
		return err
	}
	return c.flush()
}
