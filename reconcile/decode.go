package reconcile

import (
	"strings"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/payments/acquirer/statements"
)

// decoder turns records into lines.
type decoder struct {
	profile Profile
	head
	needed               []statements.Field // that have a column
	keys, amounts, times []int              // columns that identify a payment, and those of its amount and time
	clock                clock
}

func newDecoder(p Profile, h head) *decoder {
	d := &decoder{profile: p, head: h}
	for _, f := range statements.Fields {
		n, found := h.at[f]
		if !found {
			continue
		}
		d.needed = append(d.needed, f)
		switch f {
		case statements.Reference, statements.Number, statements.Status, statements.Type:
			d.keys = append(d.keys, n)
		case statements.Narrative:
			if _, ours := h.at[statements.Reference]; !ours {
				d.keys = append(d.keys, n)
			}
		case statements.Amount, statements.Credit, statements.Debit:
			d.amounts = append(d.amounts, n)
		case statements.Time:
			d.times = append(d.times, n)
		case statements.Currency, statements.Fee, statements.Settled:
		}
	}
	return d
}

// reading is the decoding of one record. It keeps the first error.
type reading struct {
	*decoder
	record
	wrong error
}

// fail records a problem with the cell of a field.
func (r *reading) fail(p Problem, f statements.Field) {
	if r.wrong == nil {
		n := r.at[f]
		r.wrong = problemAt(p, r.number, r.names[n], strings.ToValidUTF8(trimmed(r.cells[n].text), "\ufffd"))
	}
}

// text is the content of a field's cell; false: the field has no column.
func (r *reading) text(f statements.Field) (string, bool) {
	n, found := r.at[f]
	if !found {
		return "", false
	}
	return trimmed(r.cells[n].text), true
}

// copied is a copy of a field's text: a substring would keep the whole record in memory.
func (r *reading) copied(f statements.Field) string {
	text, _ := r.text(f)
	return strings.Clone(text)
}

// decode reads a record. counts is false if it was not paid; its amount and time may be unreadable then.
func (d *decoder) decode(rec record) (l Line, whole, counts bool, err error) {
	r := &reading{decoder: d, record: rec}
	if r.checkShape(); r.wrong != nil {
		return Line{}, false, false, r.wrong
	}
	if word, found := r.text(statements.Status); found {
		paid, known := paidWords[normal(word)]
		if !known {
			r.fail(ProblemStatus, statements.Status)
		}
		switch {
		case !known:
			return Line{}, false, false, r.wrong
		case !paid:
			return r.readUnpaid(word), false, false, nil
		}
	}
	l = r.readTexts()
	r.checkDigits(&l)
	if text, found := r.text(statements.Time); found {
		var known bool
		if l.At, whole, known = d.clock.parse(text); !known {
			r.fail(ProblemTime, statements.Time)
		}
	}
	if text, found := r.text(statements.Currency); found {
		var known bool
		if l.Currency, known = parseCurrency(text); !known {
			r.fail(ProblemCurrency, statements.Currency)
		}
	}
	if _, sides := d.at[statements.Credit]; sides {
		r.readSides(&l)
	} else {
		r.readAmount(&l, statements.Amount)
	}
	r.readType(&l)
	r.readSettled(&l)
	return l, whole, true, r.wrong
}

// readSettled reads what the provider kept and when it paid, where the line says so.
func (r *reading) readSettled(l *Line) {
	if text, found := r.text(statements.Fee); found && !r.isNothing(statements.Fee) && !l.foreign() {
		var known bool
		if l.Fee, known = parseAmount(text, r.profile.Unit); !known {
			r.fail(r.amountProblem(), statements.Fee)
		}
	}
	if text, _ := r.text(statements.Settled); text != "" {
		at, _, known := r.clock.parse(text)
		if l.Settled = domain.DayOf(at); !known {
			r.fail(ProblemTime, statements.Settled)
		}
	}
}

// readTexts begins a line with what may name a payment.
func (r *reading) readTexts() Line {
	l := Line{Number: r.number, Currency: string(domain.LYD), entry: none, repeats: none}
	l.Reference, l.ProviderReference = r.copied(statements.Reference), r.copied(statements.Number)
	if text, found := r.text(statements.Narrative); found {
		l.narrative = strings.ToValidUTF8(strings.Clone(text), "\ufffd")
	}
	return l
}

// readUnpaid reads a line of a payment that was not made. A cell that cannot be read is no error,
// but then the line is no refusal. Its amount is 0 where it has none.
func (r *reading) readUnpaid(word string) Line {
	l := r.readTexts()
	if text, found := r.text(statements.Time); found {
		if at, _, known := r.clock.parse(text); known {
			l.At = at
		}
	}
	if text, _ := r.text(statements.Currency); text != "" {
		var known bool
		if l.Currency, known = parseCurrency(strings.Clone(text)); !known {
			r.fail(ProblemCurrency, statements.Currency)
		}
	}
	_, sides := r.at[statements.Credit]
	switch {
	case sides && !(r.isNothing(statements.Credit) && r.isNothing(statements.Debit)):
		r.readSides(&l)
	case !sides && !r.isNothing(statements.Amount):
		r.readAmount(&l, statements.Amount)
	}
	r.readType(&l)
	l.refused = r.isRefusal(word) && r.wrong == nil && !l.isRefund && !l.foreign()
	return l
}

// isRefusal reports whether a status says for certain that the payment was refused.
func (d *decoder) isRefusal(status string) bool {
	word := normal(status)
	return refusals[word] || denials[word] && normal(d.names[d.at[statements.Status]]) == "approved"
}

// checkDigits refuses a number that lost its digits, where nothing else says which payment
// the line is about.
func (r *reading) checkDigits(l *Line) {
	isLost := func(text string) bool {
		return strings.ContainsAny(text, "Ee") && scientific.MatchString(text) &&
			!r.profile.mayName(l.Reference) && !r.profile.mayName(l.narrative)
	}
	switch {
	case isLost(l.Reference):
		r.fail(ProblemNumber, statements.Reference)
	case isLost(l.ProviderReference):
		r.fail(ProblemNumber, statements.Number)
	}
}

// checkShape checks that each needed cell is present and unambiguous.
func (r *reading) checkShape() {
	for _, f := range r.needed {
		n := r.at[f]
		switch {
		case r.wrong != nil:
		case n >= len(r.cells):
			r.wrong = problemAt(ProblemShortLine, r.number, r.names[n], "")
		// In a narrative only known references are searched for, so it may be damaged.
		case r.cells[n].quirk == quotes && f != statements.Narrative:
			r.fail(ProblemQuotes, f)
		case len(r.cells[n].text) > maxCell:
			r.fail(ProblemLongCell, f)
		case r.cells[n].quirk == date && f != statements.Time && f != statements.Settled &&
			f != statements.Narrative:
			r.fail(ProblemDate, f)
		case r.cells[n].quirk == formulaic && f != statements.Narrative:
			r.fail(ProblemFormula, f)
		case !plaintext.Storable(r.cells[n].text) && f != statements.Narrative:
			r.fail(ProblemEncoding, f)
		}
	}
	for n := len(r.names); n < len(r.cells) && r.wrong == nil; n++ {
		if text := trimmed(r.cells[n].text); text != "" {
			r.wrong = problemAt(ProblemExtraCell, r.number, "", strings.ToValidUTF8(text, "\ufffd"))
		}
	}
}

// readAmount reads the amount that came in or went back. An amount in another currency stays text.
func (r *reading) readAmount(l *Line, f statements.Field) {
	text, _ := r.text(f)
	amount, known := parseAmount(text, r.profile.Unit)
	switch {
	case l.foreign() && text != "":
		l.Stated = strings.ToValidUTF8(strings.Clone(text), "\ufffd")
		l.isRefund = strings.HasPrefix(latin(text), "-")
	case known:
		l.Amount, l.isRefund = amount, amount < 0
	default:
		r.fail(r.amountProblem(), f)
	}
}

func (r *reading) amountProblem() Problem {
	if r.profile.Unit == statements.Dinars {
		return ProblemDinars
	}
	return ProblemDirhams
}

// readSides reads a credit or a debit. One of the two must be empty. A negative amount is
// refused, because it could mean the other side.
func (r *reading) readSides(l *Line) {
	side := statements.Credit
	if _, found := r.at[statements.Debit]; found && !r.isNothing(statements.Debit) {
		side = statements.Debit
		if !r.isNothing(statements.Credit) {
			r.fail(ProblemTwoAmounts, statements.Debit)
		}
	}
	r.readAmount(l, side)
	if l.isRefund {
		r.fail(ProblemSign, side)
	}
	if side == statements.Debit {
		l.Amount, l.isRefund, l.debit = -l.Amount, true, true
	}
}

// isNothing reports whether a cell of amounts is empty, a dash or zero.
func (r *reading) isNothing(f statements.Field) bool {
	text, _ := r.text(f)
	amount, known := parseAmount(text, r.profile.Unit)
	return strings.Trim(text, "-–—") == "" || known && amount == 0
}

// readType reads which way money went, where a column says so.
func (r *reading) readType(l *Line) {
	word, found := r.text(statements.Type)
	if !found {
		return
	}
	in, known := incomingWords[normal(word)]
	switch {
	case !known:
		r.fail(ProblemType, statements.Type)
	case in && l.isRefund:
		r.fail(ProblemSign, r.amountField())
	case !in && !l.isRefund:
		if l.Amount, l.isRefund = -l.Amount, true; l.debit {
			return
		}
		l.debit = debitWords[normal(word)]
	}
}

func (r *reading) amountField() statements.Field {
	if _, found := r.at[statements.Amount]; found {
		return statements.Amount
	}
	return statements.Credit
}
