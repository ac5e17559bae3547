package checkout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"time"

	"daftar/checkout/acquirer"
	"daftar/internal/web"
)

// How long a page waits before it loads itself or the next one, where no script
// asks for the state.
const (
	processingRefresh = 3 * time.Second
	bankRefresh       = 5 * time.Second // the customer may be about to click
	checkingRefresh   = 5 * time.Second
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
	Detail  string // the finer state: data-detail on main; empty for the plain case
	State   State
	Order   Order
	Return  returnLink
	Watch   string
	Version string
	now     time.Time
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
	r := rendering{T: textsIn(p.Lang), State: p.State, Version: p.Version, Watch: p.Watch, now: p.Now}
	title := show(&r, p.State)
	r.Return = newReturnLink(r.Order.ReturnURL)
	var refresh web.Refresh
	switch s := p.State.(type) {
	case Processing:
		refresh.After = s.refresh()
	case Expired:
		if s.Checking {
			refresh.After = checkingRefresh
		}
	case Receipt:
		if s.SendBack && r.Return.OK() {
			refresh = web.Refresh{After: sendBackAfter, To: r.Return.URL}
		}
	case Pay, OTP, NotFound, Unavailable:
	}
	if r.Mistake {
		title = r.T.ErrorPrefix + title
	}
	if r.Order.Merchant != "" {
		title += " · " + web.Isolate(r.Order.Merchant)
	}
	r.Frame = web.Frame{
		Lang: p.Lang, Title: title, Brand: r.Order.Merchant, Address: p.Address, Sandbox: p.Sandbox, Refresh: refresh,
		Script: usesScript(p.State),
	}
	return r
}

// show puts into r what the templates need of the state, and returns its title.
func show(r *rendering, state State) string {
	t := r.T
	switch s := state.(type) {
	case Pay:
		if s.MethodProblem != MethodMissing {
			s.Offers = preselect(s.Offers, s.Chosen)
		}
		r.Name, r.State, r.pay, r.Order = "pay", s, s, s.Order
		r.Mistake = s.MethodProblem != MethodFine || s.PhoneProblem != PhoneFine
		if s.Failed != "" {
			r.Detail = "failed"
			return t.Pay.FailedTitle
		}
		return t.Pay.Title
	case OTP:
		s.SentTo = masked(s.SentTo)
		r.Name, r.State, r.otp, r.Order = "otp", s, s, s.Order
		r.Mistake = s.Problem != CodeFine
		if s.Resent && !r.Mistake {
			return t.OTP.ResentTitle
		}
		return t.OTP.Title
	case Processing:
		r.Name, r.Order = "processing", s.Order
		return showProcessing(r, s)
	case Receipt:
		s.Payer = masked(s.Payer)
		r.Name, r.State, r.Order = "receipt", s, s.Order
		return showReceipt(r, s)
	case Expired:
		r.Name, r.Order = "expired", s.Order
		if s.Checking {
			r.Detail = "checking"
			return t.Expired.CheckingTitle
		}
		return t.Expired.Title
	case NotFound:
		r.Name = "not-found"
		return t.NotFound.Title
	case Unavailable:
		r.Name = "unavailable"
		return t.Unavailable.Title
	}
	panic(fmt.Sprintf("checkout: page without a known state (%T)", state))
}

func showProcessing(r *rendering, s Processing) string {
	switch {
	case s.StillUnknown:
		r.Detail = "unknown"
		return r.T.Processing.UnknownTitle
	case s.BankURL != "":
		r.Detail = "bank"
		return r.T.Processing.CardTitle
	}
	return r.T.Processing.Title
}

// showReceipt names what the payer has to act on before what is merely so.
func showReceipt(r *rendering, s Receipt) string {
	switch {
	case s.Twice:
		r.Detail = "twice"
		return r.T.Receipt.TwiceTitle
	case s.Late:
		r.Detail = "late"
		return r.T.Receipt.LateTitle
	case s.Reopened:
		r.Detail = "already-paid"
		return r.T.Receipt.ReopenedTitle
	}
	return r.T.Receipt.Title
}

// refresh is when a processing page looks again.
func (s Processing) refresh() time.Duration {
	switch {
	case s.StillUnknown:
		return unknownRefresh
	case s.BankURL != "":
		return bankRefresh
	}
	return processingRefresh
}

// usesScript reports whether there is anything for the script to do.
func usesScript(state State) bool {
	switch s := state.(type) {
	case Pay, OTP, Processing, Receipt:
		return true
	case Expired:
		return s.Checking
	case NotFound, Unavailable:
		return false
	}
	panic(fmt.Sprintf("checkout: page without a known state (%T)", state))
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

// RefreshSeconds is after how many seconds the page loads itself again; 0: never.
func (r rendering) RefreshSeconds() int {
	if r.SendsBack() {
		return 0
	}
	return r.Refresh.Seconds()
}

// NowStamp is the server's time for the script; empty if the page has none.
func (r rendering) NowStamp() string { return stamp(r.now) }

// DeadlineStamp is the end of the time to pay for the script; empty without one.
func (r rendering) DeadlineStamp() string { return stamp(r.pay.Deadline) }

// stamp is an instant as scripts read it, to the millisecond.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

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

// HeldBack is how long the code field takes nothing, after too many codes.
func (r rendering) HeldBack() time.Duration {
	if r.otp.Problem != CodeTooMany {
		return 0
	}
	return r.otp.Wait
}

// MethodName is the method as customers know it.
func (r rendering) MethodName(m acquirer.Method) string { return r.T.method(m).Name }

// FailedText is why the previous attempt failed.
func (r rendering) FailedText(reason acquirer.Reason) string { return r.T.reason(reason) }

// Amount is the order's amount in markup.
func (r rendering) Amount() template.HTML { return web.AmountHTML(r.Lang, r.Order.Amount) }
