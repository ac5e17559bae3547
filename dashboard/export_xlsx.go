package dashboard

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/xuri/excelize/v2"

	"daftar/internal/locale"
)

// maxSheetRows is the number of rows in a sheet of Excel, with the heads.
const maxSheetRows = excelize.TotalRows

var errSheetFull = errors.New("a sheet has no more rows")

// sheetPart is the part with the rows in the workbook's archive. Further rows go before rowsEnd.
const sheetPart = "xl/worksheets/sheet1.xml"

var rowsEnd = []byte("</sheetData>")

// workbook writes a table as a workbook of one sheet. The library makes the workbook, with
// the heads and the styles; the rows are inserted into its sheet as they come, so that a large
// export starts at once and needs little memory. (The library's own stream writer keeps a sheet
// in a file until it is complete: a proxy would time out.)
type workbook struct {
	made  []byte // the workbook without the rows
	out   *zip.Writer
	rest  []byte    // of the sheet's part, after the rows
	body  io.Writer // the part of the sheet; nil before begin
	sheet sheet
}

func newWorkbook(w io.Writer, t table, l locale.Lang) (*workbook, error) {
	b := &workbook{out: zip.NewWriter(w)}
	f := excelize.NewFile()
	defer func() { _ = f.Close() }() // it holds no file
	var err error
	if b.sheet.styles, err = layOut(f, t, l); err != nil {
		return nil, fmt.Errorf("lay out workbook: %w", err)
	}
	buffer, err := f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("lay out workbook: %w", err)
	}
	b.made, b.sheet.rows = buffer.Bytes(), 1 // the heads
	return b, nil
}

// layOut makes the heads, and returns the styles of the cells.
func layOut(f *excelize.File, t table, l locale.Lang) (s sheetStyles, err error) {
	const name = "Sheet1"
	heads := make([]any, len(t.columns))
	for n, c := range t.columns {
		heads[n] = c.Head.In(l)
	}
	rightToLeft := l.Dir() == "rtl"
	last, err := excelize.ColumnNumberToName(len(heads))
	for _, step := range []func() error{
		func() error { return err },
		func() error { return f.SetSheetRow(name, "A1", &heads) },
		func() error {
			return f.SetSheetView(name, 0, &excelize.ViewOptions{RightToLeft: &rightToLeft})
		},
		func() error { return f.SetColWidth(name, "A", last, 20) },
		func() error {
			return f.SetPanes(name, &excelize.Panes{
				Freeze:      true,
				YSplit:      1,
				TopLeftCell: "A2",
				ActivePane:  "bottomLeft",
			})
		},
		func() error {
			bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
			if err != nil {
				return err
			}
			return f.SetCellStyle(name, "A1", last+"1", bold)
		},
		func() (err error) { s, err = newStyles(f); return err },
		func() error { return f.SetSheetName(name, t.title) },
		func() error { return f.SetDocProps(&excelize.DocProperties{Title: t.title, Creator: "Daftar"}) },
	} {
		if err := step(); err != nil {
			return sheetStyles{}, err
		}
	}
	return s, nil
}

// begin copies what comes before the rows, once.
func (b *workbook) begin() error {
	if b.body != nil {
		return nil
	}
	made, err := zip.NewReader(bytes.NewReader(b.made), int64(len(b.made)))
	if err != nil {
		return fmt.Errorf("read workbook: %w", err)
	}
	var content []byte
	for _, part := range made.File {
		if part.Name != sheetPart {
			if err := b.out.Copy(part); err != nil {
				return fmt.Errorf("copy %s: %w", part.Name, err)
			}
			continue
		}
		if content, err = readPart(part); err != nil {
			return err
		}
	}
	end := bytes.Index(content, rowsEnd)
	if end < 0 {
		return fmt.Errorf("%s has no rows", sheetPart)
	}
	b.rest, b.made = content[end:], nil
	header := &zip.FileHeader{Name: sheetPart, Method: zip.Deflate, Modified: time.Now()}
	if b.body, err = b.out.CreateHeader(header); err == nil {
		_, err = b.body.Write(content[:end])
	}
	return err
}

func readPart(part *zip.File) ([]byte, error) {
	r, err := part.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", part.Name, err)
	}
	defer func() { _ = r.Close() }() // what was read is checked
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", part.Name, err)
	}
	return content, nil
}

func (b *workbook) row(cells []cell) error {
	if err := b.begin(); err != nil {
		return err
	}
	if b.sheet.rows >= maxSheetRows {
		return errSheetFull
	}
	b.sheet.begin()
	for _, value := range cells {
		value.writeTo(&b.sheet)
	}
	b.sheet.end()
	_, err := b.body.Write(b.sheet.row.Bytes())
	return err
}

func (b *workbook) flush() error { return b.out.Flush() }

func (b *workbook) close() error {
	if err := b.begin(); err != nil {
		return err
	}
	if _, err := b.body.Write(b.rest); err != nil {
		return err
	}
	return b.out.Close()
}
