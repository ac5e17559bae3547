package checkout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/web"
)

// Page is the checkout as a customer sees it at one moment. Rendering it is a
// pure function: the same page gives the same bytes.
type Page struct {
	Lang    web.Lang
	Address string // path of the checkout page; the language switch and "check now" lead there
	Sandbox bool   // no real money moves, and the page says so
	State   State
}

// Order is what the customer is paying. Merchant and Description are the
// merchant's own words, in any language and direction.
type Order struct {
	Merchant    string
	Description string
	Amount      domain.Money
	Reference   domain.Reference
	ReturnURL   string // empty if the merchant gave none
}

// State is what a page shows. The set is sealed: Pay, OTP, Processing, Receipt,
// Expired, NotFound and Unavailable.
//
//sumtype:decl
type State interface{ isState() }

// Pay asks how the customer wants to pay.
type Pay struct {
	Order    Order
	Deadline time.Time
	Offers   []Offer // in the order shown; a method that is not here is not mentioned
	Action   string  // where the form goes; the language is added

	// Failed is why the previous attempt took no money; empty if there was none.
	Failed acquirer.Reason

	// What the customer sent, when it has to be corrected.
	Chosen        acquirer.Method
	Phone         string
	MethodProblem MethodProblem
	PhoneProblem  PhoneProblem
}

// Offer is a method on the pay page. One that is known but out of order is shown,
// so that the customer sees that it is not their mistake, and cannot be chosen.
type Offer struct {
	Method      acquirer.Method
	OutOfOrder  bool
	preselected bool
}

// OTP asks for the code that was sent to the customer.
type OTP struct {
	Order  Order
	SentTo string // a phone number; shown masked
	Digits int    // length of the code; 0 if not known
	Action string // where the form goes; the language is added

	Problem   CodeProblem
	TriesLeft int // shown with a wrong code; 0 says nothing

	// GiveUpAction is where a second form goes that ends the attempt, so that
	// another method can be used; empty shows none.
	GiveUpAction string
}

// Processing tells the customer to wait and not to pay again. It loads itself
// again until the state changes.
type Processing struct {
	Order Order
	// BankURL is where a card payment goes on; empty when it is not the customer's
	// turn. Only http and https are linked.
	BankURL string
	// StillUnknown says that the acquirer has not answered for long. The customer
	// may leave; BankURL is not shown then.
	StillUnknown bool
}

// Receipt says that the order is paid.
type Receipt struct {
	Order  Order
	PaidAt time.Time
	Method acquirer.Method
	Payer  string // phone number, shown masked; empty where the method has none
	Late   bool   // paid after the deadline
	// SendBack takes the customer to the return URL after some seconds. It is for
	// somebody who has just paid, not for somebody who opens the link again, nor for
	// one who asked to stay (StayParameter).
	SendBack bool
}

// Expired says that the time to pay is over.
type Expired struct {
	Order Order
	// NoMoneyTaken may be set only when that is certain: no attempt is open or
	// unknown.
	NoMoneyTaken bool
}

// NotFound is for every link that leads nowhere. It says nothing about why.
type NotFound struct{}

// Unavailable says that the page cannot be shown now.
type Unavailable struct{}

func (Pay) isState()         {}
func (OTP) isState()         {}
func (Processing) isState()  {}
func (Receipt) isState()     {}
func (Expired) isState()     {}
func (NotFound) isState()    {}
func (Unavailable) isState() {}

// StayParameter is the query parameter with which a customer stays on the receipt.
const StayParameter = "stay"

// How long a page waits before it loads itself or the next one.
const (
	processingRefresh = 3 * time.Second
	bankRefresh       = 5 * time.Second  // the customer may be about to click
	unknownRefresh    = 10 * time.Second // no answer is expected soon
	sendBackAfter     = 8 * time.Second
)

//go:embed templates/*.html
var templateFiles embed.FS

var templates = web.NewTemplates(templateFiles, "templates/*.html")

// rendering is what the templates see.
type rendering struct {
	web.Frame
	T       *texts
	Name    string // of the state: the template, and data-state on main
	State   State
	Order   Order
	Return  returnLink
	pay     Pay // the state, if it is that one
	otp     OTP
	Mistake bool // the title says that something has to be corrected
}

// Render writes the page as HTML. It fails only if a template does not fit its
// data, which the tests of all states rule out.
func (p Page) Render() ([]byte, error) {
	r := p.rendering()
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "page", r); err != nil {
		return nil, fmt.Errorf("render checkout page %s: %w", r.Name, err)
	}
	return out.Bytes(), nil
}

func (p Page) rendering() rendering {
	t := textsIn(p.Lang)
	r := rendering{T: t, State: p.State}
	var title string
	var refresh web.Refresh
	switch s := p.State.(type) {
	case Pay:
		if s.MethodProblem != MethodMissing {
			s.Offers = preselect(s.Offers, s.Chosen)
		}
		r.Name, r.State, r.pay, r.Order, title = "pay", s, s, s.Order, t.Pay.Title
		r.Mistake = s.MethodProblem != MethodFine || s.PhoneProblem != PhoneFine
	case OTP:
		s.SentTo = masked(s.SentTo)
		r.Name, r.State, r.otp, r.Order, title = "otp", s, s, s.Order, t.OTP.Title
		r.Mistake = s.Problem != CodeFine
	case Processing:
		r.Name, r.Order = "processing", s.Order
		title, refresh.After = s.waiting(t)
	case Receipt:
		s.Payer = masked(s.Payer)
		r.Name, r.State, r.Order, title = "receipt", s, s.Order, t.Receipt.Title
		if s.Late {
			title = t.Receipt.LateTitle
		}
	case Expired:
		r.Name, r.Order, title = "expired", s.Order, t.Expired.Title
	case NotFound:
		r.Name, title = "not-found", t.NotFound.Title
	case Unavailable:
		r.Name, title = "unavailable", t.Unavailable.Title
	}
	if r.Name == "" {
		panic(fmt.Sprintf("checkout: page without a known state (%T)", p.State))
	}
	r.Return = newReturnLink(r.Order.ReturnURL)
	if s, ok := p.State.(Receipt); ok && s.SendBack && r.Return.OK() {
		refresh = web.Refresh{After: sendBackAfter, To: r.Return.URL}
	}
	if r.Mistake {
		title = t.ErrorPrefix + title
	}
	if r.Order.Merchant != "" {
		title += " · " + web.Isolate(r.Order.Merchant)
	}
	r.Frame = web.Frame{
		Lang: p.Lang, Title: title, Brand: r.Order.Merchant, Address: p.Address, Sandbox: p.Sandbox, Refresh: refresh,
	}
	return r
}

// waiting is the title of a processing page, and when it looks again.
func (s Processing) waiting(t *texts) (title string, refresh time.Duration) {
	switch {
	case s.StillUnknown:
		return t.Processing.UnknownTitle, unknownRefresh
	case s.BankURL != "":
		return t.Processing.CardTitle, bankRefresh
	}
	return t.Processing.Title, processingRefresh
}

// preselect marks the method that is chosen when the page opens: the customer's,
// or else the first that works, which is one decision less to make.
func preselect(offers []Offer, chosen acquirer.Method) []Offer {
	marked := make([]Offer, len(offers))
	copy(marked, offers)
	first := -1
	for n, o := range marked {
		if o.OutOfOrder {
			continue
		}
		if o.Method == chosen {
			first = n
			break
		}
		if first < 0 {
			first = n
		}
	}
	if first >= 0 {
		marked[first].preselected = true
	}
	return marked
}

// masked hides a phone number that is not hidden yet.
func masked(payer string) string {
	if _, whole := web.LibyanMobile(payer); whole {
		return web.MaskPhone(payer)
	}
	return payer
}

// Localised is an address of ours in the language of the page.
func (r rendering) Localised(address string) string { return web.WithLang(address, r.Lang) }

// Self is the address of this page in its language.
func (r rendering) Self() string { return r.Localised(r.Address) }

// Stay is the address of the receipt that does not lead back by itself.
func (r rendering) Stay() string { return r.Localised(r.Address + "?" + StayParameter + "=1") }

// SendsBack reports whether the page leads to the shop by itself.
func (r rendering) SendsBack() bool { return r.Refresh.To != "" }

// SendBackText says after how many seconds that happens.
func (r rendering) SendBackText() string { return r.T.Receipt.SendBack(r.Refresh.Seconds()) }

// CanPay reports whether any method can be chosen.
func (r rendering) CanPay() bool {
	for _, o := range r.pay.Offers {
		if !o.OutOfOrder {
			return true
		}
	}
	return false
}

// TakesPhone reports whether the wallet can be chosen, which needs a number.
func (r rendering) TakesPhone() bool {
	for _, o := range r.pay.Offers {
		if o.Method == acquirer.Wallet && !o.OutOfOrder {
			return true
		}
	}
	return false
}

// ID is the element's id, for links from the summary of problems.
func (o Offer) ID() string { return "method-" + string(o.Method) }

// Preselected reports whether the method is chosen when the page opens.
func (o Offer) Preselected() bool { return o.preselected }

// MethodHint says what comes next with the method, or that it is out of order.
func (r rendering) MethodHint(o Offer) string {
	if o.OutOfOrder {
		return r.T.Pay.OutOfOrder
	}
	return r.T.method(o.Method).Hint
}

// TriesLeft says how often the code may still be tried; empty after no wrong code.
func (r rendering) TriesLeft() string {
	s := r.otp
	if s.Problem != CodeWrong || s.TriesLeft <= 0 {
		return ""
	}
	return r.T.OTP.TriesLeft(s.TriesLeft)
}

// MethodName is the method as customers know it.
func (r rendering) MethodName(m acquirer.Method) string { return r.T.method(m).Name }

// FailedText is why the previous attempt failed.
func (r rendering) FailedText(reason acquirer.Reason) string { return r.T.reason(reason) }

// Amount is the order's amount in markup.
func (r rendering) Amount() template.HTML { return web.AmountHTML(r.Lang, r.Order.Amount) }
