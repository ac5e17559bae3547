package dashboard

import (
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/reconcile"
)

// maxCarried is how large a file in a page may be, compressed: some 10,000 lines. The page has it, so that
// nobody has to choose the file again for its columns or for the download, and the server keeps nothing.
// It is sent back like any other upload, and trusted as little, so it needs no seal.
const maxCarried = 256 << 10

// errNotCarried ends the compression of a file that is too large for a page.
var errNotCarried = errors.New("the file is too large for a page")

// cappedText is a text of at most so many bytes.
type cappedText struct {
	strings.Builder
	limit int
}

// Write implements io.Writer.
func (t *cappedText) Write(b []byte) (int, error) {
	if t.Len()+len(b) > t.limit {
		return 0, errNotCarried
	}
	return t.Builder.Write(b)
}

// carry is a file as a page has it; empty: it is too large.
func carry(file *received) (string, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	text := &cappedText{limit: base64.StdEncoding.EncodedLen(maxCarried)}
	encoder := base64.NewEncoder(base64.StdEncoding, text)
	packer := gzip.NewWriter(encoder)
	_, err := io.Copy(packer, file)
	for _, end := range []func() error{packer.Close, encoder.Close} {
		if err == nil {
			err = end()
		}
	}
	switch {
	case errors.Is(err, errNotCarried):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("carry statement: %w", err)
	}
	return text.String(), nil
}

// uncarried is the file of a page. It may unpack to no more than an upload may have.
func uncarried(field io.Reader) io.Reader {
	limit := int64(base64.StdEncoding.EncodedLen(maxCarried))
	packed := base64.NewDecoder(base64.StdEncoding, io.LimitReader(field, limit))
	return &unpacking{field: packed, left: maxStatement}
}

// unpacking unpacks a field.
type unpacking struct {
	field  io.Reader
	packed *gzip.Reader // nil before the first read
	left   int64
}

// Read implements io.Reader.
func (u *unpacking) Read(b []byte) (int, error) {
	if u.packed == nil {
		packed, err := gzip.NewReader(u.field)
		if errors.Is(err, io.EOF) { // an empty field is no empty file
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, fmt.Errorf("unpack statement: %w", err)
		}
		u.packed = packed
	}
	n, err := u.packed.Read(b)
	if u.left -= int64(n); u.left < 0 {
		return 0, errLargeUnpacked
	}
	return n, err
}

// errLargeUnpacked is returned for a field that unpacks to more than an upload may have.
var errLargeUnpacked = errors.New("the file unpacks to more than a statement may have")

// differences are the findings of a comparison as a table.
func differences(l locale.Lang, r *reconcile.Report) table {
	words := view.ExportWords(l)
	first, last := domain.DayOf(r.Span.From), domain.DayOf(r.Span.To).Add(-1)
	return table{
		name:    "differences-" + r.Acquirer + "-" + first.String() + "-" + last.String(),
		title:   words.Differences,
		columns: view.DifferenceColumns,
		rows: func(yield func([]cell, error) bool) {
			for _, f := range r.Findings {
				if !yield(differenceCells(f, words), nil) {
					return
				}
			}
		},
	}
}

// differenceCells are the cells of a finding in the order of view.DifferenceColumns.
func differenceCells(f reconcile.Finding, words view.Words) []cell {
	var stated, currency, recorded, line, first, payment cell = code(""), code(""), code(""), code(""),
		code(""), code("")
	var statedAt, recordedAt moment
	reference, number, intent := "", "", f.Intent
	if e := f.Entry; e != nil {
		reference, number, intent = string(e.Attempt), e.ProviderReference, e.Intent
		recorded, recordedAt.at = money{Minor: e.Amount, Currency: domain.LYD}, &e.At
	}
	if l := f.Line; l != nil {
		reference, number = l.Reference, l.ProviderReference
		line, currency = count(l.Number), foreign(l.Currency)
		stated = money{Minor: l.Amount, Currency: domain.LYD}
		if l.Stated != "" {
			stated = foreign(l.Stated)
		}
		if !l.At.IsZero() {
			statedAt.at = &l.At
		}
	}
	if f.First > 0 {
		first = count(f.First)
	}
	if intent != (domain.IntentID{}) {
		payment = code(intent.String())
	}
	return []cell{
		word{string(f.Kind), words.KindWord(f.Kind)}, foreign(reference), foreign(number), line, stated, currency,
		recorded, statedAt, recordedAt, first, payment,
	}
}
