package conformance

import (
	"bytes"
	"errors"

	"daftar/payments/acquirer"
)

var answersName = when("No answer names a currency or a reference, because the acquirer cannot be asked.",
	func(c acquirer.Capability) bool { return c.Inquiry })

// answers are the behaviours about the content of answers.
var answers = []behaviour{
	{name: "unknown members in answers", run: unknownMembers},
	{name: "another amount", run: reportsOtherAmount},
	{name: "another currency", needs: answersName, run: otherCurrency},
	{name: "another reference", needs: answersName, run: otherReference},
}

func unknownMembers(w *World) {
	w.Server.Alter(withUnknownMembers)
	s := w.paid()
	if w.Capability.Refund {
		back, err := w.Account.Refund(w.T.Context(), s.ref, s.Payment.Money)
		if err != nil || back.Money != s.Payment.Money {
			w.T.Errorf("Refund = %+v, %v", back, err)
		}
	}
	if err := w.Account.Check(w.T.Context(), methodsOf(w.Account)); err != nil {
		w.T.Errorf("Check: %v", err)
	}
	if w.Capability.Resend {
		if _, err := w.Account.Resend(w.T.Context(), s.ref); !errors.Is(err, acquirer.ErrNoCodeWanted) {
			w.T.Errorf("Resend: %v", err)
		}
	}
}

// withUnknownMembers adds a new member to every object of a JSON text.
func withUnknownMembers(body []byte) []byte {
	const member = `"brand_new":{"list":[1,null,"x"]}`
	var out bytes.Buffer
	inString := false
	for i := 0; i < len(body); i++ {
		out.WriteByte(body[i])
		switch {
		case inString && body[i] == '\\':
			i++
			out.WriteByte(body[i])
		case body[i] == '"':
			inString = !inString
		case body[i] == '{' && !inString:
			out.WriteString(member)
			if next := bytes.TrimLeft(body[i+1:], " \n"); len(next) > 0 && next[0] != '}' {
				out.WriteByte(',')
			}
		}
	}
	return out.Bytes()
}

// amountTexts has the forms in which acquirers write the two amounts, the longest first.
var amountTexts = [][2]string{{"45.670", "46.670"}, {"45.67", "46.67"}, {"45670", "46670"}}

func inOtherAmount(text []byte) []byte {
	for _, t := range amountTexts {
		text = bytes.ReplaceAll(text, []byte(t[0]), []byte(t[1]))
	}
	return text
}

// reportsOtherAmount checks that an amount is reported as the acquirer states it, for the caller
// to compare, or that there is an error.
func reportsOtherAmount(w *World) {
	if w.Capability.Flow != acquirer.OTP && !w.Capability.Inquiry {
		s := w.begin(PaysOther)
		o := w.act(s, PaysOther)
		if o.err != nil || o.state != acquirer.StatePaid || o.money == s.Payment.Money {
			w.T.Errorf("outcome %+v, want another amount paid", o)
		}
		return
	}
	s := w.begin(Pays)
	if w.Capability.Flow != acquirer.OTP {
		w.act(s, Pays)
	}
	w.Server.Alter(inOtherAmount)
	if _, err := w.Account.Begin(w.T.Context(), w.payment(Pays)); err != nil {
		w.wantUnknown(err)
	}
	var outcomes []outcome
	if w.Capability.Flow == acquirer.OTP {
		outcomes = append(outcomes, w.confirm(s, Pays))
	}
	if w.Capability.Inquiry {
		report, err := w.Account.Inquire(w.T.Context(), s.ref)
		outcomes = append(outcomes, outcomeOf(report, err))
	}
	for _, o := range outcomes {
		if o.err == nil && (o.state != acquirer.StatePaid || o.money != lyd(otherAmount)) {
			w.T.Errorf("outcome %+v, want the amount that was stated", o)
		}
	}
	w.wantTaken(s, 1)
}

func otherCurrency(w *World) {
	s := w.paid()
	w.Server.Alter(func(body []byte) []byte {
		for from, to := range map[string]string{`"LYD"`: `"USD"`, `"lyd"`: `"usd"`, `"434"`: `"840"`} {
			body = bytes.ReplaceAll(body, []byte(from), []byte(to))
		}
		return body
	})
	report, err := w.Account.Inquire(w.T.Context(), s.ref)
	if err == nil {
		w.T.Errorf("Inquire = %+v of a payment in another currency", report)
	}
	w.wantUnknown(err)
}

func otherReference(w *World) {
	s, other := w.paid(), w.begin(Pays)
	w.AnswerOther(s, other.Payment.Reference)
	for _, about := range []*Session{s, other} {
		report, err := w.Account.Inquire(w.T.Context(), about.ref)
		if err == nil && report.State != acquirer.StateNotFound &&
			(report.State != acquirer.StatePending || about == s) {
			w.T.Errorf("Inquire = %+v, although the answer is about another payment", report)
		}
	}
}
