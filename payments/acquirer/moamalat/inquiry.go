package moamalat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

const (
	pageLength = 100 // transactions of an answer
	pagesMax   = 10  // of one payment: more than any payer tries
)

// Inquire implements acquirer.Acquirer.
func (a *Account) Inquire(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	if !referenceForm.MatchString(r.Reference) {
		return acquirer.Report{}, fmt.Errorf("inquire payment: %w: reference is malformed", acquirer.ErrNotSent)
	}
	rows, err := a.list(ctx, r)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("inquire payment: %w", err)
	}
	report, err := readReport(rows, r.Reference)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("inquire payment: %w", err)
	}
	return report, nil
}

// Check implements acquirer.Acquirer: the keys are right where the gateway answers a search
// for a payment that does not exist.
func (a *Account) Check(ctx context.Context, _ []acquirer.Method) error {
	request := filterRequest{MerchantReference: "no-such-payment", DisplayLength: "1", DisplayStart: "0"}
	if _, err := a.ask(ctx, request); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return nil
}

// list returns all transactions that the gateway finds for the payment. The request includes
// the days before and after, because clocks differ.
func (a *Account) list(ctx context.Context, r acquirer.Ref) ([]transaction, error) {
	now := a.provider.dates.now()
	begun := r.BegunAt
	if begun.IsZero() || begun.After(now) {
		begun = now
	}
	request := filterRequest{
		MerchantReference: r.Reference, DisplayLength: strconv.Itoa(pageLength),
		DateFrom: begun.Add(-24 * time.Hour).In(tripoli).Format(dayForm),
		DateTo:   now.Add(24 * time.Hour).In(tripoli).Format(dayForm),
	}
	var rows []transaction
	for range pagesMax {
		request.DisplayStart = strconv.Itoa(len(rows))
		answer, err := a.ask(ctx, request)
		if err != nil {
			return nil, err
		}
		page, total, err := answer.rows()
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			// A row on two pages has moved between the requests, so another may be missing.
			if slices.Contains(rows, row) {
				return nil, errors.New("list changed while it was read")
			}
		}
		rows = append(rows, page...)
		if len(rows) >= total {
			return rows, nil
		}
		if len(page) == 0 {
			return nil, fmt.Errorf("list has %d transactions and shows %d", total, len(rows))
		}
	}
	return nil, fmt.Errorf("list has more than %d transactions", pagesMax*pageLength)
}

// ask sends one request for transactions and returns the gateway's answer if it is a success.
func (a *Account) ask(ctx context.Context, r filterRequest) (filterAnswer, error) {
	r.MerchantId, r.TerminalId = a.merchant, a.terminal
	r.DateTimeLocalTrxn, r.SecureHash = a.sign()
	request := exchange.Request{Method: http.MethodPost, Path: filterPath, JSON: r}
	received, err := a.provider.client.Do(ctx, request)
	if err != nil {
		return filterAnswer{}, err
	}
	var answer filterAnswer
	if err := decode(received.Body, &answer); err != nil {
		return filterAnswer{}, err
	}
	return answer, answer.check(received.Status)
}

// sign returns a date and the hash for a request. The hash covers the date and the account only.
func (a *Account) sign() (date, hash string) {
	date = a.provider.dates.next(a.terminal)
	return date, hashOf(a.key, map[string]string{
		"DateTimeLocalTrxn": date, "MerchantId": a.merchant, "TerminalId": a.terminal,
	})
}

// check returns an error unless the gateway reports a success.
func (v verdict) check(status int) error {
	switch {
	case (status == http.StatusOK || status == http.StatusUnauthorized) && v.accountRefused():
		return acquirer.ErrAccount
	case status != http.StatusOK:
		return fmt.Errorf("answer has the status %d", status)
	case !v.succeeded():
		return v.failure()
	}
	return nil
}

// rows returns the transactions of a page, and how many there are in total.
func (f filterAnswer) rows() ([]transaction, int, error) {
	total, err := strconv.Atoi(string(f.TotalCountAllTransaction))
	if err != nil || total < 0 {
		return nil, 0, errors.New("list does not say how many transactions it has")
	}
	var rows []transaction
	for _, day := range f.Transactions {
		rows = append(rows, day.DateTransactions...)
	}
	if len(rows) == 0 && total == 0 && f.Message != "" && !f.says("Transaction not found") {
		return nil, 0, errors.New("list is empty for a reason that is not known")
	}
	return rows, total, nil
}

// kind is what a transaction was.
type kind int

const (
	unknownKind kind = iota
	sale
	reversal
)

// kindOf reads the type by its name, and by the number that notifications have.
func kindOf(t transaction) kind {
	withoutSeparators := strings.NewReplacer(" ", "", "_", "", "-", "")
	switch strings.ToLower(withoutSeparators.Replace(string(t.TransType))) {
	case "sale", "1":
		return sale
	case "refund", "2", "void", "voidsale", "3", "voidrefund", "4":
		return reversal
	}
	return unknownKind
}

// readReport derives the state of the payment from its transactions.
func readReport(rows []transaction, reference string) (acquirer.Report, error) {
	var approved, declined []transaction
	reversed, unclear := false, false
	for _, row := range rows {
		if !strings.EqualFold(string(row.MerchantReference), reference) {
			continue // the gateway may have found other payments too
		}
		ok := strings.EqualFold(string(row.Status), "Approved")
		refused := strings.EqualFold(string(row.Status), "Declined")
		switch k := kindOf(row); {
		case refused:
			declined = append(declined, row)
		case ok && k == sale:
			approved = append(approved, row)
		case ok && k == reversal:
			reversed = true
		default:
			unclear = true
		}
	}
	switch {
	case len(approved) > 0:
		return paid(approved, reference)
	case unclear:
		return acquirer.Report{}, errors.New("list has a transaction that is not known")
	case reversed:
		// Money was taken and went back, and the list has no sale any more.
		return acquirer.Report{}, errors.New("list has a refund or void without its sale")
	case len(declined) > 0:
		money, err := parseMoney(declined[0].AmountTrxn, declined[0].Currency)
		return acquirer.Report{State: acquirer.StatePending, Reference: reference, Money: money}, err
	}
	return acquirer.Report{State: acquirer.StateNotFound, Reference: reference}, nil
}

// paid reports the earliest of the approved sales as the payment. The later ones that were not
// given back are money that a person has to give back.
func paid(sales []transaction, reference string) (acquirer.Report, error) {
	slices.SortStableFunc(sales, func(a, b transaction) int {
		return cmp.Or(
			cmp.Compare(len(a.TransactionId), len(b.TransactionId)),
			cmp.Compare(a.TransactionId, b.TransactionId),
		)
	})
	report := acquirer.Report{State: acquirer.StatePaid, Reference: reference}
	for i, s := range sales {
		money, err := parseMoney(s.AmountTrxn, s.Currency)
		if err != nil {
			return acquirer.Report{}, err
		}
		number, memo, err := numberOf(s)
		if err != nil {
			return acquirer.Report{}, err
		}
		switch {
		case i == 0:
			report.Money, report.ProviderReference, report.Memo = money, number, memo
		case !strings.EqualFold(string(s.IsRefund), "true"):
			report.More = append(report.More, acquirer.Paid{Money: money, ProviderReference: number})
		}
	}
	return report, nil
}

// numberOf returns the number by which the gateway refunds a sale, and the memo that says which
// of the two numbers it is. The gateway's own comes first: that of the network may be used again.
func numberOf(s transaction) (number, memo string, err error) {
	switch {
	case s.TransactionId != "":
		return string(s.TransactionId), memoSystem, nil
	case s.RRN != "":
		return string(s.RRN), memoNetwork, nil
	}
	return "", "", errors.New("list has a sale without a number")
}
