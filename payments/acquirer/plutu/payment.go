package plutu

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// The forms that Plutu's own library checks before it sends anything.
var (
	referenceForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
	phoneForm     = regexp.MustCompile(`^09[1-6][0-9]{7}$`)
	sadadForm     = regexp.MustCompile(`^09[13][0-9]{7}$`)
	yearForm      = regexp.MustCompile(`^[12][0-9]{3}$`)
)

// Begin implements acquirer.Acquirer.
func (a *account) Begin(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	c, err := a.check(p.Method, p.Reference, p.Money)
	if err == nil {
		err = checkDetails(p)
	}
	if err != nil {
		return nil, fmt.Errorf("begin payment: %w: %w", acquirer.ErrNotSent, err)
	}
	var begun acquirer.Begun
	if c.Flow == acquirer.OTP {
		begun, err = a.sendCode(ctx, p, c.CodeDigits)
	} else {
		begun, err = a.openPage(ctx, p)
	}
	if err != nil {
		return nil, fmt.Errorf("begin payment: %w", err)
	}
	return begun, nil
}

// check refuses a payment that Plutu could not take.
func (a *account) check(
	m acquirer.Method, reference string, money domain.Money,
) (acquirer.Capability, error) {
	c, has := a.capability(m)
	switch {
	case !has:
		return c, fmt.Errorf("plutu has no method %q", m)
	case !c.Carries(money):
		return c, errors.New("method does not carry the amount")
	case !referenceForm.MatchString(reference):
		return c, errors.New("reference is not ASCII letters, digits, '.', '_' and '-'")
	}
	return c, nil
}

// capability returns that of the provider: a payment that has begun continues, also where its
// method is not offered any more.
func (a *account) capability(m acquirer.Method) (acquirer.Capability, bool) {
	n := slices.IndexFunc(a.all, func(c acquirer.Capability) bool { return c.Method == m })
	if n < 0 {
		return acquirer.Capability{}, false
	}
	return a.all[n], true
}

func checkDetails(p acquirer.Payment) error {
	phone := p.Inputs[acquirer.Phone]
	switch {
	case p.Method == Sadad &&
		(!sadadForm.MatchString(phone) || !yearForm.MatchString(p.Inputs[acquirer.BirthYear])):
		return errors.New("phone number or birth year has not the form that Sadad takes")
	case (p.Method == Adfali || p.Method == TLync) && !phoneForm.MatchString(phone):
		return errors.New("phone number is not a Libyan mobile number")
	case (p.Method == Cards || p.Method == TLync) && !exchange.IsWebURL(p.ReturnURL):
		return errors.New("address to come back to is no web address")
	case p.Method == TLync && !exchange.IsWebURL(p.NotifyURL):
		return errors.New("address for notifications is no web address")
	}
	return nil
}

// sendCode asks Plutu to send the payer a code. No money can move before Confirm.
func (a *account) sendCode(ctx context.Context, p acquirer.Payment, digits int) (acquirer.Begun, error) {
	phone := p.Inputs[acquirer.Phone]
	form := url.Values{"mobile_number": {phone}, "amount": {formatAmount(p.Money)}}
	if p.Method == Sadad {
		form.Set("birth_year", p.Inputs[acquirer.BirthYear])
	}
	r, err := a.call(ctx, p.Method, "verify", form)
	if err != nil {
		return begunOfRefusal(err, true)
	}
	if !isIdentifier(r.ProcessID) {
		return nil, errors.New("answer has no process id")
	}
	if r.Amount != "" {
		if stated, err := parseAmount(string(r.Amount)); err != nil || stated != p.Money {
			return nil, errors.New("answer repeats another amount")
		}
	}
	masked := phone[:3] + "•••" + phone[6:]
	return acquirer.CodeSent{SentTo: masked, Digits: digits, Memo: string(r.ProcessID)}, nil
}

// openPage asks Plutu to open a page on which the payer pays.
func (a *account) openPage(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	form := url.Values{
		"amount":     {formatAmount(p.Money)},
		"invoice_no": {p.Reference},
		"return_url": {p.ReturnURL},
		"lang":       {"ar"},
	}
	if p.Language == "en" {
		form.Set("lang", "en")
	}
	if p.Method == TLync {
		form.Set("mobile_number", p.Inputs[acquirer.Phone])
		form.Set("callback_url", p.NotifyURL)
	}
	r, err := a.call(ctx, p.Method, "confirm", form)
	if err != nil {
		return begunOfRefusal(err, false)
	}
	if !exchange.IsWebURL(string(r.RedirectURL)) {
		return nil, errors.New("answer has no page to go on at")
	}
	return acquirer.Redirected{URL: string(r.RedirectURL)}, nil
}

// begunOfRefusal returns a final no, or the error. onlyCode says that the call could only send a
// code.
func begunOfRefusal(err error, onlyCode bool) (acquirer.Begun, error) {
	r, ok := errors.AsType[*refusal](err)
	if !ok {
		return nil, err
	}
	switch r.means {
	case refused, notBegun:
		return acquirer.BeginDeclined{Reason: r.reason}, nil
	case malformed:
		if onlyCode || !mayBeSecond(r.fields) {
			return acquirer.BeginDeclined{Reason: reasonOfFields(r.fields)}, nil
		}
	case uncertain, wrongCode, accountRefused:
	}
	return nil, r.asError()
}

// Confirm implements acquirer.Acquirer.
func (a *account) Confirm(
	ctx context.Context, r acquirer.Ref, code acquirer.Code,
) (acquirer.Confirmed, error) {
	c, err := a.check(r.Method, r.Reference, r.Money)
	switch {
	case err != nil:
	case c.Flow != acquirer.OTP:
		err = errors.New("method takes no code")
	case !identifierForm.MatchString(r.Memo):
		err = errors.New("process id is not known")
	}
	if err != nil {
		return nil, fmt.Errorf("confirm payment: %w: %w", acquirer.ErrNotSent, err)
	}
	if len(code) != c.CodeDigits || strings.Trim(string(code), "0123456789") != "" {
		return acquirer.WrongCode{}, nil // it cannot be the code that was sent; a call could use up a try
	}
	confirmed, err := a.confirm(ctx, r, code)
	if err != nil {
		return nil, fmt.Errorf("confirm payment: %w", err)
	}
	return confirmed, nil
}

func (a *account) confirm(
	ctx context.Context, r acquirer.Ref, code acquirer.Code,
) (acquirer.Confirmed, error) {
	answer, err := a.call(ctx, r.Method, "confirm", url.Values{
		"process_id": {r.Memo},
		"code":       {string(code)},
		"amount":     {formatAmount(r.Money)},
		"invoice_no": {r.Reference},
	})
	if err != nil {
		return confirmedOfRefusal(err)
	}
	money, err := parseAmount(string(answer.Amount))
	if err != nil {
		return nil, err
	}
	if !isIdentifier(answer.TransactionID) {
		return nil, errors.New("answer has no transaction id")
	}
	return acquirer.Paid{Money: money, ProviderReference: string(answer.TransactionID)}, nil
}

// confirmedOfRefusal returns a final no, or the error, after which the money may have been taken.
func confirmedOfRefusal(err error) (acquirer.Confirmed, error) {
	r, ok := errors.AsType[*refusal](err)
	if !ok {
		return nil, err
	}
	switch r.means {
	case refused:
		return acquirer.Declined{Reason: r.reason}, nil
	case wrongCode:
		return acquirer.WrongCode{}, nil
	case malformed:
		switch {
		case mayBeSecond(r.fields):
		case len(r.fields) == 1 && r.fields[0] == "code":
			return acquirer.WrongCode{}, nil
		default:
			return acquirer.Declined{Reason: reasonOfFields(r.fields)}, nil
		}
	case uncertain, notBegun, accountRefused:
	}
	return nil, r.asError()
}
