package checkout

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/internal/locale"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// payForm is what a payer's form says, as it was typed.
type payForm struct {
	method acquirer.Method
	typed  acquirer.Inputs
}

// readPayForm reads the form of the pay page. One that cannot be read says nothing.
func readPayForm(w http.ResponseWriter, r *http.Request) payForm {
	fields := postedFields(w, r)
	f := payForm{method: acquirer.Method(fields.Get("method")), typed: make(acquirer.Inputs)}
	for _, field := range []acquirer.Field{acquirer.Phone, acquirer.BirthYear} {
		f.typed[field] = fields.Get(string(field))
	}
	return f
}

// maxCode bounds a code in digits. Whether the length is right is for the
// acquirer to say.
const maxCode = 12

// readCode reads the form of the code page, and tells what is wrong with it.
func readCode(w http.ResponseWriter, r *http.Request) (acquirer.Code, CodeProblem) {
	code := locale.FoldCode(postedFields(w, r).Get("otp"))
	switch {
	case code == "":
		return "", CodeMissing
	case len(code) > maxCode, strings.Trim(code, "0123456789") != "":
		return "", CodeMalformed
	}
	return acquirer.Code(code), CodeFine
}

// postedFields are the fields of a form. One that cannot be read has none.
func postedFields(w http.ResponseWriter, r *http.Request) url.Values {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return nil
	}
	return r.PostForm
}

// check is the way to pay that was chosen with what it asks for, if the form is
// fine. On the page is what was typed, and what is wrong with it.
func (f payForm) check(p *Pay, options []payments.Option, now time.Time) (payments.Start, bool) {
	p.Failed, p.Chosen = "", f.method
	p.Phone, p.BirthYear = f.typed[acquirer.Phone], f.typed[acquirer.BirthYear]
	n := slices.IndexFunc(options, func(o payments.Option) bool { return o.Method == f.method && !o.OutOfOrder })
	switch {
	case n < 0 && slices.Contains(acquirer.Methods(), f.method):
		p.MethodProblem = MethodOutOfOrder
		return payments.Start{}, false
	case n < 0:
		p.MethodProblem = MethodMissing
		return payments.Start{}, false
	}
	start := payments.Start{Option: options[n], Inputs: make(acquirer.Inputs)}
	for _, in := range options[n].Inputs {
		switch in.Field {
		case acquirer.Phone:
			start.Inputs[in.Field], p.PhoneProblem = checkPhone(p.Phone, in.Prefixes)
			p.PhonePrefixes = in.Prefixes
		case acquirer.BirthYear:
			start.Inputs[in.Field], p.BirthYearProblem = checkBirthYear(p.BirthYear, in, now)
		}
	}
	return start, p.PhoneProblem == PhoneFine && p.BirthYearProblem == BirthYearFine
}

// checkPhone is the number in its normal form, or what is wrong with it. No prefixes: every
// Libyan mobile number will do.
func checkPhone(typed string, prefixes []string) (string, PhoneProblem) {
	if strings.TrimSpace(typed) == "" {
		return "", PhoneMissing
	}
	number, mobile := locale.LibyanMobile(typed)
	if !mobile {
		return "", PhoneNotMobile
	}
	begins := func(prefix string) bool { return strings.HasPrefix(number, prefix) }
	if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, begins) {
		return "", PhoneOtherNetwork
	}
	return number, PhoneFine
}

// checkBirthYear is the year in four digits, or what is wrong with it.
func checkBirthYear(typed string, in acquirer.Input, now time.Time) (string, BirthYearProblem) {
	folded := locale.FoldDigits(typed)
	if folded == "" {
		return "", BirthYearMissing
	}
	year, err := strconv.Atoi(folded)
	if err != nil || len(folded) != 4 || year < in.From || year > now.Year()-in.MinAge {
		return "", BirthYearMalformed
	}
	return folded, BirthYearFine
}
