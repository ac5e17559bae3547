package view

import (
	"slices"
	"strings"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

func acquirerNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"acquirer-set": say("حُفظت بيانات الحساب مشفّرة، ولن تظهر مرة أخرى. افحصها الآن.",
			"The credentials were saved encrypted and are not shown again. Check them now."),
		"acquirer-enabled": say("الحساب مفعّل، ويرى الزبائن وسائله في صفحة الدفع من الآن.",
			"The account is on. Customers see its methods on the payment page from now on."),
		"acquirer-disabled": say("أُوقف الحساب، ولا يرى الزبائن وسائله بعد الآن.",
			"The account is off. Customers do not see its methods any more."),
		"acquirer-removed": say("حُذف الحساب ومفاتيحه.", "The account and its credentials were removed."),
		"acquirer-methods": say("تغيّر ما تعرضه صفحة الدفع من هذا الحساب.",
			"What the payment page offers of this account was changed."),
		"acquirer-limits": say("حُفظت الحدود، وهي سارية من الآن.", "The limits were saved. They hold from now on."),
		"acquirers-ordered": say("تغيّر ترتيب الحسابات في صفحة الدفع.",
			"The order of the accounts on the payment page was changed."),
		"acquirers-changed": say("غيّر أحدهم الحسابات في هذه الأثناء، فلم يتغيّر الترتيب. هذه حالها الآن.",
			"Someone changed the accounts meanwhile, so the order was not changed. This is how they are now."),
	}
}

// AcquirersPage lists the accounts of an application with acquirers: the ways to pay.
type AcquirersPage struct {
	Application accounts.Application
	Accounts    []AcquirerCard
	Others      []string // acquirers with whom it has no account
}

func (AcquirersPage) head(t *Texts) (template, title string) { return "acquirers", t.Acquirers.Title }

// AcquirerCard is an account in the list. Its buttons send the whole new order, so that sending
// one twice changes nothing more.
type AcquirerCard struct {
	settings.AcquirerAccount
	NotifyURL string
	Up, Down  string // the order with this account a place up or down; empty: it is at the end
}

// AcquirerCards are the accounts in their order.
func AcquirerCards(all []settings.AcquirerAccount, notifyURL func(acquirer string) string) []AcquirerCard {
	order := make([]string, len(all))
	for n, a := range all {
		order[n] = a.Acquirer
	}
	cards := make([]AcquirerCard, len(all))
	for n, a := range all {
		cards[n] = AcquirerCard{
			AcquirerAccount: a,
			NotifyURL:       notifyURL(a.Acquirer),
			Up:              swapped(order, n-1),
			Down:            swapped(order, n),
		}
	}
	return cards
}

// swapped is the list with entry n and the next exchanged, as forms send it; empty if one of
// them does not exist.
func swapped(list []string, n int) string {
	if n < 0 || n+1 >= len(list) {
		return ""
	}
	list = slices.Clone(list)
	list[n], list[n+1] = list[n+1], list[n]
	return strings.Join(list, " ")
}

// AcquirerPage is one account.
type AcquirerPage struct {
	Refusal
	Application accounts.Application
	Account     settings.AcquirerAccount
	NotifyURL   string
	Methods     []MethodRow // of the acquirer; nil: this server is not connected with it
	Checked     string      // the result of a check made just now, one of the Check constants; empty: none
}

func (p AcquirerPage) head(t *Texts) (template, title string) {
	return "acquirer", t.Acquirers.Name(p.Account.Acquirer)
}

// Path is its path below the organisation.
func (p AcquirerPage) Path() string {
	return "applications/" + p.Application.ID.String() + "/acquirers/" + p.Account.Acquirer
}

// The results of checking credentials.
const (
	CheckAccepted    = "accepted"
	CheckRefused     = "refused"
	CheckUnprovable  = "unprovable"
	CheckUnreachable = "unreachable"
)

// MethodRow is a method of an account. Its buttons send the whole new list of offered methods,
// as with AcquirerCard.
type MethodRow struct {
	Method        string
	Offered       bool
	Up, Down      string       // the methods offered, with this one a place up or down; empty: it is at the end
	With, Without string       // the methods offered, with this one or without it; empty: it cannot be
	Least, Most   domain.Money // the limits within which it is offered
	From, To      domain.Money // the limits of the acquirer
	Form          LimitForm
}

// offering is a button that sets the offered methods.
type offering struct{ Method, Methods, Label string }

// Sending is such a button of the method.
func (r MethodRow) Sending(methods, label string) offering { return offering{r.Method, methods, label} }

// MethodRows are the methods of an account: the offered ones in their order, then the others.
func MethodRows(a settings.AcquirerAccount, of acquirer.Provider) []MethodRow {
	var offered, others []string
	for _, m := range a.Methods {
		if _, has := acquirer.CapabilityOf(of, acquirer.Method(m)); has {
			offered = append(offered, m)
		}
	}
	for _, can := range of.Capabilities() {
		if m := string(can.Method); !slices.Contains(offered, m) {
			others = append(others, m)
		}
	}
	var rows []MethodRow
	for n, m := range offered {
		r := methodRow(a, of, m)
		r.Offered, r.Up, r.Down = true, swapped(offered, n-1), swapped(offered, n)
		r.Without = strings.Join(slices.Delete(slices.Clone(offered), n, n+1), " ")
		rows = append(rows, r)
	}
	for _, m := range others {
		r := methodRow(a, of, m)
		r.With = strings.Join(append(slices.Clone(offered), m), " ")
		rows = append(rows, r)
	}
	return rows
}

func methodRow(a settings.AcquirerAccount, of acquirer.Provider, method string) MethodRow {
	can, _ := acquirer.CapabilityOf(of, acquirer.Method(method))
	limits := a.Limits[method]
	narrowed := can.Within(limits.Min, limits.Max)
	money := func(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: can.Currency} }
	r := MethodRow{
		Method: method,
		Least:  money(narrowed.Min),
		Most:   money(narrowed.Max),
		From:   money(can.Min),
		To:     money(can.Max),
		Form:   LimitForm{Method: method},
	}
	if limits.Min > 0 {
		r.Form.Min = money(limits.Min).Figures()
	}
	if limits.Max > 0 {
		r.Form.Max = money(limits.Max).Figures()
	}
	return r
}

// LimitForm has the limits of a method as they were typed.
type LimitForm struct{ Method, Min, Max string }

// MinField is the id of the field for the least amount.
func (f LimitForm) MinField() string { return "min-" + f.Method }

// MaxField is the id of the field for the greatest amount.
func (f LimitForm) MaxField() string { return "max-" + f.Method }

// Read reads the form. Limits may only narrow those of the acquirer.
func (f LimitForm) Read(can acquirer.Capability) (settings.AmountLimits, FormErrors) {
	var wrong FormErrors
	limits, from, to := settings.AmountLimits{}, can.Min, can.Max
	least, known := readAmount(f.Min)
	switch {
	case !known:
		wrong.Add(f.MinField(), func(t *Texts) string { return t.Acquirers.LimitBad })
	case least != nil && *least < can.Min:
		wrong.Add(f.MinField(), func(t *Texts) string { return t.Acquirers.LimitLow })
	case least != nil:
		limits.Min, from = *least, *least
	}
	most, known := readAmount(f.Max)
	switch {
	case !known:
		wrong.Add(f.MaxField(), func(t *Texts) string { return t.Acquirers.LimitBad })
	case most != nil && *most > can.Max:
		wrong.Add(f.MaxField(), func(t *Texts) string { return t.Acquirers.LimitHigh })
	case most != nil:
		limits.Max, to = *most, *most
	}
	if len(wrong) == 0 && to < from {
		wrong.Add(f.MaxField(), func(t *Texts) string { return t.Acquirers.LimitsCross })
	}
	return limits, wrong
}

// AcquirerForm takes the credentials of a new account, or new ones of an existing account.
type AcquirerForm struct {
	FormErrors
	Application accounts.Application
	Acquirer    string
	Replaces    bool
	Fields      []SettingField
	Methods     []MethodChoice // to begin with; nil: there is no choice
}

func (f AcquirerForm) head(t *Texts) (template, title string) {
	title = t.Acquirers.FormNew
	if f.Replaces {
		title = t.Acquirers.FormReplace
	}
	return "acquirer-credentials", t.Acquirers.About(title, f.Acquirer)
}

// SettingField is the field of a setting.
type SettingField struct {
	acquirer.Setting

	Value string // as typed; a secret is never repeated
}

// MethodChoice is a method that a new account may offer.
type MethodChoice struct {
	Method string
	Chosen bool
}

// Field is the id and the name of its field.
func (c MethodChoice) Field() string { return "offer-" + c.Method }

// NoMethod is the error if no method was chosen.
func (f AcquirerForm) NoMethod() FormErrors {
	return FormError(f.Methods[0].Field(), func(t *Texts) string { return t.Acquirers.OfferNone })
}

// WrongSetting is the error of a setting that is missing, or does not have the form in its hint.
// With an unknown name the error is about all settings, and is shown at the first.
func (f AcquirerForm) WrongSetting(name string, missing bool) FormErrors {
	at := max(0, slices.IndexFunc(f.Fields, func(s SettingField) bool { return s.Name == name }))
	field := f.Fields[at]
	return FormError(field.Name, func(t *Texts) string {
		label, hint := field.Label.Using(t.Acquirers.say), field.Hint.Using(t.Acquirers.say)
		if missing {
			return strings.ReplaceAll(t.Acquirers.Missing, "{name}", label)
		}
		return strings.NewReplacer("{name}", label, "{hint}", hint).Replace(t.Acquirers.Malformed)
	})
}

// Name is the public name of an acquirer; the stored name if the acquirer is not built in any more.
func (t acquirerTexts) Name(acquirer string) string {
	if a, known := registry.Named(acquirer); known {
		return a.Label.Using(t.say)
	}
	return acquirer
}

// About inserts the name of an acquirer into a sentence.
func (t acquirerTexts) About(sentence, acquirer string) string {
	return strings.ReplaceAll(sentence, "{name}", t.Name(acquirer))
}

// What describes the methods of an acquirer.
func (t acquirerTexts) What(acquirer string) string {
	a, _ := registry.Named(acquirer)
	return a.About.Using(t.say)
}

// Pill is whether an account is on, in its colour.
func (t acquirerTexts) Pill(enabled bool) pill {
	if enabled {
		return pill{t.On, "ok"}
	}
	return pill{t.Off, "off"}
}

// OfferedPill is whether a method is offered, in its colour.
func (t acquirerTexts) OfferedPill(offered bool) pill {
	if offered {
		return pill{t.Offered, "ok"}
	}
	return pill{t.NotOffered, "off"}
}

// Result is the text of a check's result, with the class of its box; empty: there was no check.
func (t acquirerTexts) Result(checked, acquirer string) pill {
	switch checked {
	case CheckAccepted:
		return pill{t.About(t.Accepted, acquirer), "good"}
	case CheckRefused:
		return pill{t.About(t.Refused, acquirer), "bad"}
	case CheckUnprovable:
		return pill{t.About(t.Unprovable, acquirer), "plain"}
	case CheckUnreachable:
		return pill{t.About(t.Unreachable, acquirer), "plain"}
	}
	return pill{}
}
