package reconcile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// The lines that agree are in the report, with the fee and the value date where the file has columns of them,
// and with what a settlement needs of the payment; those that differ are not.
func TestPairs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := newPayment("plutu", noon), newPayment("plutu", noon.Add(time.Minute))
	id := w.record(t, first)
	w.record(t, second)
	file := "invoice_no,amount,approved,Commission,Settlement Date,commission\n" +
		fmt.Sprintf("%s,%s,1,0.250,2026-11-21,x\n", first.attempt,
			domain.Money{Minor: first.amount, Currency: domain.LYD}.Figures()) +
		fmt.Sprintf("%s,9.990,1,,,x\n", second.attempt)
	one := strings.Replace(file, ",commission\n", ",other\n", 1)
	options := reconcile.Options{Profile: profile(t, "plutu"), Span: reconcile.Span{
		From: noon.Add(-time.Hour), To: noon.Add(time.Hour),
	}}
	r, err := reconcile.Compare(t.Context(), w.pool, reconcile.Everything(), strings.NewReader(one), options)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) != 1 || r.Matched != 1 || r.Columns[statements.Fee] != "Commission" {
		t.Fatalf("%d pairs of %+v", len(r.Pairs), r)
	}
	p := r.Pairs[0]
	want := domain.Day{Year: 2026, Month: time.November, Day: 21}
	if p.Line.Fee != 250 || p.Line.Settled != want || p.Line.Number != 2 || p.Entry.Intent != id ||
		p.Entry.Method == "" {
		t.Errorf("%+v and %+v", p.Line, p.Entry)
	}
	// Two columns of fees are none; a comparison does without them.
	r, err = reconcile.Compare(t.Context(), w.pool, reconcile.Everything(), strings.NewReader(file), options)
	if _, read := r.Columns[statements.Fee]; err != nil || read || len(r.Pairs) != 1 {
		t.Errorf("with two columns: %v, %v", r.Columns, err)
	}
	for cell, problem := range map[string]reconcile.Problem{
		"0.250": reconcile.ProblemDinars, "2026-11-21": reconcile.ProblemTime,
	} {
		bad := strings.Replace(one, cell, "1.5 %", 1)
		_, err = reconcile.Compare(t.Context(), w.pool, reconcile.Everything(), strings.NewReader(bad), options)
		var wrong *reconcile.StatementError
		if !errors.As(err, &wrong) || wrong.Problem != problem || wrong.Line != 2 {
			t.Errorf("%s: %v", cell, err)
		}
	}
}
