package fake

import (
	"fmt"
	"strconv"
	"time"

	fakes "daftar/payments/acquirer/fake"
)

// row is a transaction, as the gateway keeps it.
type row struct {
	number    int // SystemReference; the network's number has its digits
	merchant  Merchant
	reference string
	amount    int64  // dirham
	kind      string // one of the kinds
	approved  bool
	because   string // ResCodeDesc
	at        time.Time
	shownAt   time.Time // from when the list has it
	card      string    // masked
	original  int       // number of the sale, of a refund
	refunded  int64     // of a sale, in dirham
}

// The kinds, as TransType has them.
const (
	kindSale     = "Sale"
	kindRefund   = "Refund"
	kindVoidSale = "Void Sale"
)

// txnType is the number of a kind in notifications.
func (r row) txnType() int {
	switch r.kind {
	case kindRefund:
		return 2
	case kindVoidSale:
		return 3
	}
	return 1
}

func (r row) systemReference() string { return strconv.Itoa(r.number) }

// networkReference is the RRN: twelve digits.
func (r row) networkReference() string { return fmt.Sprintf("6327%08d", r.number) }

// firstNumber is that of the first transaction.
const firstNumber = 1_500_001

// record adds a transaction to the list and the books. f.mu is held.
func (f *Fake) record(r row) row {
	r.number, r.at = firstNumber+len(f.rows), f.now()
	if r.shownAt.IsZero() {
		r.shownAt = r.at
	}
	f.rows = append(f.rows, r)
	f.books.Update(r.reference, func(p *fakes.Payment) bool {
		p.Method = "moamalat"
		switch {
		case r.kind != kindSale:
			p.Refunded += r.amount
		case r.approved:
			p.State, p.Amount = fakes.Paid, r.amount
			p.Taken++
		case p.State != fakes.Paid:
			// Open: another card may be tried.
			p.Amount = r.amount
		}
		return true
	})
	return r
}

// sale makes the row of a card. f.mu is held.
func (f *Fake) sale(m Merchant, reference string, amount int64, card string) row {
	return row{
		merchant: m, reference: reference, amount: amount, kind: kindSale, approved: true,
		because: "Approved", card: mask(card),
	}
}

func mask(card string) string {
	if len(card) < 10 {
		return "**********"
	}
	return card[:6] + "******" + card[len(card)-4:]
}

// dinars writes dirham as the gateway writes dinars: 200.031.
func dinars(dirham int64) string { return fmt.Sprintf("%d.%03d", dirham/1000, dirham%1000) }
