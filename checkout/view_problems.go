package checkout

// MethodProblem is what is wrong with the chosen method.
type MethodProblem uint8

// The zero value is none.
const (
	MethodFine       MethodProblem = iota
	MethodMissing                  // none was chosen
	MethodOutOfOrder               // it cannot be used now
)

// PhoneProblem is what is wrong with the phone number.
type PhoneProblem uint8

// The zero value is none.
const (
	PhoneFine PhoneProblem = iota
	PhoneMissing
	PhoneNotMobile // it is no Libyan mobile number
)

// CodeProblem is what is wrong with the code.
type CodeProblem uint8

// The zero value is none.
const (
	CodeFine CodeProblem = iota
	CodeMissing
	CodeMalformed // it is not made of digits
	CodeWrong     // the acquirer says that it is not the one
	CodeTooMany   // too many in a short time; the payer has to wait
)

// problem is one line of the summary above a form, and the text beside the field.
type problem struct {
	Field string // id of the element to go to
	Text  string
}

// MethodProblem is what to say beside the methods; nil if nothing is wrong.
func (r rendering) MethodProblem() *problem {
	s := r.pay
	field := ""
	for _, o := range s.Offers {
		if !o.OutOfOrder {
			field = o.ID()
			break
		}
	}
	switch s.MethodProblem {
	case MethodFine:
		return nil
	case MethodMissing:
		return &problem{Field: field, Text: r.T.Pay.MethodMissing}
	case MethodOutOfOrder:
		return &problem{Field: field, Text: r.T.Pay.MethodOutOfOrder}
	}
	panic("checkout: unknown method problem")
}

// PhoneProblem is what to say beside the phone field; nil if nothing is wrong.
func (r rendering) PhoneProblem() *problem {
	switch r.pay.PhoneProblem {
	case PhoneFine:
		return nil
	case PhoneMissing:
		return &problem{Field: "phone", Text: r.T.Pay.PhoneMissing}
	case PhoneNotMobile:
		return &problem{Field: "phone", Text: r.T.Pay.PhoneNotMobile}
	}
	panic("checkout: unknown phone problem")
}

// CodeProblem is what to say beside the code field; nil if nothing is wrong.
func (r rendering) CodeProblem() *problem {
	s := r.otp
	switch s.Problem {
	case CodeFine:
		return nil
	case CodeMissing:
		return &problem{Field: "otp", Text: r.T.OTP.Missing}
	case CodeMalformed:
		return &problem{Field: "otp", Text: r.T.OTP.Malformed}
	case CodeWrong:
		return &problem{Field: "otp", Text: r.T.OTP.Wrong}
	case CodeTooMany:
		return &problem{Field: "otp", Text: r.T.OTP.TooMany}
	}
	panic("checkout: unknown code problem")
}

// Problems are all lines of the summary.
func (r rendering) Problems() []problem {
	var found []*problem
	switch r.State.(type) {
	case Pay:
		found = append(found, r.MethodProblem(), r.PhoneProblem())
	case OTP:
		found = append(found, r.CodeProblem())
	case Processing, Receipt, Expired, NotFound, Unavailable:
	}
	var problems []problem
	for _, p := range found {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	return problems
}
