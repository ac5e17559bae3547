package acquirer

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"daftar/domain"
)

// Method is how the payer pays. Its value is stored in events and is the value
// of the form field `method`.
type Method string

// MethodsNamed converts names to methods, without checking them.
func MethodsNamed(names []string) []Method {
	all := make([]Method, len(names))
	for n, name := range names {
		all[n] = Method(name)
	}
	return all
}

// Flow is how the payer proves that the money is theirs. The names are stored.
type Flow string

const (
	// OTP asks for a code on our page; Begin answers CodeSent.
	OTP Flow = "otp"
	// Redirect sends the payer to the acquirer's page; Begin answers Redirected.
	Redirect Flow = "redirect"
	// Lightbox shows the acquirer's form on a page of ours; Begin answers Embedded.
	Lightbox Flow = "lightbox"
	// QR shows a code, which the payer scans in an app; Begin answers Presented.
	QR Flow = "qr"
)

// Field is what a payer fills in before the payment begins. Its value is the name of the
// form's field.
type Field string

// The fields.
const (
	Phone     Field = "phone"      // 091 234 5678: ten Latin digits
	BirthYear Field = "birth_year" // four Latin digits
)

// Input is a field with what the acquirer takes in it.
type Input struct {
	Field Field
	// Prefixes are the beginnings of phone numbers that the acquirer takes; nil: of every
	// Libyan mobile number.
	Prefixes []string
	// From and MinAge bound a birth year: no earlier, and no younger than so many years.
	From, MinAge int
}

// Capability is what an acquirer can do for one method.
type Capability struct {
	Method   Method
	Flow     Flow
	Currency domain.Currency
	// Decimals is how many digits after the point the acquirer can express. Many
	// Libyan rails take two, although the dinar has three.
	Decimals int
	// Min and Max bound one payment, in minor units, both ends included.
	Min, Max int64
	// ReferenceLength is how many characters a reference may have: the first of the
	// attempt's id, which are ASCII letters and digits. 0: all of them.
	ReferenceLength int
	// Inputs are what the payer fills in, in the order shown.
	Inputs []Input
	// CodeDigits is the length of the code; 0: the acquirer says it with each.
	CodeDigits int
	// Pages are the origins (OriginOf) of the pages that Begin leads to. A page of another
	// origin is shown as a link.
	Pages []string

	// Inquiry says that the acquirer can be asked for the state of a payment. Where it cannot,
	// the answer to Confirm and a signed message are the only proofs, and a payment without
	// one waits for a person.
	Inquiry bool
	// Notifications says that the acquirer pushes a message when a payment is decided.
	Notifications bool
	// SignedNotification says that the signature of a pushed message covers the reference and
	// the amount: it is a proof. SignedReturn says the same of the query with which a payer
	// comes back.
	SignedNotification, SignedReturn bool
	// OnlyConfirmPays says that money moves by Confirm only: the checkout can end an attempt
	// that waits for its code without asking the acquirer.
	OnlyConfirmPays bool
	// PaidRepeatedly says that the same request can be paid again, in another tab or in the
	// app of a bank. Report.More has the further payments.
	PaidRepeatedly bool
	// KeepsDeadline says that Begin tells the acquirer how long the payment may be made.
	KeepsDeadline bool
	// Resend says that a code can be sent again.
	Resend bool
	// Cancel says that an open payment can be given up.
	Cancel bool
	// Refund says that money can be given back by Refund.
	Refund bool

	// Timeout is how long one call to the acquirer may take; 0 leaves it to the
	// checkout.
	Timeout time.Duration
	// LeastPause is the shortest time between two inquiries about one payment; 0 leaves it to
	// the checkout.
	LeastPause time.Duration
}

// Carries reports whether the method can take exactly this amount. The checkout
// hides a method that cannot: an amount is never rounded to make it fit.
func (c Capability) Carries(m domain.Money) bool {
	if m.Currency != c.Currency || m.Minor <= 0 || m.Minor < c.Min || m.Minor > c.Max {
		return false
	}
	step := int64(1)
	for range m.Currency.Exponent() - c.Decimals {
		step *= 10
	}
	return m.Minor%step == 0
}

// Within returns the capability for amounts between two bounds, both ends included; 0 leaves a
// bound as it is. It never widens the acquirer's own bounds.
func (c Capability) Within(least, most int64) Capability {
	c.Min = max(c.Min, least)
	if most > 0 {
		c.Max = min(c.Max, most)
	}
	return c
}

// ReferenceOf is the reference under which the acquirer knows the payment of an attempt.
func (c Capability) ReferenceOf(id domain.AttemptID) string {
	if c.ReferenceLength > 0 && len(id) > c.ReferenceLength {
		return string(id[:c.ReferenceLength])
	}
	return string(id)
}

// LeadsTo reports whether the page at the address has an origin of Pages.
func (c Capability) LeadsTo(address string) bool {
	origin := OriginOf(address)
	return origin != "" && slices.Contains(c.Pages, origin)
}

// hostForm matches hosts that a Content-Security-Policy can name: Chrome takes no IPv6
// address there, and a host that is not ASCII would have to be converted first.
var hostForm = regexp.MustCompile(`^[0-9a-z._-]+(:[0-9]+)?$`)

// OriginOf is the scheme, host and port of a web address as a Content-Security-Policy names
// them; empty where it cannot.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	if !hostForm.MatchString(host) {
		return ""
	}
	return u.Scheme + "://" + host
}

// OriginsOf returns the origins of the addresses that have one, each once.
func OriginsOf(addresses ...string) []string {
	var all []string
	for _, address := range addresses {
		if origin := OriginOf(address); origin != "" && !slices.Contains(all, origin) {
			all = append(all, origin)
		}
	}
	return all
}
