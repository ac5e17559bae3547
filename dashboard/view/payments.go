package view

import (
	"html/template"
	"net/url"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
	"daftar/projections"
)

// Limits of the list of payments.
const (
	PaymentsOnPage = 50
	// MaxCounted is the number up to which the tiles and the navigation count.
	MaxCounted = 1000
	MaxSearch  = 300 // characters
)

// statusLate is a choice of the filter that is not a domain.Status.
const statusLate = "late"

// PaymentsForm is the search and the filter as they were typed.
type PaymentsForm struct{ Search, Application, Status, From, To, Min, Max, Sort, Page, At string }

// Query is the form as the query of an address, from a cursor on; empty: of the first page.
func (f PaymentsForm) Query(at string) string {
	return queryOf(map[string]string{
		"q":           f.Search,
		"application": f.Application,
		"status":      f.Status,
		"from":        f.From,
		"to":          f.To,
		"min":         f.Min,
		"max":         f.Max,
		"sort":        f.Sort,
		"at":          at,
	})
}

// queryOf is the query of an address with the fields that are not empty.
func queryOf(fields map[string]string) string {
	q := url.Values{}
	for name, value := range fields {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// Details are the fields of a form that are not empty, for the audit trail.
func Details(fields map[string]string) map[string]any {
	detail := make(map[string]any)
	for name, value := range fields {
		if value != "" {
			detail[name] = value
		}
	}
	return detail
}

// place is a place in a list for an address; empty: the beginning.
func place(before int64) string {
	if before == 0 {
		return ""
	}
	return strconv.FormatInt(before, 10)
}

// Narrowed reports whether the form leaves something out.
func (f PaymentsForm) Narrowed() bool {
	f.Sort = ""
	return f.Query("") != ""
}

// Filter reads the form. Only the given applications can be chosen.
func (f PaymentsForm) Filter(applications []accounts.Application) (projections.Filter, FormErrors) {
	var out projections.Filter
	var wrong FormErrors
	out.Application = ApplicationByID(applications, f.Application)
	if f.Application != "" && out.Application == nil {
		wrong.Add("application", func(t *Texts) string { return t.Payments.NoApplication })
	}
	switch s := domain.Status(f.Status); s {
	case "", domain.StatusRequiresPaymentMethod, domain.StatusProcessing, domain.StatusSucceeded,
		domain.StatusCanceled:
		out.Status = s
	case statusLate:
		out.Late = true
	default:
		wrong.Add("payment-status", func(t *Texts) string { return t.Payments.NoStatus })
	}
	out.From, out.To = wrong.days(f.From, f.To)
	if !out.From.IsZero() && !out.To.IsZero() && out.To.Before(out.From) {
		wrong.Add("to", func(t *Texts) string { return t.Payments.DaysCross })
	}
	var known bool
	if out.MinAmount, known = readAmount(f.Min); !known {
		wrong.Add("min", func(t *Texts) string { return t.Payments.BadAmount })
	}
	if out.MaxAmount, known = readAmount(f.Max); !known {
		wrong.Add("max", func(t *Texts) string { return t.Payments.BadAmount })
	}
	if out.MinAmount != nil && out.MaxAmount != nil && *out.MaxAmount < *out.MinAmount {
		wrong.Add("max", func(t *Texts) string { return t.Payments.AmountsCross })
	}
	return out, wrong
}

// ApplicationByID is the one with the uuid; nil: there is none.
func ApplicationByID(all []accounts.Application, id string) *domain.ApplicationID {
	for _, a := range all {
		if a.ID.String() == id {
			return &a.ID
		}
	}
	return nil
}

// readDay reads a day in the form that date fields send. An empty text is no day.
func readDay(typed string) (domain.Day, bool) {
	if typed == "" {
		return domain.Day{}, true
	}
	day, err := domain.ParseDay(plaintext.LatinFigures(typed))
	return day, err == nil && day.Year > 1970 && day.Year < 9000
}

// readAmount reads dinars into minor units, to the last dirham. An empty text is
// no amount.
func readAmount(typed string) (*int64, bool) {
	if typed == "" {
		return nil, true
	}
	amount, err := domain.ParseMoney(plaintext.LatinFigures(typed), domain.LYD)
	return &amount.Minor, err == nil
}

// PaymentRow is a payment in a list.
type PaymentRow struct {
	projections.Payment
	Application string                // its name
	By          projections.MatchedBy // empty: there was no search
	// Overdue is set if the payment has expired and its cancellation is not recorded yet:
	// the page must not say that it can still be paid.
	Overdue bool
}

// Open reports whether the payment can be paid.
func (r PaymentRow) Open() bool {
	return !r.Overdue && (r.Status == domain.StatusRequiresPaymentMethod || r.Status == domain.StatusProcessing)
}

// Pill is the status of the payment.
func (r PaymentRow) Pill(t *Texts) pill {
	if r.Overdue {
		return t.Status.Pill(domain.StatusCanceled, false)
	}
	return t.Status.Pill(r.Status, r.Late)
}

// Tiles are the figures above the list.
type Tiles struct {
	Today        domain.Money
	Paid         int64
	Open, Decide int // at most MaxCounted, which means that or more
}

// Counted is a number that was counted up to MaxCounted only.
func (rendering) Counted(n int) template.HTML {
	if n >= MaxCounted {
		return locale.AtLeastHTML(MaxCounted - 1)
	}
	return escaped(strconv.Itoa(n))
}

// Stamp is a time in a table, in Tripoli's zone, which the heading names; without the year if it is
// that of today.
func (r rendering) Stamp(t time.Time) template.HTML { return r.stamp(t, "15:04") }

// StampSeconds is Stamp to the second.
func (r rendering) StampSeconds(t time.Time) template.HTML { return r.stamp(t, time.TimeOnly) }

func (r rendering) stamp(t time.Time, clock string) template.HTML {
	day := locale.ShortDate(r.Lang, t, r.Page.Year)
	return locale.TimeHTML(r.Lang, t, day, `<bdi dir="ltr">`+locale.Tripoli(t).Format(clock)+`</bdi>`)
}

// Figures is an amount in a column whose heading names the currency.
func (r rendering) Figures(m domain.Money) template.HTML { return locale.FiguresHTML(r.Lang, m) }

// Unit is the currency of the columns of Figures.
func (r rendering) Unit() string { return locale.CurrencyLabel(r.Lang, domain.LYD) }

// Path is a path below the organisation without a language: forms with the method
// GET send the language as a field.
func (r rendering) Path(path string) string { return r.Page.SignedIn.Organization.Path(path) }

// choice is an entry of a list to choose from.
type choice struct{ Value, Text string }
