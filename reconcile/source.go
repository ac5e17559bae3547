package reconcile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"daftar/payments/acquirer/statements"
)

// contextReader fails once its context has ended.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// openTable finds the table of a file and its head.
func openTable(
	ctx context.Context, r io.Reader, p Profile, columns map[statements.Field]string,
) (table, head, error) {
	in := bufio.NewReaderSize(contextReader{ctx, r}, maxLine)
	start, err := in.Peek(maxLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, head{}, fmt.Errorf("read statement: %w", err)
	}
	if isZip(start) {
		return openWorkbook(ctx, in, p, columns)
	}
	if err := checkKind(start); err != nil {
		return nil, head{}, err
	}
	file, err := detect(in, start)
	if err != nil {
		return nil, head{}, err
	}
	if err := checkMarkup(file.start); err != nil {
		return nil, head{}, err
	}
	comma, _, err := findComma(file.start, p, columns)
	if line := firstInvalid(file.start); err != nil && line > 0 {
		arabic := newText(in, start, arabicWindows)
		var h head
		if comma, h, err = findComma(arabic.start, p, columns); err != nil || !isArabicWindows(h) {
			return nil, head{}, problemAt(ProblemEncoding, line, "", "")
		}
		file = arabic
	}
	if err != nil {
		return nil, head{}, err
	}
	t := &csvTable{in: file.reader(), comma: comma}
	h, _, err := findHead(t, p, columns)
	return t, h, err
}

// kinds are the first bytes of files that are not text.
var kinds = []struct {
	start   string
	problem Problem
}{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ProblemOldWorkbook},
	{"%PDF-", ProblemDocument},
	{"{\\rtf", ProblemDocument},
	{"\x89PNG", ProblemDocument},
	{"\xff\xd8\xff", ProblemDocument}, // JPEG
	{"\x1f\x8b", ProblemDocument},     // gzip
	{"Rar!", ProblemDocument},
	{"7z\xbc\xaf", ProblemDocument},
}

// checkKind refuses files that are no table.
func checkKind(start []byte) error {
	for _, k := range kinds {
		if bytes.HasPrefix(start, []byte(k.start)) {
			return problemAt(k.problem, 0, "", "")
		}
	}
	return nil
}

// checkMarkup refuses a web page that was saved under the name of a table.
func checkMarkup(start []byte) error {
	if bytes.HasPrefix(bytes.TrimLeftFunc(start, unseen), []byte("<")) {
		return problemAt(ProblemMarkup, 0, "", "")
	}
	return nil
}

// commas are the possible separators of cells.
const commas = ",;\t|"

// findComma finds the separator of cells: the one that the file names in a line sep=; as
// Excel reads it, otherwise the one that gives a head with the needed columns.
func findComma(start []byte, p Profile, columns map[statements.Field]string) (comma byte, h head, err error) {
	candidates := commas
	first := start[:min(len(start), 16)]
	if end := bytes.IndexAny(first, "\r\n"); end >= 0 {
		first = first[:end]
	}
	named, is := strings.CutPrefix(strings.ToLower(strings.Trim(string(first), `"`)), "sep=")
	if is && len(named) == 1 {
		candidates = named
	}
	var nearest error
	best, score := none, none
	for n := range len(candidates) {
		t := &csvTable{in: bufio.NewReaderSize(bytes.NewReader(start), maxLine), comma: candidates[n]}
		this, found, err := findHead(t, p, columns)
		switch {
		case err == nil && found > best:
			best, comma, h = found, candidates[n], this
		case err != nil && rank(found) > score:
			score, nearest = rank(found), err
		}
	}
	if best == none {
		return 0, head{}, nearest
	}
	return comma, h, nil
}

// rank orders failed searches for a head by how close they came to one: a line that cannot
// be read at all tells more about the file than one without any known name.
func rank(found int) int {
	if found == none {
		return 1
	}
	return 2 * found
}
