package view

import (
	"html/template"
	"strings"
	"time"
	"unicode/utf8"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/layout"
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
	Number       string // a form creates one payment, however often it is sent
	Applications []accounts.Application

	Application, Amount, Description, Reference, Expiry string // as typed
}

func (LinkForm) head(t *Texts) (template, title string) { return "link-new", t.Links.Title }

// expiries are the times for which a link can be paid, by the values of the form.
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

const defaultExpiryChoice = "day"

// ChosenExpiry is the chosen value, or the default.
func (f LinkForm) ChosenExpiry() string {
	if f.Expiry == "" {
		return defaultExpiryChoice
	}
	return f.Expiry
}

// Expiries are the choices of the form.
func (r rendering) Expiries() []choice {
	all := make([]choice, len(expiries))
	for n, e := range expiries {
		all[n] = choice{e.value, r.T.Links.ExpiryChoices[e.value]}
	}
	return all
}

// linkPrefix begins the merchant reference of a link for which the user typed none.
const linkPrefix = "link-"

// Read is the command of the form. Fields have the limits of the API.
func (f LinkForm) Read(now time.Time) (c domain.Create, wrong FormErrors) {
	if app := ApplicationByID(f.Applications, f.Application); app != nil {
		c.Application = *app
	} else if len(f.Applications) == 1 && f.Application == "" {
		c.Application = f.Applications[0].ID
	} else {
		wrong.Add("application", func(t *Texts) string { return t.Links.ApplicationMissing })
	}
	minor, known := readAmount(f.Amount)
	if !known || minor == nil || *minor < domain.MinAmount || *minor > domain.MaxAmount {
		wrong.Add("amount", func(t *Texts) string { return t.Links.AmountBad })
	} else {
		c.Amount = domain.Money{Minor: *minor, Currency: domain.LYD}
	}
	c.Description = f.Description
	if !domain.HasVisible(f.Description) || !isLine(f.Description, domain.MaxDescription) {
		wrong.Add("description", func(t *Texts) string { return t.Links.DescriptionBad })
	}
	if c.MerchantReference = domain.MerchantReference(f.Reference); f.Reference == "" {
		c.MerchantReference = domain.MerchantReference(linkPrefix + strings.ToLower(f.Number))
	}
	if !isLine(string(c.MerchantReference), domain.MaxMerchantReference) {
		wrong.Add("reference", func(t *Texts) string { return t.Links.ReferenceBad })
	}
	for _, e := range expiries {
		if e.value == f.ChosenExpiry() {
			at := now.Add(e.after)
			c.ExpiresAt = &at
		}
	}
	if c.ExpiresAt == nil {
		wrong.Add("expiry", func(t *Texts) string { return t.Links.ExpiryMissing })
	}
	return c, wrong
}

func isLine(s string, longest int) bool {
	return plaintext.OneLine(s) && utf8.RuneCountInString(s) <= longest
}

// LinkInactive is the error if the application was deactivated meanwhile.
var LinkInactive = FormError("application", func(t *Texts) string { return t.Links.Inactive })

// LinkReferenceUsed is the error if another payment has the reference.
var LinkReferenceUsed = FormError("reference", func(t *Texts) string { return t.Links.ReferenceUsed })

// LinkPage shows the link of a payment.
type LinkPage struct {
	PaymentRow
	URL string // empty: it can no longer be paid
	QR  template.HTML
}

func (LinkPage) head(t *Texts) (template, title string) { return "link", t.Links.PageTitle }

// LinkLabel is the text for readers who cannot see the QR code.
func LinkLabel(l locale.Lang) string { return textsIn(l).Links.QRLabel }

// LinkText is the message to the customer before the address: who asks, how much, and for what.
func (r rendering) LinkText(p LinkPage) string {
	return r.T.Links.Message(p.Application, locale.AmountText(r.Lang, p.Amount), p.Description)
}

// WhatsApp is the link that opens WhatsApp with the message, where the user chooses the recipient.
func (r rendering) WhatsApp(p LinkPage) template.URL {
	return layout.WhatsAppURL("", r.LinkText(p)+"\n"+p.URL)
}
