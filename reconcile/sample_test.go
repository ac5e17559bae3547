package reconcile_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

func look(t *testing.T, file string, columns map[statements.Field]string) (reconcile.Sample, error) {
	t.Helper()
	return reconcile.Look(t.Context(), strings.NewReader(file), profile(t, "sandbox"), columns)
}

// bookOf is a workbook whose only sheet has these rows.
func bookOf(t *testing.T, rows ...[]any) string {
	t.Helper()
	f := excelize.NewFile()
	for n, row := range rows {
		at, err := excelize.CoordinatesToCellName(1, n+1)
		if err == nil {
			err = f.SetSheetRow("Sheet1", at, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The names of a file's columns are found whether or not they are known, and the file is compared by
// those that a person chooses.
func TestSamples(t *testing.T) {
	t.Parallel()
	chosen := map[statements.Field]string{statements.Reference: "Rcpt", statements.Amount: "Sum"}
	arabic, err := charmap.Windows1256.NewEncoder().String("رمز;قدر\nabc;5000\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file    string
		columns map[statements.Field]string
		lines   [][]string
		found   map[statements.Field]string
		problem reconcile.Problem
	}{
		"known": {
			file:  "id,amount,note\nabc,5000,x\n",
			lines: [][]string{{"id", "amount", "note"}, {"abc", "5000", "x"}},
			found: map[statements.Field]string{statements.Reference: "id", statements.Amount: "amount"},
		},
		"below what a bank writes above the table": {
			file: "\ufeffBank of Tripoli\n\nAccount;123\nRcpt;Sum;Day\nabc;5000;1\nd;6;2\ne;7;3\nf;8;4\ng;9;5\n",
			lines: [][]string{{"Rcpt", "Sum", "Day"}, {"abc", "5000", "1"}, {"d", "6", "2"}, {"e", "7", "3"},
				{"f", "8", "4"}},
			problem: reconcile.ProblemNoColumn,
		},
		"chosen": {
			file: "Rcpt|Sum\nabc|5000\n", columns: chosen,
			lines: [][]string{{"Rcpt", "Sum"}, {"abc", "5000"}}, found: chosen,
		},
		"chosen, and not there": {
			file: "id,amount\nabc,5000\n", columns: chosen,
			lines: [][]string{{"id", "amount"}, {"abc", "5000"}}, problem: reconcile.ProblemNoColumn,
		},
		"one column": {
			file: "Rcpt\nabc\n", lines: [][]string{{"Rcpt"}, {"abc"}}, problem: reconcile.ProblemNoColumn,
		},
		"a name twice": {
			file: "id,amount,amount\nabc,1,2\n", lines: [][]string{{"id", "amount", "amount"}, {"abc", "1", "2"}},
			problem: reconcile.ProblemTwoColumns,
		},
		"Windows-1256": {
			file: arabic, lines: [][]string{{"رمز", "قدر"}, {"abc", "5000"}}, problem: reconcile.ProblemNoColumn,
		},
		"a workbook": {
			file:    bookOf(t, []any{"كشف"}, []any{"Rcpt", "Sum"}, []any{"=1+1", 5.5}),
			lines:   [][]string{{"Rcpt", "Sum"}, {"=1+1", "5.5"}},
			problem: reconcile.ProblemNoColumn,
		},
		"ends in quotation marks that do not fit": {
			file: "Rcpt,Sum\nabc,1\n\"d,2\n", lines: [][]string{{"Rcpt", "Sum"}, {"abc", "1"}},
			problem: reconcile.ProblemNoColumn,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := look(t, c.file, c.columns)
			if err != nil {
				t.Fatal(err)
			}
			var problem reconcile.Problem
			if s.Problem != nil {
				problem = s.Problem.Problem
			}
			if diff := cmp.Diff(c.lines, s.Lines); diff != "" || problem != c.problem {
				t.Errorf("problem %q, want %q (-want +got):\n%s", problem, c.problem, diff)
			}
			if diff := cmp.Diff(c.found, s.Columns); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
		})
	}
}

// What is no table has no sample, and neither has a file that cannot be read.
func TestNoSamples(t *testing.T) {
	t.Parallel()
	for file, problem := range map[string]reconcile.Problem{
		"": reconcile.ProblemEmpty, "\n \n": reconcile.ProblemEmpty, "%PDF-1.7": reconcile.ProblemDocument,
		"<table>": reconcile.ProblemMarkup, "PK\x03\x04": reconcile.ProblemWorkbook,
	} {
		_, err := look(t, file, nil)
		if wrong, is := errors.AsType[*reconcile.StatementError](err); !is || wrong.Problem != problem {
			t.Errorf("%q: %v", file, err)
		}
	}
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("id,amount\n"), iotest.ErrReader(broken))
	if _, err := reconcile.Look(t.Context(), r, profile(t, "sandbox"), nil); !errors.Is(err, broken) {
		t.Errorf("a reader that breaks: %v", err)
	}
}

// A sample is small whatever the file has: names that are too long cannot be chosen.
func TestSamplesAreSmall(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2000)
	s, err := look(t, "Rcpt,"+long+",Rcpt\n"+long+",1,2\n"+strings.Repeat("a,1,2\n", 100_000), nil)
	if err != nil {
		t.Fatal(err)
	}
	diff := cmp.Diff([]string{"Rcpt"}, s.Names())
	if diff != "" || len(s.Lines) != 5 || len(s.Lines[1][0]) > 100 {
		t.Errorf("%d lines, a cell of %d bytes, names (-want +got):\n%s", len(s.Lines), len(s.Lines[1][0]), diff)
	}
}
