package lypay

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/domain"
)

// transfer is what is known of one credit, put together from one answer or several. What is
// empty was not said.
type transfer struct {
	uuid, reference string // the API's two names of it
	timestamp       int64  // in Unix seconds
	rrn             string
	state           string       // in lower case
	money           domain.Money // that was credited
	debited         domain.Money // from the payer, perhaps with a fee
	payee           string       // IBAN
}

// transfer reads a row. An error means that its amount cannot be trusted.
func (r row) transfer() (transfer, error) {
	t := transfer{
		uuid: string(r.UUID), reference: string(r.PaymentReference), timestamp: r.time(),
		rrn: string(cmp.Or(r.RRN, r.RNN)), state: strings.ToLower(string(r.Status.Name)),
	}
	// An alias, or an account that is masked, is no proof of anything.
	if iban := normalIBAN(string(r.CreditorAccount.Identification)); isIBAN(iban) {
		t.payee = iban
	}
	credited, err := moneyOf(r.CreditorAmount)
	if err != nil {
		return transfer{}, err
	}
	stated, err := moneyOf(r.Amount)
	if err != nil {
		return transfer{}, err
	}
	debited, err := moneyOf(r.DebtorAmount)
	if err != nil {
		return transfer{}, err
	}
	var none domain.Money
	if credited != none && stated != none && credited != stated {
		return transfer{}, errors.New("answer has two amounts of one credit")
	}
	t.money, t.debited = cmp.Or(credited, stated), debited
	return t, nil
}

var amountForm = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)

// moneyOf is none where the amount or its currency is not said. A decimal point, or a currency
// that is not ours, means that the amount is in another unit than documented.
func moneyOf(a amount) (domain.Money, error) {
	switch {
	case a.Amount == "" || a.Currency == "":
		return domain.Money{}, nil
	case !strings.EqualFold(string(a.Currency), string(domain.LYD)):
		return domain.Money{}, errors.New("amount is in another currency")
	case !amountForm.MatchString(string(a.Amount)):
		return domain.Money{}, errors.New("amount is no positive number of whole dirham")
	}
	minor, err := strconv.ParseInt(string(a.Amount), 10, 64)
	if err != nil {
		return domain.Money{}, errors.New("amount is too large")
	}
	return domain.Money{Minor: minor, Currency: domain.LYD}, nil
}

// tripoli has had no summer time since 2013.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// time is the transfer's timestamp; 0 where the row has none.
func (r row) time() int64 {
	for _, given := range []text{r.Timestamp, r.TransactionTimestamp, r.TransactionDateTime} {
		if seconds, err := strconv.ParseInt(string(given), 10, 64); err == nil && seconds > 0 {
			return seconds
		}
		for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
			if at, err := time.ParseInLocation(form, string(given), tripoli); err == nil {
				return at.Unix()
			}
		}
	}
	return 0
}

// hasReference says whether the row is of the payment under the reference: one of its labels says
// so, or it has none. Labels are compared without regard to case, since a bank may print them
// in capitals.
func (r row) hasReference(reference string) bool {
	given := slices.DeleteFunc(append(r.all(), r.AdditionalData.all()...), func(l text) bool { return l == "" })
	return len(given) == 0 || slices.ContainsFunc(given, func(l text) bool {
		return strings.EqualFold(string(l), reference)
	})
}

// isPaid knows the two words for it; every other one, also one that is new, is not paid.
func (t transfer) isPaid() bool { return t.state == "completed" || t.state == "confirmed" }

// amount is what was credited. Some answers have only what was debited: with a fee in it, it is
// not the amount that was asked for, and a person looks.
func (t transfer) amount() domain.Money { return cmp.Or(t.money, t.debited) }

// isProven says whether it is known how much was credited, and to whom.
func (t transfer) isProven() bool { return t.amount().Minor > 0 && t.payee != "" }

// isRefundable says whether a refund can name it.
func (t transfer) isRefundable() bool {
	return isUUID(t.uuid) && t.reference != "" && t.timestamp > 0
}

// isSame says whether two answers are about one credit.
func (t transfer) isSame(other transfer) bool {
	if t.reference != "" && other.reference != "" {
		return t.reference == other.reference
	}
	return t.uuid != "" && t.uuid == other.uuid
}

// with adds what another answer says of the same credit. Where that one does not call it paid,
// it is not.
func (t transfer) with(other transfer) (transfer, error) {
	if t.money.Minor > 0 && other.money.Minor > 0 && t.money != other.money {
		return transfer{}, errors.New("answers state two amounts of one credit")
	}
	if t.payee != "" && other.payee != "" && t.payee != other.payee {
		return transfer{}, errors.New("answers state two payees of one credit")
	}
	t.uuid, t.reference = cmp.Or(t.uuid, other.uuid), cmp.Or(t.reference, other.reference)
	t.rrn, t.payee = cmp.Or(t.rrn, other.rrn), cmp.Or(t.payee, other.payee)
	t.timestamp = cmp.Or(t.timestamp, other.timestamp)
	t.money, t.debited = cmp.Or(t.money, other.money), cmp.Or(t.debited, other.debited)
	if other.state != "" && !other.isPaid() || t.state == "" {
		t.state = other.state
	}
	return t, nil
}

var uuidForm = regexp.MustCompile(`^[0-9A-Za-z-]{1,64}$`)

// isUUID guards the paths that it is written into. Its form is the bank's.
func isUUID(s string) bool { return uuidForm.MatchString(s) }
