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

// Part is a settlement of a draft. Its ValueDate is zero where no line says it.
type Part struct {
	books.NewSettlement

	Gross int64
}

// Draft is what a statement would add to the books of an account.
type Draft struct {
	books.Key

	File, SHA256 string
	Parts        []Part
	FeesStated   bool // the file has a column of fees
	// Covered are shares of the statement that settlements cover already, and are in no part.
	Covered []Covered
	// Accepted are the settlements of the same file, which is not accepted again.
	Accepted []uuid.UUID
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

// ErrFees says that neither the statement nor the person says what the fees are.
var ErrFees = errors.New("the fees or the net amount are missing")

// kept is what is decided about a share by its line.
type kept struct {
	books.Share

	day   domain.Day
	taken domain.Day
	fee   int64
}

// shareID identifies a share among those of an account.
type shareID struct {
	attempt domain.AttemptID
	refund  uuid.UUID
}

func idOf(s books.Share) shareID {
	id := shareID{attempt: s.Attempt}
	if s.Refund != nil {
		id.refund = *s.Refund
	}
	return id
}

// Lay makes a draft of the pairs of a comparison; covered are the shares that settlements cover, by id.
func lay(d Draft, r *reconcile.Report, covered map[shareID]uuid.UUID) Draft {
	_, d.FeesStated = r.Columns[statements.Fee]
	var all []kept
	seen, sign := map[shareID]bool{}, signOfFees(r.Pairs)
	for _, p := range r.Pairs {
		share := books.Share{
			Intent: uuid.UUID(p.Entry.Intent), Attempt: p.Entry.Attempt, Amount: p.Entry.Amount,
			Line: int64(p.Line.Number),
		}
		if p.Entry.Refund != (domain.RefundID{}) {
			share.Refund = (*uuid.UUID)(&p.Entry.Refund)
		}
		id := idOf(share)
		if of, is := covered[id]; is {
			d.Covered = append(d.Covered, Covered{share, of})
		} else if !seen[id] {
			seen[id] = true
			all = append(all, kept{share, p.Line.Settled, domain.DayOf(p.Entry.At), sign * p.Line.Fee})
		}
	}
	slices.SortStableFunc(all, func(a, b kept) int {
		return cmp.Or(a.day.Date().Compare(b.day.Date()), cmp.Compare(a.Line, b.Line))
	})
	for n, one := range all {
		last := len(d.Parts) - 1
		if n == 0 || all[n-1].day != one.day || len(d.Parts[last].Shares) == books.MaxShares {
			d.Parts = append(d.Parts, Part{NewSettlement: books.NewSettlement{ValueDate: one.day}})
			last++
		}
		part := &d.Parts[last]
		part.Shares = append(part.Shares, one.Share)
		part.Taken = addTaken(part.Taken, one.taken, one.Amount)
		part.Gross, part.Fees = part.Gross+one.Amount, part.Fees+one.fee
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

// signOfFees is -1 where a statement writes what was kept of payments as negative amounts.
func signOfFees(pairs []reconcile.Pair) int64 {
	sum := int64(0)
	for _, p := range pairs {
		if p.Entry.Amount > 0 {
			sum += p.Line.Fee
		}
	}
	if sum < 0 {
		return -1
	}
	return 1
}

// Sums are the gross and the stated fees of all parts.
func (d Draft) Sums() (s books.Sums) {
	for _, p := range d.Parts {
		s.Gross, s.Fees = s.Gross+p.Gross, s.Fees+p.Fees
	}
	s.Net = s.Gross - s.Fees
	return s
}

// Shares is how many payments and refunds the parts have.
func (d Draft) Shares() (n int) {
	for _, p := range d.Parts {
		n += len(p.Shares)
	}
	return n
}

// Undated reports whether a part needs the day of Terms.
func (d Draft) Undated() bool {
	return slices.ContainsFunc(d.Parts, func(p Part) bool { return p.ValueDate.IsZero() })
}

// Digest identifies all that is computed of the file and the books: a draft with the same one is the same.
func (d Draft) Digest() (string, error) {
	h := sha256.New()
	if err := json.MarshalWrite(h, struct {
		Key    books.Key
		SHA256 string
		Parts  []Part
	}{d.Key, d.SHA256, d.Parts}); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Command is what accepting the draft records. Fees and net amounts of the whole are divided among the parts
// in proportion to their gross; what neither explains is in the last. The error is ErrFees.
func (d Draft) Command(t Terms) (books.RecordStatement, error) {
	sums := d.Sums()
	switch {
	case t.Fees != nil:
		sums.Fees = *t.Fees
	case !d.FeesStated && t.Net == nil:
		return books.RecordStatement{}, ErrFees
	case !d.FeesStated:
		sums.Fees = sums.Gross - *t.Net
	}
	sums.Net = sums.Gross - sums.Fees
	if t.Net != nil {
		sums.Net = *t.Net
	}
	c := books.RecordStatement{File: d.File, SHA256: d.SHA256}
	var done books.Sums
	for n, p := range d.Parts {
		s := p.NewSettlement
		s.ID, s.BankReference = uuid.New(), t.BankReference
		if s.ValueDate.IsZero() {
			s.ValueDate = t.ValueDate
		}
		done.Gross += p.Gross
		if t.Fees != nil || !d.FeesStated {
			s.Fees = share(sums.Fees, done.Gross, sums.Gross) - done.Fees
		}
		if s.Net = p.Gross - s.Fees; n == len(d.Parts)-1 {
			s.Fees, s.Net = sums.Fees-done.Fees, sums.Net-done.Net
		}
		done.Fees, done.Net = done.Fees+s.Fees, done.Net+s.Net
		c.Settlements = append(c.Settlements, s)
	}
	return c, nil
}

// share is part / whole of an amount, rounded down; the product may be larger than an int64.
func share(amount, part, whole int64) int64 {
	if whole == 0 {
		return 0
	}
	product := new(big.Int).Mul(big.NewInt(amount), big.NewInt(part))
	return product.Quo(product, big.NewInt(whole)).Int64()
}
