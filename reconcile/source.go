package reconcile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// contextReader ends when its context does.
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
func openTable(ctx context.Context, r io.Reader, p Profile, columns map[Field]string) (table, head, error) {
	in := bufio.NewReaderSize(contextReader{ctx, r}, maxLine)
	start, err := in.Peek(maxLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, head{}, fmt.Errorf("read statement: %w", err)
	}
	if bytes.HasPrefix(start, []byte{0xff, 0xfe}) || bytes.HasPrefix(start, []byte{0xfe, 0xff}) {
		return nil, head{}, problemAt(ProblemEncoding, 0, "", "")
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(start, mark) {
		start = start[len(mark):]
		_, _ = in.Discard(len(mark)) // they were there just now
	}
	comma, err := findComma(start, p, columns)
	if err != nil {
		return nil, head{}, err
	}
	t := &csvTable{in: in, comma: comma}
	h, _, err := findHead(t, p, columns)
	return t, h, err
}

// commas are what may separate cells.
const commas = ",;\t|"

// findComma finds out what separates the cells: what the file says in a line sep=; as
// Excel reads it, else what gives a head with the columns that are needed.
func findComma(start []byte, p Profile, columns map[Field]string) (byte, error) {
	candidates := commas
	first := start[:min(len(start), 16)]
	if end := bytes.IndexAny(first, "\r\n"); end >= 0 {
		first = first[:end]
	}
	if named, is := strings.CutPrefix(strings.ToLower(strings.Trim(string(first), `"`)), "sep="); is && len(named) == 1 {
		candidates = named
	}
	var comma byte
	var nearest error
	best, score := none, none
	for n := range len(candidates) {
		t := &csvTable{in: bufio.NewReaderSize(bytes.NewReader(start), maxLine), comma: candidates[n]}
		_, found, err := findHead(t, p, columns)
		switch {
		case err == nil && found > best:
			best, comma = found, candidates[n]
		case err != nil && rank(found) > score:
			score, nearest = rank(found), err
		}
	}
	if best == none {
		return 0, nearest
	}
	return comma, nil
}

// rank is how near a search without a head came to one: a line that cannot be read at
// all says more of the file than one without any name.
func rank(found int) int {
	if found == none {
		return 1
	}
	return 2 * found
}
