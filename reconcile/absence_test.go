package reconcile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/attempt"
	"daftar/reconcile"
)

// twoDays is a span with a day before the margin.
var twoDays = reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(36 * time.Hour)}

func (w *world) compareComplete(
	t testing.TB, acquirer, file string, of reconcile.Scope, limit int,
) (reconcile.Report, error) {
	t.Helper()
	return reconcile.Compare(t.Context(), w.pool, of, strings.NewReader(file), reconcile.Options{
		Profile: profile(t, acquirer), Span: twoDays, Limit: limit, CompleteTo: twoDays.To,
	})
}

// absenceCase is an attempt that a complete statement does not name, or names in these lines.
type absenceCase struct {
	name   string
	stage  attempt.Stage
	at     time.Time
	lines  []string // as in proofCase
	proven bool
}

func absenceCases() []absenceCase {
	var all []absenceCase
	for _, s := range []attempt.Stage{attempt.Beginning, attempt.Asking, attempt.Ending, attempt.Quarantined} {
		all = append(all, absenceCase{"in a stage of unknown outcome", s, noon, nil, true})
	}
	for _, s := range []attempt.Stage{attempt.Code, attempt.Bank, attempt.Closed} {
		all = append(all, absenceCase{"in another stage", s, noon, nil, false})
	}
	edge := twoDays.To.Add(-24 * time.Hour)
	for _, c := range []struct {
		name   string
		at     time.Time
		proven bool
	}{
		{"at the beginning", twoDays.From, true}, {"before it", twoDays.From.Add(-time.Second), false},
		{"before the margin", edge.Add(-time.Second), true}, {"at the margin", edge, false},
	} {
		all = append(all, absenceCase{c.name, attempt.Asking, c.at, nil, c.proven})
	}
	for text, proven := range map[string]bool{
		`A,N,5,LYD,pending`: false, `A,N,6,LYD,paid`: false, `A,N,-5,LYD,paid`: false, `A,N,5,USD,paid`: false,
		`A,N,6,LYD,declined`: false, `A O,N,6,LYD,paid`: false, `A O,N,5,LYD,declined`: false,
		`O A,N1,7,LYD,paid`: false, `B,N,6,LYD,paid`: false, `,A,6,LYD,paid`: false, `B,N,6,LYD,pending`: false,
		// It may be the payment of the attempt.
		`U,N,5,LYD,paid`: false, `U,N,5,LYD,pending`: false, `,N,5,LYD,paid`: false,
		// It is not.
		`U,N,6,LYD,paid`: true, `U,N,5,LYD,declined`: true, `U,N,-5,LYD,paid`: true, `U,N,5,USD,paid`: true,
		`O,N1,5,LYD,paid`: true, `,N1,5,LYD,paid`: true, `A O,N1,5,LYD,pending`: false,
	} {
		all = append(all, absenceCase{text, attempt.Asking, noon, []string{text}, proven})
	}
	return all
}

// A complete statement of one account proves that the attempts that it does not name were not paid.
func TestProofsByAbsence(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	lines, names := []string{s.header}, map[domain.AttemptID]string{}
	var want []string
	for n, c := range absenceCases() {
		p, other := unpaidAt("sandbox", c.at), newPayment("sandbox", noon)
		p.amount, other.amount = 10_000+int64(n)*10, 20_000+int64(n)*10
		w.began(t, p, c.stage)
		w.record(t, other)
		names[p.attempt] = string(c.stage) + ", " + c.name
		if c.proven {
			want = append(want, proof(p.attempt, domain.RefundID{}, false, 0))
		}
		for _, text := range c.lines {
			lines = append(lines, statementLine(text, p, other))
		}
	}
	// Of others, and one that the ledger has as paid by now.
	theirs, elsewhere, paid := unpaidAt("sandbox", noon), unpaidAt("moamalat", noon), newPayment("sandbox", noon)
	theirs.app, paid.at = domain.ApplicationID{2}, noon.AddDate(0, 0, 5)
	w.began(t, theirs, attempt.Asking)
	w.began(t, elsewhere, attempt.Asking)
	w.began(t, paid, attempt.Asking)
	if _, err := w.pool.Exec(t.Context(), `UPDATE checkout_attempts SET created_at = $1 WHERE attempt = $2`,
		noon, string(paid.attempt)); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	// The lines come first.
	refused, settled := unpaidAt("sandbox", noon), unpaidAt("sandbox", noon)
	settled.amount = 10_000 // as the first one, which it is not
	w.began(t, refused, attempt.Ending)
	w.began(t, settled, attempt.Ending)
	lines = append(lines, s.unpaid(s.line(refused)), s.line(settled))
	want = append([]string{proof(refused.attempt, domain.RefundID{}, false, len(lines)-1),
		proof(settled.attempt, domain.RefundID{}, true, len(lines))}, want...)

	file, ours := strings.Join(lines, "\n"), reconcile.Of(domain.ApplicationID{1})
	r, err := w.compareComplete(t, "sandbox", file, ours, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, proven(r)); diff != "" {
		for id, name := range names {
			diff = strings.ReplaceAll(diff, string(id), name)
		}
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What is not asked for is not proven, and what is found does not depend on it.
	without := w.compare(t, "sandbox", file, ours, twoDays)
	if diff := cmp.Diff(want[:2], proven(without)); diff != "" {
		t.Errorf("without CompleteTo (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(said(without), said(r)); diff != "" || r.Unpaid != without.Unpaid {
		t.Errorf("the findings differ:\n%s", diff)
	}
}

// Absence proves nothing where the statement may be one of several accounts, or attempts cannot be read.
func TestNoProofsByAbsence(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	const count = 3
	var last payment
	for range count {
		last = unpaidAt("sandbox", noon)
		w.began(t, last, attempt.Asking)
	}
	for _, c := range []struct {
		name string
		of   reconcile.Scope
		want int
	}{
		{"one application", reconcile.Of(domain.ApplicationID{1}), count},
		{"another", reconcile.Of(domain.ApplicationID{2}), 0},
		{"two", reconcile.Of(domain.ApplicationID{1}, domain.ApplicationID{2}), 0},
		{"everything", reconcile.Everything(), 0}, {"nothing", reconcile.Scope{}, 0},
	} {
		r, err := w.compareComplete(t, "sandbox", s.file(), c.of, count)
		if err != nil || len(r.Proofs) != c.want {
			t.Errorf("%s: %v, %v", c.name, proven(r), err)
		}
	}
	ours := reconcile.Of(domain.ApplicationID{1})
	for until, want := range map[time.Time]int{
		{}: 0, noon.Add(24 * time.Hour): 0, noon.Add(24*time.Hour + time.Second): count,
		noon.AddDate(1, 0, 0): count,
	} {
		r, err := reconcile.Compare(t.Context(), w.pool, ours, strings.NewReader(s.file()),
			reconcile.Options{Profile: profile(t, "sandbox"), Span: twoDays, CompleteTo: until})
		if err != nil || len(r.Proofs) != want {
			t.Errorf("complete to %s: %v, %v", until, proven(r), err)
		}
	}
	_, err := w.compareComplete(t, "sandbox", s.file(), ours, count-1)
	if !errors.Is(err, reconcile.ErrTooMany) {
		t.Errorf("more attempts than the limit: %v", err)
	}
	refused := s.file(s.unpaid(s.line(last)))
	for limit, want := range map[int]int{count: 1, count - 1: 0} {
		r, err := reconcile.Compare(t.Context(), w.pool, ours, strings.NewReader(refused),
			reconcile.Options{Profile: profile(t, "sandbox"), Span: twoDays, Limit: limit})
		if err != nil || len(r.Proofs) != want {
			t.Errorf("a refused line, with a limit of %d: %v, %v", limit, proven(r), err)
		}
	}
	// A line that names two proves nothing of either, although one reference is broken.
	one, two := unpaidAt("sandbox", noon), unpaidAt("sandbox", noon)
	w.began(t, one, attempt.Asking)
	w.began(t, two, attempt.Asking)
	both := s.file(string(one.attempt) + " " + statementLine(`B,N,,LYD,declined`, two, two))
	if r, err := w.compareComplete(t, "sandbox", both, ours, 0); err != nil || len(r.Proofs) != count {
		t.Errorf("a line that names two: %v, %v", proven(r), err)
	}
	w.pool = pgtest.Open(t, w.db.SuperuserURL(),
		postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	r, err := w.compareComplete(t, "sandbox", refused, ours, 0)
	if err != nil || len(r.Proofs) != 0 || r.AttemptsUnread {
		t.Errorf("an auditor: %+v, %v", r, err)
	}
}

// Where a refused card may be followed by another one, a complete statement shows that none was.
func TestProofsByRefusalAndAbsence(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["moamalat"]
	ours := reconcile.Of(domain.ApplicationID{1})
	for _, c := range []struct {
		name   string
		after  time.Duration // the attempt began so long after noon
		more   bool          // there is a line of the same amount that names nothing
		proven bool
	}{
		{"refused", 0, false, true}, {"in the margin", 12 * time.Hour, false, false},
		{"and perhaps paid", 0, true, false},
	} {
		p := unpaidAt("moamalat", noon.Add(c.after))
		w.began(t, p, attempt.Asking)
		lines := []string{s.unpaid(s.line(p))}
		if c.more {
			nameless := newPayment("moamalat", noon)
			nameless.amount = p.amount
			lines = append(lines, s.line(nameless))
		}
		r, err := w.compareComplete(t, "moamalat", s.file(lines...), ours, 0)
		n := slices.IndexFunc(r.Proofs, func(f reconcile.Proof) bool { return f.Attempt == p.attempt })
		if err != nil || n >= 0 != c.proven || c.proven && (r.Proofs[n].Moved || r.Proofs[n].Line == nil) {
			t.Errorf("%s: %v, %v", c.name, proven(r), err)
		}
	}
}
