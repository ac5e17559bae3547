package reconcile_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"daftar/reconcile"
)

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		copied := copy(b[n:], e.text[e.at:])
		n, e.at = n+copied, (e.at+copied)%len(e.text)
	}
	return n, nil
}

// allocated is the total of bytes that a call allocates. Other tests that run at the same time
// count as well, so tests that use it are not parallel.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The most that one file may make us allocate.
const mostAllocated = 60 << 20

// A file of 32 MB that is no statement is refused with its problem before it fills the memory.
func TestFilesThatFillTheMemory(t *testing.T) {
	const head = "id,amount,note\n"
	for name, c := range map[string]struct {
		before, text string
		problem      reconcile.Problem
		line         int
	}{
		"commas":                            {"", ",", reconcile.ProblemLongLine, 1},
		"semicolons":                        {"", ";", reconcile.ProblemLongLine, 1},
		"commas below a head":               {head, ",", reconcile.ProblemLongLine, 2},
		"cells below a head":                {head, "a,", reconcile.ProblemLongLine, 2},
		"quotes":                            {"", `"`, reconcile.ProblemLongLine, 1},
		"quotes below a head":               {head, `"`, reconcile.ProblemLongLine, 2},
		"empty quotes below a head":         {head, `"",`, reconcile.ProblemLongLine, 2},
		"a letter":                          {"", "x", reconcile.ProblemLongLine, 1},
		"a cell without an end":             {head + "abc,5000,", "x", reconcile.ProblemLongLine, 2},
		"a quoted cell without an end":      {head + `abc,5000,"`, "x", reconcile.ProblemLongLine, 2},
		"a quoted cell of lines":            {head + `abc,5000,"`, "x\r\n", reconcile.ProblemLongLine, 2},
		"a quoted cell of blank lines":      {head + `abc,5000,"`, "\n", reconcile.ProblemLongLine, 2},
		"a quoted cell of carriage ends":    {head + `abc,5000,"`, "\r", reconcile.ProblemLongLine, 2},
		"a quotation mark that goes astray": {head + `abc,5000,"x`, `"y`, reconcile.ProblemLongLine, 2},
		"long references": {head, strings.Repeat("a", 1001) + ",5000,\n",
			reconcile.ProblemLongCell, 2},
		"heads without an end": {"", strings.Repeat("name,sum,", 20) + "\n",
			reconcile.ProblemNoColumn, 1},
		"201 columns":            {"", strings.Repeat(",", 200) + "\n", reconcile.ProblemColumns, 1},
		"201 cells below a head": {head, strings.Repeat("a,", 200) + "a\n", reconcile.ProblemColumns, 2},
		"line ends":              {"", "\n", reconcile.ProblemEmpty, 0},
	} {
		var err error
		bytes := allocated(func() {
			file := io.MultiReader(strings.NewReader(c.before), io.LimitReader(&endless{text: c.text}, 32<<20))
			_, err = reconcile.Read(file, profileOf("sandbox"), nil)
		})
		wrong, is := errors.AsType[*reconcile.StatementError](err)
		if !is || wrong.Problem != c.problem || wrong.Line != c.line {
			t.Errorf("%s: %v, want %s in line %d", name, err, c.problem, c.line)
		}
		if bytes > mostAllocated {
			t.Errorf("%s: %d MB were allocated", name, bytes>>20)
		}
	}
}

// Reading an ordinary statement of 28 MB keeps its lines in memory and little else.
func TestOrdinaryStatementHoldsLittle(t *testing.T) {
	const count, most = 140_000, 90 << 20
	line := "a0000000000000000000000001,P000001,12500,20/11/2026 12:00:00,Approved,Sale," +
		strings.Repeat("x", 123) + "\n"
	var lines []reconcile.Line
	var err error
	bytes := held(func() {
		header := "MerchantReference,TransactionId,AmountTrxn,TxnDateTime,Status,TransType,Note\n"
		rest := io.LimitReader(&endless{text: line}, int64(count*len(line)))
		file := io.MultiReader(strings.NewReader(header), rest)
		lines, err = reconcile.Read(file, profileOf("moamalat"), nil)
	})
	if err != nil || len(lines) != count || bytes > most {
		t.Errorf("%d lines, %v, %d MB", len(lines), err, bytes>>20)
	}
}

// A comparison whose context ends stops while it is reading.
func TestContextEndsTheReading(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	file := io.MultiReader(strings.NewReader("id,amount\n"), io.LimitReader(&endless{text: "abc,5000\n"}, 9<<16),
		atRead(cancel), &endless{text: "abc,5000\n"})
	_, err := reconcile.Compare(ctx, nil, reconcile.Everything(), file,
		reconcile.Options{Profile: profileOf("sandbox")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// atRead calls a function when it is read, and has no data.
type atRead func()

func (f atRead) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}
