package checkout

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/checkout/acquirer"
	"daftar/internal/web"
)

// inputs are what the payer typed for the method, in its normal form.
type inputs map[acquirer.Field]string

// checkPayForm is the way to pay that was chosen and what it asks for, if the form is
// fine. On the page is what was typed, and what is wrong with it.
func checkPayForm(p *Pay, options []option, form url.Values, now time.Time) (option, inputs, bool) {
	chosen := acquirer.Method(form.Get("method"))
	p.Failed, p.Chosen = "", chosen
	p.Phone, p.BirthYear = form.Get(string(acquirer.Phone)), form.Get(string(acquirer.BirthYear))
	n := slices.IndexFunc(options, func(o option) bool { return o.Method == chosen && !o.outOfOrder })
	switch {
	case n < 0 && slices.Contains(acquirer.Methods(), chosen):
		p.MethodProblem = MethodOutOfOrder
		return option{}, nil, false
	case n < 0:
		p.MethodProblem = MethodMissing
		return option{}, nil, false
	}
	typed := make(inputs)
	for _, in := range options[n].Inputs {
		switch in.Field {
		case acquirer.Phone:
			typed[in.Field], p.PhoneProblem = checkPhone(p.Phone, in.Prefixes)
			p.PhonePrefixes = in.Prefixes
		case acquirer.BirthYear:
			typed[in.Field], p.BirthYearProblem = checkBirthYear(p.BirthYear, in, now)
		}
	}
	return options[n], typed, p.PhoneProblem == PhoneFine && p.BirthYearProblem == BirthYearFine
}

// checkPhone is the number in its normal form, or what is wrong with it. No prefixes: every
// Libyan mobile number will do.
func checkPhone(typed string, prefixes []string) (string, PhoneProblem) {
	if strings.TrimSpace(typed) == "" {
		return "", PhoneMissing
	}
	number, mobile := web.LibyanMobile(typed)
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
	folded := web.FoldDigits(typed)
	if folded == "" {
		return "", BirthYearMissing
	}
	year, err := strconv.Atoi(folded)
	if err != nil || len(folded) != 4 || year < in.From || year > now.Year()-in.MinAge {
		return "", BirthYearMalformed
	}
	return folded, BirthYearFine
}
