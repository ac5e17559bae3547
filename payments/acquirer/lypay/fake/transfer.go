package fake

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/payments/acquirer/fake"
)

// The states of a transfer, by LYPay's names. Dialect.Completed may rename the third.
const (
	acknowledged = "acknowledged"
	processing   = "processing"
	completed    = "completed"
	declined     = "declined"
	failed       = "failed"
	pending      = "pending"
	canceled     = "cancelled"
)

// codes are two tables that are in use, which contradict each other.
var codes = map[int]map[string]string{
	1: {
		acknowledged: "01", processing: "02", completed: "03", declined: "04", failed: "05", pending: "06",
		canceled: "07",
	},
	2: {
		acknowledged: "01", processing: "02", declined: "03", completed: "04", failed: "05", pending: "06",
		canceled: "07",
	},
}

// transfer is a transfer from a payer to a merchant.
type transfer struct {
	uuid, reference, rrn string
	amount, refunded     int64 // in dirham
	currency             string
	payee, payeeName     string
	payer                string // name
	label                string // the reference as the payer's app passed it on
	asked                string // the reference in the code: for the books
	madeAt               time.Time
	status               string
	due                  time.Time // when it becomes then; zero: never
	then                 string
	hiddenUntil          time.Time
	dayShift             int // days by which it is in the wrong list
	notices              []string
}

// newTransfer adds a transfer with new names. f.mu is held.
func (f *Fake) newTransfer(t transfer) *transfer {
	f.made++
	t.uuid = uuid.NewString()
	t.reference = fmt.Sprintf("LYP%015d", f.made)
	t.rrn = fmt.Sprintf("%012d", 620_000_000_000+f.made)
	t.currency = strings.ToLower(t.currency)
	f.transfers = append(f.transfers, &t)
	return &t
}

// setStatus changes a transfer's status and keeps the books. Money that was taken stays taken.
// f.mu is held.
func (f *Fake) setStatus(t *transfer, status string) {
	wasPaid := t.status == completed
	t.status, t.due = status, time.Time{}
	f.books.Update(t.asked, func(p *fake.Payment) bool {
		p.Method = "lypay"
		switch {
		case status == completed && !wasPaid:
			p.State, p.Taken, p.Amount = fake.Paid, p.Taken+1, t.amount
		case p.State == fake.Paid:
			return false
		case p.Amount == 0:
			p.Amount = t.amount
		}
		if p.State != fake.Paid && (status == declined || status == failed) {
			p.State = fake.Declined
		}
		return true
	})
}

// applyDue changes the transfers that are due, and sends their webhooks.
func (f *Fake) applyDue() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.config.Now()
	for _, t := range f.transfers {
		if t.due.IsZero() || t.due.After(now) {
			continue
		}
		f.setStatus(t, t.then)
		if t.status == completed {
			messages := f.webhooks(t, t.notices)
			f.messenger.Go(func() { f.send(messages) })
		}
	}
}

// find returns the transfer with these names, where "" matches any. f.mu is held.
func (f *Fake) find(uuid, reference, rrn string) *transfer {
	for _, t := range f.transfers {
		if (uuid == "" || t.uuid == uuid) &&
			(reference == "" || t.reference == reference) &&
			(rrn == "" || t.rrn == rrn) {
			return t
		}
	}
	return nil
}

func (f *Fake) isHidden(t *transfer) bool { return f.config.Now().Before(t.hiddenUntil) }
