package reconcile

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"daftar/payments/acquirer/statements"
)

// Limits of a workbook. One of 150,000 lines has 8 MB, which unpack to 60.
const (
	maxPacked    = 16 << 20
	maxUnpacked  = 128 << 20 // by its directory, which archive/zip enforces for each part
	maxDirectory = 1 << 20   // bytes that are read to find the parts
	maxSheets    = 50
	maxStyles    = 1 << 16
	maxTexts     = 48 << 20    // bytes of shared texts in memory, with 48 for each
	maxTokens    = 10_000      // of one text
	maxHeld      = 8 * maxCell // bytes of one text token, with its references
)

// workbook is a file of Excel: a zip archive of parts in XML. excelize, which writes our
// exports, neither tells which cells are dates nor limits the memory for reading.
type workbook struct {
	ctx      context.Context
	parts    map[string]*zip.File
	sheets   []sheet
	from1904 bool
	texts    []string // that cells share
	dates    []bool   // by style: it shows a number as a date
}

type sheet struct{ name, part string }

func isZip(start []byte) bool { return bytes.HasPrefix(start, []byte("PK\x03\x04")) }

// openWorkbook opens the only sheet that has a head.
func openWorkbook(
	ctx context.Context, in io.Reader, p Profile, columns map[statements.Field]string,
) (table, head, error) {
	w, err := readWorkbook(ctx, in)
	if err != nil {
		return nil, head{}, err
	}
	var found []sheet
	nearest, score := error(problemAt(ProblemEmpty, 0, "", "")), none
	for _, s := range w.sheets {
		t, err := w.table(s)
		if err != nil {
			return nil, head{}, err
		}
		_, n, err := findHead(t, p, columns)
		switch {
		case err == nil:
			found = append(found, s)
		case rank(n) > score:
			nearest, score = err, rank(n)
		}
	}
	switch len(found) {
	case 0:
		return nil, head{}, nearest
	case 1:
	default:
		return nil, head{}, problemAt(ProblemTwoSheets, 0, "", found[0].name+", "+found[1].name)
	}
	t, err := w.table(found[0])
	if err != nil {
		return nil, head{}, err
	}
	h, _, err := findHead(t, p, columns)
	return t, h, err
}

// cappedReader fails after a number of bytes, until free is set.
type cappedReader struct {
	*bytes.Reader

	left int
	free bool
}

func (r *cappedReader) ReadAt(b []byte, at int64) (int, error) {
	if r.left -= len(b); r.left < 0 && !r.free {
		return 0, errTooMuch
	}
	return r.Reader.ReadAt(b, at)
}

// readWorkbook reads everything except the rows of the sheets.
func readWorkbook(ctx context.Context, in io.Reader) (*workbook, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read statement: %w", err)
	case len(data) > maxPacked:
		return nil, problemAt(ProblemLargeWorkbook, 0, "", "")
	}
	capped := &cappedReader{Reader: bytes.NewReader(data), left: maxDirectory}
	archive, err := zip.NewReader(capped, int64(len(data)))
	if err != nil {
		return nil, partError(err)
	}
	capped.free = true
	w := &workbook{ctx: ctx, parts: map[string]*zip.File{}}
	left := uint64(maxUnpacked)
	for _, f := range archive.File {
		if f.UncompressedSize64 > left {
			return nil, problemAt(ProblemLargeWorkbook, 0, "", "")
		}
		left -= f.UncompressedSize64
		w.parts[strings.ToLower(f.Name)] = f
	}
	for _, read := range []func() error{w.readSheets, w.readStyles, w.readTexts} {
		if err := read(); err != nil {
			return nil, partError(err)
		}
	}
	return w, nil
}

// partError turns an error in a workbook into a StatementError.
func partError(err error) error {
	switch _, named := errors.AsType[*StatementError](err); {
	case named, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errTooMuch):
		return problemAt(ProblemLargeWorkbook, 0, "", "")
	}
	return problemAt(ProblemWorkbook, 0, "", "")
}

// each calls use with each start tag of a part. The error is errNoPart where there is no such part.
func (w *workbook) each(name string, use func(p part, e token) error) error {
	p, err := w.open(name)
	if err != nil {
		return err
	}
	for {
		e, err := p.element()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = use(p, e)
		}
		if err != nil {
			return err
		}
	}
}

// optional is the error of a part that a workbook need not have.
func optional(err error) error {
	if errors.Is(err, errNoPart) {
		return nil
	}
	return err
}

// readSheets lists the sheets in their order.
func (w *workbook) readSheets() error {
	var ids []string
	err := w.each("xl/workbook.xml", func(_ part, e token) error {
		switch e.name {
		case "workbookPr":
			w.from1904 = isTrue(e.attribute("date1904"))
		case "sheet":
			ids, w.sheets = append(ids, e.attribute("id")), append(w.sheets, sheet{name: e.attribute("name")})
		}
		if len(w.sheets) > maxSheets {
			return errTooMuch
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = w.each("xl/_rels/workbook.xml.rels", func(_ part, e token) error {
		if n := slices.Index(ids, e.attribute("Id")); n >= 0 && e.name == "Relationship" {
			target := e.attribute("Target")
			if !strings.HasPrefix(target, "/") {
				target = "/xl/" + target
			}
			w.sheets[n].part = path.Clean(target)[1:]
		}
		return nil
	})
	w.sheets = slices.DeleteFunc(w.sheets, func(s sheet) bool { return w.parts[strings.ToLower(s.part)] == nil })
	return err
}

// readStyles records which styles show a number as a date.
func (w *workbook) readStyles() error {
	custom := map[string]bool{}
	inside := false // the list of the cells' styles
	return optional(w.each("xl/styles.xml", func(_ part, e token) error {
		switch e.name {
		case "numFmt":
			custom[e.attribute("numFmtId")] = isDateFormat(e.attribute("formatCode"))
		case "cellXfs":
			inside = true
		case "cellStyles", "dxfs":
			inside = false
		case "xf":
			if id := e.attribute("numFmtId"); inside {
				date, is := custom[id]
				w.dates = append(w.dates, is && date || !is && isDateID(id))
			}
		}
		if len(w.dates) > maxStyles || len(custom) > maxStyles {
			return errTooMuch
		}
		return nil
	}))
}

// isDateID reports whether a built-in format of Excel is one of dates or times.
func isDateID(id string) bool {
	n, err := strconv.Atoi(id)
	return err == nil && (n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58)
}

// isDateFormat reports whether a format has a day, a month, a year or a time in it.
func isDateFormat(code string) bool {
	var quoted, bracketed, escaped bool
	for _, r := range strings.ToLower(code) {
		switch {
		case escaped:
			escaped = false
		case r == '\\' || r == '_' || r == '*':
			escaped = true
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '[' || r == ']':
			bracketed = r == '['
		case !bracketed && strings.ContainsRune("dmyhs", r):
			return true
		}
	}
	return strings.Contains(code, "[h") || strings.Contains(code, "[m") || strings.Contains(code, "[s")
}

// readTexts reads the texts that cells share. A text that is too long for a needed cell is
// cut, but stays long enough to be refused.
func (w *workbook) readTexts() error {
	left := maxTexts
	return optional(w.each("xl/sharedstrings.xml", func(p part, e token) error {
		if e.name != "si" {
			return nil
		}
		text, err := p.text("si", "t")
		if err != nil {
			return err
		}
		if left -= len(text) + 48; left < 0 {
			return errTooMuch
		}
		w.texts = append(w.texts, text)
		return nil
	}))
}
