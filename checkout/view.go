package checkout

import (
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// Page is the checkout as a customer sees it at one moment. Rendering it is a
// pure function: the same page gives the same bytes.
type Page struct {
	Lang    locale.Lang
	Address string // path of the checkout page; the language switch and "check now" lead there
	Sandbox bool   // no real money moves, and the page says so
	State   State
	Still   bool // a preview: no script changes it

	// Version names the contents of the page: while it is the same, so is the page.
	// Watch is the address of the current version; both are empty on a page that does not change.
	Version string
	Watch   string
	// Now is the server's time, from which the script counts down; the payer's
	// device may be wrong by hours.
	Now time.Time
}

// Order is what the customer is paying. Merchant and Description are the
// merchant's own words, in any language and direction.
type Order struct {
	Merchant    string
	Mode        domain.Mode // of the merchant's application
	Description string
	Amount      domain.Money
	Reference   domain.Reference
	ReturnURL   string // empty if the merchant gave none
	Brand       Brand
}

// State has the contents of a page. The set is sealed: Pay, OTP, Lightbox, QR, Processing,
// Receipt, Proof, Expired, NotFound, Unavailable, Secure and ShopPage.
//
//sumtype:decl
type State interface {
	frame(t *texts) frame
}

// frame is the part that every state has.
type frame struct {
	template string // its name, and data-state on <main>
	title    string
	detail   string    // the finer state: data-detail on <main>, empty for the plain case
	order    Order     // zero where the page belongs to no order
	deadline time.Time // zero where the page does not count down to it
	problems []problem // what is wrong with its form
	// refresh is after how long the page loads itself again; 0: not now.
	refresh time.Duration
	// live: the page may change although its payer does nothing, by another tab, the acquirer
	// or the time.
	live bool
}

// Pay asks how the customer wants to pay.
type Pay struct {
	Order    Order
	Deadline time.Time
	Offers   []Offer // in the order shown; other methods are not shown
	Action   string  // where the form goes; the language is added
	// LeadsTo are the origins of acquirers' pages to which the form's answer may lead.
	LeadsTo []string

	// Failed is why the previous attempt took no money; empty if there was none.
	Failed   acquirer.Reason
	FailedBy acquirer.Method // the method of that attempt
	// NotBefore is when the next attempt may begin; zero: now. Before that the page has
	// no form.
	NotBefore time.Time

	// What the customer sent, when it has to be corrected.
	Chosen           acquirer.Method
	Phone            string
	BirthYear        string
	MethodProblem    MethodProblem
	PhoneProblem     PhoneProblem
	PhonePrefixes    []string // with PhoneOtherNetwork
	BirthYearProblem BirthYearProblem
	// LimitedUntil is until when no code is sent, with MethodLimited and PhoneLimited.
	LimitedUntil time.Time
}

// Offer is a method on the pay page. One that is known but out of order is shown,
// so that the customer sees that it is not their mistake, and cannot be chosen.
type Offer struct {
	Method     acquirer.Method
	OutOfOrder bool
	Needs      []acquirer.Field // what the customer fills in for it
}

// OTP asks for the code that was sent to the customer.
type OTP struct {
	Order  Order
	SentTo string // a phone number; shown masked
	Digits int    // length of the code; 0 if not known
	Action string // where the form goes; the language is added

	Problem   CodeProblem
	TriesLeft int // shown with a wrong code; 0 says nothing
	// Wait is how long no code is taken, with CodeTooMany; whole seconds.
	Wait time.Duration
	// LimitedUntil is until when no code is taken, with CodeLimited, or sent, with
	// ResendLimited.
	LimitedUntil time.Time

	// ResendAction is the address of a form that requests a new code; empty where the
	// acquirer sends none. ResendAfter is how long it is still refused; 0: not at all.
	ResendAction string
	ResendAfter  time.Duration
	Resent       bool // a new code was just sent

	// GiveUpAction is the address of a second form, which ends the attempt, so that
	// another method can be used; empty shows none.
	GiveUpAction string
}

// Lightbox lets the customer pay in the acquirer's form, which its script draws on this
// page.
type Lightbox struct {
	Order     Order
	Method    acquirer.Method
	ScriptURL string
	// Configuration is a JSON object, for the script.
	Configuration string
	Deadline      time.Time
	// GiveUpAction is the address of a form that ends the attempt, so that another method can
	// be used; empty shows none.
	GiveUpAction string
}

// QR lets the customer pay in the app of their bank, by scanning a code.
type QR struct {
	Order        Order
	Method       acquirer.Method
	Payload      string // the text of the code
	PictureURL   string // of the code, to be saved
	Deadline     time.Time
	GiveUpAction string // as in Lightbox
}

// Processing tells the customer to wait and not to pay again. It loads itself
// again until the state changes.
type Processing struct {
	Order Order
	// BankURL is where the customer continues a card payment; empty when there is nothing for
	// the customer to do. Only http and https are linked.
	BankURL string
	// StillUnknown: the acquirer has not answered for long. The customer
	// may close the page; BankURL is not shown then.
	StillUnknown bool
	// TimeOver: the time to pay ended while the payment was under way. No further input is
	// accepted, and the acquirer is asked how the payment ended.
	TimeOver bool

	// GiveUpAction is the address of a form that ends the payment at the bank, so that
	// another method can be used; shown with BankURL only, empty shows none.
	GiveUpAction string
}

// Receipt is for a paid order.
type Receipt struct {
	Order  Order
	PaidAt time.Time
	Method acquirer.Method
	Payer  string // phone number, shown masked; empty where the method has none
	Late   bool   // paid after the deadline
	// SendBack: the page leads to the return URL after some seconds. It is set for a customer
	// who has just paid, not for one who opens the link again or chose to stay (StayParameter).
	SendBack bool
	// Reopened: the order was paid some time ago, and the link is opened again.
	Reopened bool
	// Twice: there was a second payment, which the shop has to refund.
	Twice bool
	// ShopNotified: the merchant's server accepted the webhook about the late or second payment.
	ShopNotified bool
	// CheckURL is where anyone can check the receipt; empty: the receipt does not show it.
	CheckURL string
	// PictureURL is the address of the receipt as a picture; empty: there is none.
	PictureURL string
	// InApp: the browser is a part of an app, which can neither print nor save a file.
	InApp bool
}

// NeedsAttention reports whether the payer has a warning to read before the amount.
func (s Receipt) NeedsAttention() bool { return s.Late || s.Twice }

// Proof confirms a receipt to anyone who has it. Of the order it has the
// merchant, the amount and the reference, and no data of the payer.
type Proof struct {
	Order    Order
	PaidAt   time.Time
	Refunded domain.Money // zero: nothing was refunded
	Evidence *Evidence    // nil: no signed checkpoint covers the payment yet
}

// Evidence is the place of a payment in the log.
type Evidence struct {
	Positions []int64 // of the events in the log
	// Of the checkpoint that covers them: the number of its events, when it was signed, and
	// the root of the tree.
	Size     int64
	SignedAt time.Time
	Root     string
	File     string // address of the proof for programs
}

// Expired is for an order whose time to pay is over.
type Expired struct {
	Order Order
	// NoMoneyTaken may be set only when that is certain: no attempt is open or
	// unknown.
	NoMoneyTaken bool
	// Checking: the acquirer is being asked about an attempt that was closed,
	// because it sent a notification after the close. That may report a payment or only
	// repeat a decline: the text must be true for both. The page loads itself again.
	Checking bool
	// Stopped: the shop stopped the checkout before the time was over.
	Stopped bool
}

// NotFound is for every invalid link. It does not tell why the link is invalid.
type NotFound struct {
	Receipt bool // the link is of a receipt, which may be forged
	Shop    bool // the link is of a shop page, which may be switched off
}

// Unavailable is for a page that cannot be shown now.
type Unavailable struct{}

// Secure explains the service to customers.
type Secure struct {
	Service string // its public address, without a slash at its end
}

// StayParameter is the query parameter with which a customer stays on the receipt.
const StayParameter = "stay"

// Limited reports whether no code is taken until LimitedUntil.
func (s OTP) Limited() bool { return s.Problem == CodeLimited }

// MethodProblem is what is wrong with the chosen method.
type MethodProblem uint8

// The zero value is none.
const (
	MethodFine       MethodProblem = iota
	MethodMissing                  // none was chosen
	MethodOutOfOrder               // it cannot be used now
	MethodLimited                  // too many codes were sent
)

// PhoneProblem is what is wrong with the phone number.
type PhoneProblem uint8

// The zero value is none.
const (
	PhoneFine PhoneProblem = iota
	PhoneMissing
	PhoneNotMobile    // it is not a Libyan mobile number
	PhoneLimited      // too many codes were sent to it
	PhoneOtherNetwork // the method does not accept numbers with that prefix
)

// BirthYearProblem is what is wrong with the year of birth.
type BirthYearProblem uint8

// The zero value is none.
const (
	BirthYearFine BirthYearProblem = iota
	BirthYearMissing
	BirthYearMalformed // it is not a year that the method accepts
)

// CodeProblem is what is wrong with the code.
type CodeProblem uint8

// The zero value is none.
const (
	CodeFine CodeProblem = iota
	CodeMissing
	CodeMalformed // it is not made of digits
	CodeWrong     // the acquirer refused it
	CodeTooMany   // too many in a short time; the payer has to wait
	CodeLimited   // too many within an hour
	ResendLimited // too many were sent within an hour
)
