package settlements

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// Draft is what a statement would add to the books of an account.
type Draft struct {
	books.Key

	File, SHA256 string
	Settlements  []books.NewSettlement // without ids; the day is zero where no line says it
	FeesStated   bool                  // the file has a column of fees
	Covered      []Covered             // what the statement has, and other settlements have already
	Accepted     []uuid.UUID           // the settlements of the same file, which is not accepted again
}

// Covered is a payment or refund that a settlement covers.
type Covered struct {
	books.Share

	Settlement uuid.UUID
}

// Terms are what a person says of a statement as a whole.
type Terms struct {
	ValueDate     domain.Day // of what the statement has no day for
	Fees, Net     *int64     // nil: as the statement says, or what is left
	BankReference string
}

// Sums are the amounts of a gross on these terms; stated are the fees of the file, nil where it has none.
// The error is ErrFees.
func (t Terms) Sums(gross int64, stated *int64) (s books.Sums, err error) {
	s.Gross = gross
	switch {
	case t.Fees != nil:
		s.Fees = *t.Fees
	case stated != nil:
		s.Fees = *stated
	case t.Net != nil:
		s.Fees = gross - *t.Net
	default:
		return s, ErrFees
	}
	if s.Net = gross - s.Fees; t.Net != nil {
		s.Net = *t.Net
	}
	return s, nil
}

// ErrFees says that neither the statement nor the person says what the fees are.
var ErrFees = errors.New("the fees or the net amount are missing")

// shareID identifies a share among those of an account.
type shareID struct {
	attempt domain.AttemptID
	refund  uuid.UUID
}

func idOf(s books.Share) shareID {
	if s.Refund == nil {
		return shareID{attempt: s.Attempt}
	}
	return shareID{s.Attempt, *s.Refund}
}

func shareOf(p reconcile.Pair) books.Share {
	s := books.Share{
		Intent: uuid.UUID(p.Entry.Intent), Attempt: p.Entry.Attempt, Amount: p.Entry.Amount,
		Line: int64(p.Line.Number),
	}
	if p.Entry.Refund != (domain.RefundID{}) {
		s.Refund = (*uuid.UUID)(&p.Entry.Refund)
	}
	return s
}

// lay fills a draft with the pairs of a comparison that are not covered.
func lay(d Draft, r *reconcile.Report, a *books.ProviderAccount, covered map[shareID]uuid.UUID) Draft {
	_, d.FeesStated = r.Columns[statements.Fee]
	stated := int64(0)
	open := slices.DeleteFunc(slices.Clone(r.Pairs), func(p reconcile.Pair) bool {
		share := shareOf(p)
		of, is := covered[idOf(share)]
		if is && of != uuid.Nil {
			d.Covered = append(d.Covered, Covered{share, of})
		}
		if !is {
			covered[idOf(share)] = uuid.Nil // a second line of it is left out
		}
		if !is && share.Amount > 0 {
			stated += p.Line.Fee
		}
		return is
	})
	slices.SortStableFunc(open, func(a, b reconcile.Pair) int {
		return cmp.Or(a.Line.Settled.Date().Compare(b.Line.Settled.Date()),
			cmp.Compare(a.Line.Number, b.Line.Number))
	})
	for n, p := range open {
		last := len(d.Settlements) - 1
		if n == 0 || open[n-1].Line.Settled != p.Line.Settled ||
			len(d.Settlements[last].Shares) == books.MaxShares {
			d.Settlements = append(d.Settlements, books.NewSettlement{
				ValueDate: p.Line.Settled, ExpectedFees: new(int64),
			})
			last++
		}
		s := &d.Settlements[last]
		s.Shares = append(s.Shares, shareOf(p))
		s.Taken = addTaken(s.Taken, domain.DayOf(p.Entry.At), p.Entry.Amount)
		if stated < 0 {
			s.Fees -= p.Line.Fee // the file writes what was kept as negative amounts
		} else {
			s.Fees += p.Line.Fee
		}
		expect(s, a, p.Entry)
	}
	return d
}

// addTaken adds an amount to what was taken on a day.
func addTaken(all []books.Taken, on domain.Day, amount int64) []books.Taken {
	n := slices.IndexFunc(all, func(t books.Taken) bool { return t.On == on })
	if n < 0 {
		n, all = len(all), append(all, books.Taken{On: on})
	}
	all[n].Amount += amount
	return all
}

// expect adds the fee of a payment by the contract on record. Nobody knows whether the provider gives back
// that of a refund: none is expected.
func expect(s *books.NewSettlement, a *books.ProviderAccount, e *reconcile.Entry) {
	if s.ExpectedFees == nil || e.Refund != (domain.RefundID{}) {
		return
	}
	fee, known := a.ExpectedFee(e.Method, domain.DayOf(e.At), e.Amount)
	if *s.ExpectedFees += fee; !known {
		s.ExpectedFees = nil
	}
}

// Gross is what a settlement will have as its gross.
func Gross(s books.NewSettlement) (sum int64) {
	for _, share := range s.Shares {
		sum += share.Amount
	}
	return sum
}

// Sum adds up settlements.
func Sum(all []books.NewSettlement) (s books.Sums, shares int) {
	for _, one := range all {
		s = books.Sums{Gross: s.Gross + Gross(one), Fees: s.Fees + one.Fees, Net: s.Net + one.Net}
		shares += len(one.Shares)
	}
	return s, shares
}

// Undated reports whether a settlement needs the day of Terms.
func (d Draft) Undated() bool {
	return slices.ContainsFunc(d.Settlements, func(s books.NewSettlement) bool { return s.ValueDate.IsZero() })
}

// Digest identifies all that is computed of the file and the books: a draft with the same one is the same.
func (d Draft) Digest() (string, error) {
	h := sha256.New()
	err := json.MarshalWrite(h, []any{d.Key, d.SHA256, d.Settlements})
	return hex.EncodeToString(h.Sum(nil)), err
}

// command is what accepting the draft records. Fees of the whole are divided among the settlements in
// proportion to their gross; what neither fees nor payments explain is in the last. The error is ErrFees.
func (d Draft) command(t Terms) (books.RecordStatement, error) {
	c := books.RecordStatement{File: d.File, SHA256: d.SHA256, Settlements: slices.Clone(d.Settlements)}
	sums, _ := Sum(d.Settlements)
	var stated *int64
	if d.FeesStated {
		stated = &sums.Fees
	}
	whole, err := t.Sums(sums.Gross, stated)
	if err != nil {
		return c, err
	}
	divided := t.Fees != nil || !d.FeesStated
	var done books.Sums
	for n := range c.Settlements {
		s := &c.Settlements[n]
		s.ID, s.BankReference = uuid.New(), t.BankReference
		if s.ValueDate.IsZero() {
			s.ValueDate = t.ValueDate
		}
		gross := Gross(*s)
		done.Gross += gross
		if divided && whole.Gross != 0 { // the product may be larger than an int64
			part := new(big.Int).Mul(big.NewInt(whole.Fees), big.NewInt(done.Gross))
			s.Fees = part.Quo(part, big.NewInt(whole.Gross)).Int64() - done.Fees
		}
		if s.Net = gross - s.Fees; n == len(c.Settlements)-1 {
			s.Fees, s.Net = whole.Fees-done.Fees, whole.Net-done.Net
		}
		done.Fees, done.Net = done.Fees+s.Fees, done.Net+s.Net
	}
	return c, nil
}
