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

// transfer has what is known about one credit, from one answer or several. A value that no answer
// had is empty.
type transfer struct {
	uuid, reference string // the API's two names of it
	timestamp       int64  // in Unix seconds
	rrn             string
	state           string       // in lower case
	money           domain.Money // that was credited
	debited         domain.Money // from the payer, may include a fee
	payee           string       // IBAN
}

// transfer reads a row. An error means that its amount cannot be trusted.
func (r row) transfer() (transfer, error) {
	t := transfer{
		uuid: string(r.UUID), reference: string(r.PaymentReference), timestamp: r.time(),
		rrn: string(cmp.Or(r.RRN, r.RNN)), state: strings.ToLower(string(r.Status.Name)),
	}
	// An alias, or a masked account, proves nothing.
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

// moneyOf returns zero where the amount or its currency is missing. A decimal point, or another
// currency, is an error: the amount is in another unit than documented.
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

// hasReference reports whether the row belongs to the payment under the reference: one of its
// labels is the reference, or it has no labels. The comparison ignores case, since a bank may
// write labels in capitals.
func (r row) hasReference(reference string) bool {
	given := slices.DeleteFunc(append(r.all(), r.AdditionalData.all()...), func(l text) bool { return l == "" })
	return len(given) == 0 || slices.ContainsFunc(given, func(l text) bool {
		return strings.EqualFold(string(l), reference)
	})
}

// isPaid reports whether the state is one of the two that mean paid; a new state does not.
func (t transfer) isPaid() bool { return t.state == "completed" || t.state == "confirmed" }

// amount is the amount that was credited. Some answers have only the amount that was debited: if
// that includes a fee, it differs from the payment's, and a person has to look.
func (t transfer) amount() domain.Money { return cmp.Or(t.money, t.debited) }

func (t transfer) isProven() bool { return t.amount().Minor > 0 && t.payee != "" }

// isRefundable reports whether all names that a refund needs are known.
func (t transfer) isRefundable() bool {
	return isUUID(t.uuid) && t.reference != "" && t.timestamp > 0
}

// isSame reports whether two answers are about the same credit.
func (t transfer) isSame(other transfer) bool {
	if t.reference != "" && other.reference != "" {
		return t.reference == other.reference
	}
	return t.uuid != "" && t.uuid == other.uuid
}

// with adds the values of another answer about the same credit. Where the other answer does not
// call it paid, it is not paid.
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

// isUUID reports whether s can be part of a path safely. Banks choose the form of their uuids.
func isUUID(s string) bool { return uuidForm.MatchString(s) }
