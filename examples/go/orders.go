package main

import (
	"log"
	"slices"
	"sync"
	"time"

	daftar "daftar/sdk/go"
)

// product is what the shop sells.
type product struct {
	ID, AR, EN string
	Amount     int64 // in minor units
	Currency   string
}

// products have the prices, which never come from the form.
var products = []product{
	{"coffee", "قهوة عربية", "Arabic coffee", 5000, "LYD"},
	{"dates", "علبة تمر", "Box of dates", 42500, "LYD"},
}

func productOf(id string) (product, bool) {
	n := slices.IndexFunc(products, func(p product) bool { return p.ID == id })
	if n < 0 {
		return product{}, false
	}
	return products[n], true
}

// The states of an order.
const (
	open      = "open"
	fulfilled = "fulfilled"
	canceled  = "canceled"
)

type order struct {
	Reference   string // what Daftar knows as merchant_reference
	Product     string
	Amount      int64
	Currency    string
	At          time.Time // when it was placed
	State       string
	UUID        string // the intent's, once it is known
	CheckoutURL string
	PaidTwice   bool      // the second payment is to be given back
	CheckedAt   time.Time // when the API was last asked without a webhook
}

// webhook is what the shop keeps of a webhook.
type webhook struct {
	ID        string           `json:"id"`
	Type      daftar.EventType `json:"type"`
	UUID      string           `json:"uuid,omitempty"`
	Reference string           `json:"reference,omitempty"`
}

// entry is a line of the journal. Did says what happened, and which of the other fields there are.
type entry struct {
	Did         string   `json:"did"` // placed, asked, received, dealt, fulfilled, canceled or paid_twice
	Reference   string   `json:"reference,omitempty"`
	Product     string   `json:"product,omitempty"`
	Amount      int64    `json:"amount,omitempty"`
	Currency    string   `json:"currency,omitempty"`
	At          int64    `json:"at,omitempty"` // in milliseconds since 1970
	UUID        string   `json:"uuid,omitempty"`
	CheckoutURL string   `json:"checkout_url,omitempty"`
	Webhook     *webhook `json:"webhook,omitempty"`
	ID          string   `json:"id,omitempty"`
}

// orders are the shop's orders, and the rule by which they are fulfilled: at most once, and only if the
// API says that they are paid.
type orders struct {
	journal *journal

	mu    sync.Mutex
	all   map[string]*order
	inbox []webhook       // those that are written down and not dealt with yet
	seen  map[string]bool // the ids of all webhooks
}

func openOrders(path string) (*orders, error) {
	o := &orders{all: map[string]*order{}, seen: map[string]bool{}}
	j, err := openJournal(path, o.apply)
	o.journal = j
	return o, err
}

// apply changes the state in memory by what happened.
func (o *orders) apply(e entry) {
	of := o.all[e.Reference]
	switch e.Did {
	case "placed":
		o.all[e.Reference] = &order{
			Reference: e.Reference, Product: e.Product, Amount: e.Amount, Currency: e.Currency,
			At: time.UnixMilli(e.At), State: open,
		}
	case "asked":
		of.UUID, of.CheckoutURL = e.UUID, e.CheckoutURL
	case "received":
		o.seen[e.Webhook.ID] = true
		o.inbox = append(o.inbox, *e.Webhook)
	case "dealt":
		o.inbox = slices.DeleteFunc(o.inbox, func(w webhook) bool { return w.ID == e.ID })
	case fulfilled, canceled:
		of.State = e.Did
	case "paid_twice":
		of.PaidTwice = true
	}
}

// decide lets f look at the state and record what follows, one at a time: of two that come at the same
// time, one finds what the other recorded. When decide returns, that is on disk, also what the other
// recorded.
func (o *orders) decide(f func(record func(entry))) {
	o.mu.Lock()
	f(func(e entry) {
		o.apply(e)
		o.journal.append(e)
	})
	o.mu.Unlock()
	o.journal.sync()
}

// place places an order once, however often the form is sent.
func (o *orders) place(reference string, p product) (placed order) {
	o.decide(func(record func(entry)) {
		if o.all[reference] == nil {
			record(entry{
				Did: "placed", Reference: reference, Product: p.ID, Amount: p.Amount, Currency: p.Currency,
				At: time.Now().UnixMilli(),
			})
		}
		placed = *o.all[reference]
	})
	return placed
}

// asked writes down which intent an order has.
func (o *orders) asked(reference string, intent daftar.PaymentIntent) {
	o.decide(func(record func(entry)) {
		if o.all[reference].UUID == "" {
			record(entry{
				Did: "asked", Reference: reference, UUID: intent.UUID, CheckoutURL: intent.CheckoutURL,
			})
		}
	})
}

// received writes a webhook down. When it returns, a crash does not lose it.
func (o *orders) received(w webhook) {
	o.decide(func(record func(entry)) {
		if !o.seen[w.ID] {
			record(entry{Did: "received", Webhook: &w})
		}
	})
}

// dealt writes down that a webhook was dealt with.
func (o *orders) dealt(id string) {
	o.decide(func(record func(entry)) { record(entry{Did: "dealt", ID: id}) })
}

// paidTwice writes down that an order was paid a second time, for the person who gives that money back.
func (o *orders) paidTwice(reference string) {
	o.decide(func(record func(entry)) {
		if of := o.all[reference]; of != nil && !of.PaidTwice {
			record(entry{Did: "paid_twice", Reference: reference})
		}
	})
}

// settle brings an order to what the API says of its intent. This is the only place where an order is
// fulfilled.
func (o *orders) settle(intent daftar.PaymentIntent) {
	paid := false
	o.decide(func(record func(entry)) {
		of := o.all[intent.MerchantReference]
		switch {
		case of == nil: // not of this shop
		case intent.Amount != of.Amount || intent.Currency != of.Currency:
			log.Printf("Order %s is not what intent %s was made for: a person must look.",
				of.Reference, intent.UUID)
		case intent.Status == daftar.StatusSucceeded && of.State != fulfilled:
			// Also where the order was canceled: a late payment is a payment. A shop that has sold the
			// goods to somebody else gives the money back instead.
			// The entry is the fulfilment: those who pack parcels work through these. If you call another
			// system instead, give it the reference, so that it can refuse the second call after a crash.
			record(entry{Did: fulfilled, Reference: of.Reference})
			paid = true
		case intent.Status == daftar.StatusCanceled && of.State == open:
			record(entry{Did: canceled, Reference: of.Reference})
		}
	})
	if paid {
		log.Printf("fulfilled %s", intent.MerchantReference)
	}
}

// find returns an order as it stands now.
func (o *orders) find(reference string) (order, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if of := o.all[reference]; of != nil {
		return *of, true
	}
	return order{}, false
}

// waiting returns the webhooks that are not dealt with yet, oldest first.
func (o *orders) waiting() []webhook {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.inbox)
}

// due returns the orders that are to be asked about: those that are not fulfilled, until nobody can pay
// for them any more, the older the rarer; canceled ones, too, because a late payment may come.
func (o *orders) due(every time.Duration) (due []order) {
	const longest = 40 * 24 * time.Hour
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	for _, of := range o.all {
		last := of.At
		if of.CheckedAt.After(last) {
			last = of.CheckedAt
		}
		age := now.Sub(of.At)
		if of.State != fulfilled && age < longest && now.Sub(last) >= max(every, age/4) {
			due = append(due, *of)
		}
	}
	return due
}

// checked keeps in memory when an order was asked about.
func (o *orders) checked(reference string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all[reference].CheckedAt = time.Now()
}
