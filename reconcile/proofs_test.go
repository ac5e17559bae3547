package reconcile_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/payments/attempt"
	"daftar/reconcile"
)

// began stores a payment whose attempt began at its time and is in a stage.
func (w *world) began(t testing.TB, p payment, stage attempt.Stage) domain.IntentID {
	t.Helper()
	id := w.record(t, p)
	w.attempt(t, id, p, string(stage))
	_, err := w.pool.Exec(t.Context(), `UPDATE checkout_attempts SET created_at = $1 WHERE attempt = $2`,
		p.at, string(p.attempt))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// unpaidAt is a payment of an attempt that the ledger has neither as paid nor as failed.
func unpaidAt(acquirer string, at time.Time) payment {
	p := newPayment(acquirer, at)
	p.unpaid = true
	return p
}

// proven are the proofs of a report as text: attempt, refund, whether the money moved, line.
func proven(r reconcile.Report) []string {
	var all []string
	for _, p := range r.Proofs {
		line := 0
		if p.Line != nil {
			line = p.Line.Number
		}
		all = append(all, proof(p.Attempt, p.Refund, p.Moved, line))
	}
	return all
}

func proof(id domain.AttemptID, refund domain.RefundID, moved bool, line int) string {
	if refund == (domain.RefundID{}) {
		return fmt.Sprintf("%s moved %t, line %d", id, moved, line)
	}
	return fmt.Sprintf("%s, refund %s moved %t, line %d", id, refund, moved, line)
}

// proofCase is an attempt, what a statement of the sandbox has of it, and which line proves what.
type proofCase struct {
	name  string
	stage attempt.Stage
	// A is the attempt, B with a blank in it, O another one that the ledger has as paid with the number
	// N1 and the amount 7, U one that nobody knows; 5 is the amount and 6 another one.
	lines   []string
	moved   bool
	by      int // the line, from 1; 0: nothing is proven
	outside bool
}

const (
	paidLine    = `A,N,5,LYD,paid`
	refusedLine = `A,N,5,LYD,declined`
)

func proofCases() []proofCase {
	var all []proofCase
	add := func(name string, moved bool, by int, lines ...string) {
		all = append(all, proofCase{name: name, stage: attempt.Asking, lines: lines, moved: moved, by: by})
	}
	add("another amount", true, 0, `A,N,6,LYD,paid`)
	add("another currency", true, 0, `A,N,5,USD,paid`)
	add("two lines", true, 0, paidLine, `A,M,5,LYD,paid`)
	add("two lines, one of another amount", true, 0, paidLine, `A,M,6,LYD,paid`)
	add("two lines, one in another currency", true, 0, `A,M,5,USD,paid`, paidLine)
	add("a payment and its reversal", true, 0, paidLine, `A,M,-5,LYD,paid`)
	add("a reversal", true, 0, `A,M,-5,LYD,paid`)
	add("several references", true, 0, `A O,N,5,LYD,paid`)
	add("the number of another payment", true, 0, `A,N1,5,LYD,paid`)
	add("the number of another payment, which has its line", true, 0, `O,N1,7,LYD,paid`, `A,N1,5,LYD,paid`)
	add("the number of another payment, and a second line", true, 0, `A,N1,5,LYD,paid`, paidLine)
	add("the number of another payment, and refused", true, 0, `A,N1,5,LYD,paid`, refusedLine)
	add("the number of another payment, which has its line, and refused", true, 0, `O,N1,7,LYD,paid`,
		`A,N1,5,LYD,paid`, refusedLine)
	add("refused, then paid", true, 2, refusedLine, paidLine)
	add("refused, then paid in a line that was broken", true, 2, refusedLine, `B,N,5,LYD,paid`)
	add("paid, then open", true, 1, paidLine, `A,N,5,LYD,pending`)

	add("refused twice", false, 1, refusedLine, `A,M,5,LYD,failed`)
	add("refused without an amount", false, 1, `A,N,,LYD,declined`)
	add("refused with a dash and nothing more", false, 1, `A,,-,,declined`)
	add("refused in the column of numbers", false, 1, `,A,5,LYD,declined`)
	add("refused in another amount", false, 0, `A,N,6,LYD,declined`)
	add("refused in an unreadable amount", false, 0, `A,N,?,LYD,declined`)
	add("refused in another currency", false, 0, `A,N,5,USD,declined`)
	add("refused in another currency without an amount", false, 0, `A,N,,USD,declined`)
	add("refused in an unreadable currency", false, 0, `A,N,5,?,declined`)
	add("a refund that was refused", false, 0, `A,N,-5,LYD,declined`)
	add("refused and refused in another amount", false, 0, refusedLine, `A,N,6,LYD,declined`)
	add("refused and pending", false, 0, refusedLine, `A,N,5,LYD,pending`)
	add("refused and paid in another amount", false, 0, refusedLine, `A,N,6,LYD,paid`)
	add("refused and given back", false, 0, refusedLine, `A,N,-5,LYD,paid`)
	add("refused together with another", false, 0, `A O,N,5,LYD,declined`)
	add("refused, and in the line of another", false, 0, refusedLine, `O A,N1,7,LYD,paid`)
	for _, s := range []attempt.Stage{attempt.Beginning, attempt.Asking, attempt.Ending, attempt.Quarantined} {
		all = append(all, proofCase{"paid", s, []string{paidLine}, true, 1, false},
			proofCase{"refused", s, []string{refusedLine}, false, 1, false},
			proofCase{"paid, of another application", s, []string{paidLine}, true, 0, true},
			proofCase{"refused, of another application", s, []string{refusedLine}, false, 0, true})
	}
	for _, s := range []attempt.Stage{attempt.Code, attempt.Bank, attempt.Closed} {
		all = append(all, proofCase{"paid", s, []string{paidLine}, true, 0, false},
			proofCase{"refused", s, []string{refusedLine}, false, 0, false})
	}
	for word := range strings.FieldsSeq("Declined FAILED failure canceled cancelled rejected refused expired " +
		"مرفوضة مرفوض فاشلة فاشل ملغاة ملغية ملغي") {
		add(word, false, 1, `A,N,5,LYD,`+word)
	}
	for word := range strings.FieldsSeq("pending processing acknowledged initiated open error 0 false no " +
		"معلقة معلق منتهية قيد_التنفيذ قيد_الانتظار") {
		add(word, false, 0, `A,N,5,LYD,`+word)
	}
	return all
}

// statementLine is a line of a case in the columns of the sandbox.
func statementLine(text string, p, other payment) string {
	cells := strings.Split(text, ",")
	names := strings.NewReplacer("A", string(p.attempt), "O", string(other.attempt),
		"B", string("P2M "+p.attempt[:16]+" "+p.attempt[16:]), "U", string(newPayment("sandbox", noon).attempt))
	number := map[string]string{"N1": other.number, "N": p.number, "M": p.number + "M", "A": string(p.attempt)}
	amount := strings.NewReplacer("5", strconv.FormatInt(p.amount, 10), "6", strconv.FormatInt(p.amount+1, 10),
		"7", strconv.FormatInt(other.amount, 10))
	return strings.Join([]string{
		names.Replace(cells[0]), number[cells[1]], amount.Replace(cells[2]), cells[3],
		noon.Format(time.RFC3339), cells[4],
	}, ",")
}

// A line proves what became of an attempt of unknown outcome, if nothing contradicts it.
func TestProofsByLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lines, want, names := []string{styles["sandbox"].header}, []string(nil), map[domain.AttemptID]string{}
	for _, c := range proofCases() {
		p, other := unpaidAt("sandbox", noon), newPayment("sandbox", noon)
		if c.outside {
			p.app = domain.ApplicationID{2}
		}
		w.began(t, p, c.stage)
		w.record(t, other)
		names[p.attempt] = string(c.stage) + ", " + c.name
		if c.by > 0 {
			want = append(want, proof(p.attempt, domain.RefundID{}, c.moved, len(lines)+c.by))
		}
		for _, text := range c.lines {
			lines = append(lines, statementLine(text, p, other))
		}
	}
	r := w.compare(t, "sandbox", strings.Join(lines, "\n"), reconcile.Of(domain.ApplicationID{1}),
		reconcile.Span{})
	if diff := cmp.Diff(want, proven(r)); diff != "" {
		for id, name := range names {
			diff = strings.ReplaceAll(diff, string(id), name)
		}
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the ledger has by now proves nothing, wherever it is in time, nor does a line about another
// acquirer's attempt, or about one in another currency.
func TestNoProofsOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	declined := styles["sandbox"].unpaid
	var lines []string
	for _, at := range []time.Time{noon, noon.AddDate(0, 0, 5)} {
		p := newPayment("sandbox", at)
		w.began(t, p, attempt.Asking)
		p.at = noon
		lines = append(lines, declined(styles["sandbox"].line(p)))
	}
	elsewhere := unpaidAt("moamalat", noon.AddDate(0, 0, 5))
	w.began(t, elsewhere, attempt.Asking)
	dollars := unpaidAt("sandbox", noon.AddDate(0, 0, 5))
	w.began(t, dollars, attempt.Asking)
	if _, err := w.pool.Exec(t.Context(), `UPDATE intents SET currency = 'USD' WHERE merchant_reference = $1`,
		string(dollars.attempt)); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, styles["sandbox"].line(elsewhere), styles["sandbox"].line(dollars))
	day := reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
	file := styles["sandbox"].file(lines...)
	if r := w.compare(t, "sandbox", file, reconcile.Everything(), day); len(r.Proofs) != 0 || r.Unpaid != 2 {
		t.Errorf("%v", proven(r))
	}
}

// Plutu's column asks whether the payment was approved. A number in a column of states proves nothing.
// Where a refused card may be followed by another one, a refusal proves nothing by itself.
func TestRefusalsOfOtherAcquirers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		acquirer, head, line string // A is the attempt, 5 its amount and 6 another one
		proves               bool
	}{
		{"plutu", "invoice_no,amount,approved", "A,5,0", true},
		{"plutu", "invoice_no,amount,approved", "A,5,False", true},
		{"plutu", "invoice_no,amount,approved", "A,6,0", false},
		{"plutu", "invoice_no,amount,approved", "A,5,pending", false},
		{"plutu", "invoice_no,amount,status", "A,5,0", false},
		{"plutu", "invoice_no,amount,status", "A,5,declined", true},
		{"plutu", "invoice_no,amount,approved,type", "A,,0,sale", true},
		{"plutu", "invoice_no,amount,approved,type", "A,,0,refund", false},
		{"plutu", "invoice_no,amount,approved,type", "A,5,0,fee", false},
		{"sandbox", "id,credit,debit,state", "A,5,-,declined", true},
		{"sandbox", "id,credit,debit,state", "A,0,,declined", true},
		{"sandbox", "id,credit,debit,state", "A,6,,declined", false},
		{"sandbox", "id,credit,debit,state", "A,,5,declined", false},
		{"sandbox", "id,credit,debit,state", "A,5,5,declined", false},
		{"moamalat", "MerchantReference,AmountTrxn,Status", "A,5,Declined", false},
		{"lypay", "billNumber,amount,status", "A,5,declined", false},
	} {
		p := unpaidAt(c.acquirer, noon)
		w.began(t, p, attempt.Asking)
		figures := func(amount int64) string {
			if profileOf(c.acquirer).Unit == statements.Dinars {
				return domain.Money{Minor: amount, Currency: domain.LYD}.Figures()
			}
			return strconv.FormatInt(amount, 10)
		}
		file := c.head + "\n" + strings.NewReplacer("A", shown(c.acquirer, p.attempt), "5", figures(p.amount),
			"6", figures(p.amount+1)).Replace(c.line) + "\n"
		var want []string
		if c.proves {
			want = []string{proof(p.attempt, domain.RefundID{}, false, 2)}
		}
		r := w.compare(t, c.acquirer, file, reconcile.Everything(),
			reconcile.Span{From: noon.Add(-time.Hour), To: noon.Add(time.Hour)})
		if diff := cmp.Diff(want, proven(r)); diff != "" || r.Unpaid != 1 {
			t.Errorf("%+v (-want +got):\n%s", c, diff)
		}
	}
}

// back is money that goes back: a refund under way, a recorded one, or a line.
type back struct {
	amount int64
	what   string // the state, the number, or the number and the currency
	days   int    // after noon
}

// A line of money that went back proves the one unknown refund that it can be.
func TestProofsOfRefunds(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["moamalat"]
	record := func(id domain.IntentID, p payment, b back) {
		w.add(t, id, domain.RefundRecorded{
			At: noon.AddDate(0, 0, b.days), Refund: domain.RefundID(uuid.New()), Attempt: p.attempt,
			Amount:            domain.Money{Minor: b.amount, Currency: domain.LYD},
			ProviderReference: b.what, Evidence: domain.EvidenceAcquirer,
		})
	}
	line := func(p payment, b back) string {
		p.amount, p.number = b.amount, b.what
		text := strings.Replace(s.line(p), "Sale", "Refund", 1)
		if strings.HasSuffix(b.what, "USD") {
			text = s.dollars(text)
		}
		return text
	}
	whole := newPayment("moamalat", noon)
	record(w.record(t, whole), whole, back{900, "X", 0})
	lines, names := []string{s.header, line(whole, back{900, "X", 0})}, map[domain.AttemptID]string{}
	var want []string
	unknown := []back{{700, "unknown", 0}}
	for _, c := range []struct {
		name                      string
		underWay, recorded, lines []back
		proven                    []int // the lines, from 1
	}{
		{"one", unknown, nil, []back{{700, "R", 0}}, []int{1}},
		{"another amount", unknown, nil, []back{{701, "R", 0}}, nil},
		{"another currency", unknown, nil, []back{{700, "R USD", 0}}, nil},
		{"two lines", unknown, nil, []back{{700, "R", 0}, {700, "S", 0}}, nil},
		{"two of an amount", []back{{700, "unknown", 0}, {700, "unknown", 0}}, nil, []back{{700, "R", 0}}, nil},
		{"two of an amount, one being asked", []back{{700, "unknown", 0}, {700, "asking", 0}}, nil,
			[]back{{700, "R", 0}}, nil},
		{"two amounts", []back{{700, "unknown", 0}, {300, "unknown", 0}}, nil,
			[]back{{300, "R", 0}, {700, "S", 0}}, []int{1, 2}},
		{"requested", []back{{700, "requested", 0}}, nil, []back{{700, "R", 0}}, nil},
		{"asking", []back{{700, "asking", 0}}, nil, []back{{700, "R", 0}}, nil},
		{"recording", []back{{700, "recording", 0}}, nil, []back{{700, "R", 0}}, nil},
		{"a further one", unknown, []back{{300, "Q1", 0}},
			[]back{{300, "Q1", 0}, {700, "S", 0}, {50, "T", 0}}, []int{2}},
		{"the number of a recorded one", unknown, []back{{300, "Q2", 0}},
			[]back{{300, "Q2", 0}, {700, "q2", 0}}, nil},
		{"as much as a recorded one", unknown, []back{{700, "Q3", 0}},
			[]back{{700, "Q3", 0}, {700, "S", 0}}, nil},
		{"as much as one that was recorded later", unknown, []back{{300, "Q4", 0}, {700, "Q5", 5}},
			[]back{{300, "Q4", 0}, {700, "S", 0}}, nil},
		{"the number of another payment's", unknown, nil, []back{{700, "X", 0}, {50, "T", 0}}, nil},
		{"compared with a recorded one", unknown, []back{{300, "Q6", 0}},
			[]back{{700, "S", 0}, {50, "T", 0}}, nil},
		{"of another application", unknown, nil, []back{{700, "R", 0}}, nil},
	} {
		p := newPayment("moamalat", noon)
		if c.name == "of another application" {
			p.app = domain.ApplicationID{2}
		}
		names[p.attempt] = c.name
		id, refund := w.record(t, p), map[int64]domain.RefundID{}
		w.attempt(t, id, p, string(attempt.Closed))
		for _, b := range c.underWay {
			refund[b.amount] = w.refund(t, id, p, b.amount, b.what)
		}
		for _, b := range c.recorded {
			record(id, p, b)
		}
		for _, n := range c.proven {
			want = append(want, proof(p.attempt, refund[c.lines[n-1].amount], true, len(lines)+n))
		}
		for _, b := range c.lines {
			lines = append(lines, line(p, b))
		}
	}
	r := w.compare(t, "moamalat", strings.Join(lines, "\n"), reconcile.Of(domain.ApplicationID{1}),
		reconcile.Span{})
	if diff := cmp.Diff(want, proven(r)); diff != "" {
		for id, name := range names {
			diff = strings.ReplaceAll(diff, string(id), name)
		}
		t.Errorf("(-want +got):\n%s", diff)
	}
}
