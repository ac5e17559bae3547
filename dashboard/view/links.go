package view

import (
	"html/template"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
)

func linkNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"link-created": say("رابط الدفع جاهز. أرسله إلى الزبون.",
			"The payment link is ready. Send it to the customer."),
	}
}

// LinkForm asks a customer for a payment.
type LinkForm struct {
	FormErrors
	Number                                              string // a form creates one payment, however often it is sent
	Applications                                        []accounts.Application
	Application, Amount, Description, Reference, Expiry string // as typed
}

func (LinkForm) head(t *Texts) (template, title string) { return "link-new", t.Links.Title }

// expiries are how long a link may be paid, by the values of the form.
var expiries = []struct {
	value string
	after time.Duration
}{
	{"hour", time.Hour},
	{"day", domain.DefaultExpiry},
	{"three-days", 3 * 24 * time.Hour},
	{"week", 7 * 24 * time.Hour},
	{"month", 30 * 24 * time.Hour},
}

// defaultExpiryChoice is chosen where nothing was.
const defaultExpiryChoice = "day"

// ChosenExpiry is the value that is chosen.
func (f LinkForm) ChosenExpiry() string {
	if f.Expiry == "" {
		return defaultExpiryChoice
	}
	return f.Expiry
}

// Expiries are what the form offers.
func (r rendering) Expiries() []choice {
	all := make([]choice, len(expiries))
	for n, e := range expiries {
		all[n] = choice{e.value, r.T.Links.ExpiryChoices[e.value]}
	}
	return all
}

// linkPrefix begins the merchant reference of a link that was given none.
const linkPrefix = "link-"

// Read is the command of the form. Fields are held to the limits of the API.
func (f LinkForm) Read(now time.Time) (c domain.Create, wrong FormErrors) {
	is := func(field string, text func(t *linkTexts) string) { wrong = append(wrong, linkError(field, text)...) }
	if app := ApplicationByID(f.Applications, f.Application); app != nil {
		c.Application = *app
	} else if len(f.Applications) == 1 && f.Application == "" {
		c.Application = f.Applications[0].ID
	} else {
		is("application", func(t *linkTexts) string { return t.ApplicationMissing })
	}
	minor, known := readAmount(f.Amount)
	if !known || minor == nil || *minor < domain.MinAmount || *minor > domain.MaxAmount {
		is("amount", func(t *linkTexts) string { return t.AmountBad })
	} else {
		c.Amount = domain.Money{Minor: *minor, Currency: domain.LYD}
	}
	if c.Description = f.Description; !domain.HasVisible(f.Description) ||
		!isLine(f.Description, domain.MaxDescription) {
		is("description", func(t *linkTexts) string { return t.DescriptionBad })
	}
	if c.MerchantReference = domain.MerchantReference(f.Reference); f.Reference == "" {
		c.MerchantReference = domain.MerchantReference(linkPrefix + strings.ToLower(f.Number))
	}
	if !isLine(string(c.MerchantReference), domain.MaxMerchantReference) {
		is("reference", func(t *linkTexts) string { return t.ReferenceBad })
	}
	for _, e := range expiries {
		if e.value == f.ChosenExpiry() {
			at := now.Add(e.after)
			c.ExpiresAt = &at
		}
	}
	if c.ExpiresAt == nil {
		is("expiry", func(t *linkTexts) string { return t.ExpiryMissing })
	}
	return c, wrong
}

func isLine(s string, longest int) bool {
	return plaintext.OneLine(s) && utf8.RuneCountInString(s) <= longest
}

func linkError(field string, text func(t *linkTexts) string) FormErrors {
	return FormErrors{formError{field, func(t *Texts) string { return text(&t.Links) }}}
}

// LinkInactive says that the application was deactivated meanwhile.
var LinkInactive = linkError("application", func(t *linkTexts) string { return t.Inactive })

// LinkReferenceUsed says that another payment has the reference.
var LinkReferenceUsed = linkError("reference", func(t *linkTexts) string { return t.ReferenceUsed })

// LinkPage shows the link of a payment.
type LinkPage struct {
	PaymentRow
	URL string // empty: it can no longer be paid
	QR  template.HTML
}

func (LinkPage) head(t *Texts) (template, title string) { return "link", t.Links.PageTitle }

// LinkLabel says what the QR code is of.
func LinkLabel(l locale.Lang) string { return textsIn(l).Links.QRLabel }

// LinkText is what the customer is sent before the address: who asks, how much, and for what.
func (r rendering) LinkText(p LinkPage) string {
	return r.T.Links.Message(p.Application, locale.AmountText(r.Lang, p.Amount), p.Description)
}

// WhatsApp is where the message is sent to somebody who is chosen there.
func (r rendering) WhatsApp(p LinkPage) string {
	return "https://wa.me/?" + url.Values{"text": {r.LinkText(p) + "\n" + p.URL}}.Encode()
}
