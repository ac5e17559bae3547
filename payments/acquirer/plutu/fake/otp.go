package fake

import (
	"regexp"
	"time"

	"daftar/payments/acquirer/fake"
)

// process is a payment that waits for its code.
type process struct {
	gateway, phone string
	amount         int64 // in dirham
	until          time.Time
	wrong          int
	over           bool // locked, or paid
}

// wrongMax is how many wrong codes end a payment.
const wrongMax = 5

var verifyForms = map[string]form{
	"edfali": {required: map[string]*regexp.Regexp{"mobile_number": phoneForm, "amount": amountForm}},
	"sadadapi": {required: map[string]*regexp.Regexp{
		"mobile_number": regexp.MustCompile(`^09[13][0-9]{7}$`), "birth_year": yearForm, "amount": amountForm,
	}},
}

// verify sends a code. f.mu is held.
func (f *Fake) verify(gateway string, given fields) reply {
	if wrong := given.wrong(verifyForms[gateway]); len(wrong) > 0 {
		return fails("INVALID_INPUTS", wrong...)
	}
	amount := dirham(given.get("amount"))
	if refused, is := f.refuseAmount(amount); is {
		return refused
	}
	phone := given.get("mobile_number")
	b := behaviourOf(gateway, phone)
	switch {
	case b.framework:
		return reply{framework: true, wrong: []string{"mobile_number"}}
	case b.begin != "":
		return fails(b.begin)
	}
	id := f.number()
	f.processes[id] = &process{
		gateway: gateway, phone: phone, amount: amount, until: f.config.Clock().Add(f.config.CodeLife),
	}
	result := fields{"process_id": {id}, "amount": {dinars(amount)}}
	if gateway == "sadadapi" {
		result["commission"] = []string{"0.00"}
	}
	return reply{result: result, message: "OTP has been sent to your mobile number", fault: b.beginning}
}

func (f *Fake) refuseAmount(amount int64) (reply, bool) {
	switch {
	case amount == 0:
		return fails("INVALID_AMOUNT"), true
	case f.config.Limit > 0 && amount > f.config.Limit:
		return fails("SANDBOX_TRANSACTION_LIMIT_EXCEEDED"), true
	}
	return reply{}, false
}

// rightCodes are by gateway.
var rightCodes = map[string]string{"edfali": "1111", "sadadapi": "111111"}

func confirmForm(digits string) form {
	return form{
		required: map[string]*regexp.Regexp{
			"process_id": digitsForm,
			"code":       regexp.MustCompile(`^[0-9]{` + digits + `}$`),
			"amount":     amountForm,
			"invoice_no": invoiceForm,
		},
		optional: map[string]*regexp.Regexp{"customer_ip": nil},
	}
}

var confirmForms = map[string]form{"edfali": confirmForm("4"), "sadadapi": confirmForm("6")}

// confirm takes the money if the code is right. f.mu is held.
func (f *Fake) confirm(gateway string, given fields) reply {
	if wrong := given.wrong(confirmForms[gateway]); len(wrong) > 0 {
		return fails("INVALID_INPUTS", wrong...)
	}
	invoice := given.get("invoice_no")
	if _, used := f.books.Find(invoice); used {
		return fails("DUPLICATED_INVOICE_NUMBER")
	}
	p := f.processes[given.get("process_id")]
	switch {
	case p == nil || p.gateway != gateway:
		return fails("REFERENCE_NUMBER_DOES_NOT_EXIST")
	case dirham(given.get("amount")) != p.amount:
		return fails("INVALID_AMOUNT")
	case p.over || !f.config.Clock().Before(p.until):
		return fails("OTP_EXPIRED")
	case given.get("code") != rightCodes[gateway]:
		p.wrong++
		if p.wrong >= wrongMax {
			p.over = true
			return fails("OTP_EXPIRED")
		}
		return fails("INVLIAD_OTP")
	}
	p.over = true
	b := behaviourOf(gateway, p.phone)
	if b.taken || b.confirm == "" && b.answer == "" {
		f.take(invoice, gateway, p.amount+b.more)
	}
	if b.confirm != "" {
		return fails(b.confirm)
	}
	return reply{
		result:  fields{"transaction_id": {f.number()}, "amount": {dinars(p.amount + b.more)}},
		message: "Transaction completed successfully", fault: b.answer, slow: b.slow,
	}
}

// take records in the books that money was taken.
func (f *Fake) take(invoice, gateway string, amount int64) {
	f.books.Update(invoice, func(p *fake.Payment) bool {
		p.Method, p.Amount, p.State = gateway, amount, fake.Paid
		p.Taken++
		return true
	})
}
