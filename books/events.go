package books

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
)

// Event is something that a person recorded of a provider account. The set is sealed: Evolve has a
// case for each. An event is stored as it is: a field never changes its name, type or meaning.
//
//sumtype:decl
type Event interface {
	stored() (name string, version int, fields any)
	// check is why no account has such an event; nil: one may.
	check() error
}

// The stored names of events.
const (
	TypeSettlementRecorded  = "settlement.recorded"
	TypeSettlementCorrected = "settlement.corrected"
	TypeFeeScheduled        = "fee.scheduled"
	TypeDayClosed           = "day.closed"
)

var forms = domain.Forms[Event]{
	{Name: TypeSettlementRecorded, Version: 1, Read: read[SettlementRecorded]},
	{Name: TypeSettlementCorrected, Version: 1, Read: read[SettlementCorrected]},
	{Name: TypeFeeScheduled, Version: 1, Read: read[FeeScheduled]},
	{Name: TypeDayClosed, Version: 1, Read: read[DayClosed]},
}

func read[E Event](s domain.StoredEvent) (Event, error) {
	e, err := domain.Fields[E](s)
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.Type, err)
	}
	return e, nil
}

// Encode returns the bytes to store, which are never encoded again.
func Encode(e Event) (domain.StoredEvent, error) { return domain.Store(e.stored()) }

// Decode reads a stored event. The error is domain.ErrUnknownEvent where this program does not know
// its name or version.
func Decode[R domain.Record](r R) (Event, error) {
	_, name, schema, payload := r.Stored()
	return forms.Decode(domain.StoredEvent{Type: name, SchemaVersion: schema, Payload: payload})
}

// SettlementRecorded says that a provider paid for payments, less what it gave back and its fees.
type SettlementRecorded struct {
	// When it was recorded, by the ledger's clock.
	At time.Time `json:"at"`
	// The organisation whose money it is.
	Organization uuid.UUID `json:"organization"`
	// The mode of the applications whose payments these are: live or test.
	Mode domain.Mode `json:"mode"`
	// The provider, by its short name.
	Acquirer string `json:"acquirer"`
	// The settlement, which is recorded once.
	Settlement uuid.UUID `json:"settlement"`
	// The day on which the bank has the money, in Libya.
	ValueDate domain.Day `json:"value_date"`
	// The shares' sum, in the currency's minor unit.
	Gross int64 `json:"gross"`
	// What the provider kept; negative: it gave fees back.
	Fees int64 `json:"fees"`
	// What came to the bank. Where it is not gross less fees, the rest is a difference.
	Net int64 `json:"net"`
	// The fees by the contract on record; null where none is.
	ExpectedFees *int64 `json:"expected_fees"`
	// The ISO 4217 code of all amounts.
	Currency domain.Currency `json:"currency"`
	// The bank's reference of the transfer; empty where none is known.
	BankReference string `json:"bank_reference"`
	// The name of the statement's file; empty where there was none.
	File string `json:"file"`
	// The SHA-256 of the file, in hexadecimal; empty where there was none.
	SHA256 string `json:"sha256"`
	// Its gross by the days in Libya on which the money was taken or given back.
	Taken []Taken `json:"taken"`
	// The payments and refunds that it covers, each once in all settlements.
	Shares []Share `json:"shares"`
}

// Taken is what was taken on a day, less what was given back.
type Taken struct {
	// The day.
	On domain.Day `json:"on"`
	// The amount.
	Amount int64 `json:"amount"`
}

// Share is a payment or a refund that a settlement covers.
type Share struct {
	// The payment intent.
	Intent uuid.UUID `json:"intent"`
	// The attempt that was paid, also for a refund of it.
	Attempt domain.AttemptID `json:"attempt"`
	// The refund; null: it is the payment.
	Refund *uuid.UUID `json:"refund"`
	// What it adds to the settlement's gross; negative for a refund.
	Amount int64 `json:"amount"`
	// The number of its line in the file; 0 where there was none.
	Line int64 `json:"line"`
}

// Sums are the three amounts of a settlement.
type Sums struct{ Gross, Fees, Net int64 }

// SettlementCorrected says that a settlement was not as it had been recorded.
type SettlementCorrected struct {
	// When it was recorded.
	At time.Time `json:"at"`
	// The organisation whose money it is.
	Organization uuid.UUID `json:"organization"`
	// The mode, as of the settlement.
	Mode domain.Mode `json:"mode"`
	// The provider.
	Acquirer string `json:"acquirer"`
	// The settlement.
	Settlement uuid.UUID `json:"settlement"`
	// The day on which the bank has the money.
	ValueDate domain.Day `json:"value_date"`
	// Gross as it was before.
	GrossBefore int64 `json:"gross_before"`
	// Fees as they were before.
	FeesBefore int64 `json:"fees_before"`
	// Net as it was before.
	NetBefore int64 `json:"net_before"`
	// Gross as it is now: as before, or 0: the settlement is withdrawn, and its shares are open again.
	Gross int64 `json:"gross"`
	// Fees as they are now.
	Fees int64 `json:"fees"`
	// Net as it is now.
	Net int64 `json:"net"`
	// The ISO 4217 code of all amounts.
	Currency domain.Currency `json:"currency"`
	// The bank's reference of the transfer.
	BankReference string `json:"bank_reference"`
	// Whether the settlement is withdrawn.
	Withdrawn bool `json:"withdrawn"`
	// Where it is withdrawn, what is due again, by the days on which it was taken.
	Taken []Taken `json:"taken"`
}

// FeeScheduled is the fee for a method of payment by the contract with a provider, from a day on.
type FeeScheduled struct {
	// When it was recorded.
	At time.Time `json:"at"`
	// The organisation whose contract it is.
	Organization uuid.UUID `json:"organization"`
	// The mode of the payments that it is for.
	Mode domain.Mode `json:"mode"`
	// The provider.
	Acquirer string `json:"acquirer"`
	// The method of payment, such as card.
	Method string `json:"method"`
	// The first day in Libya for whose payments it holds.
	From domain.Day `json:"from"`
	// Of the amount, in hundredths of a percent: 150 is 1.5 percent.
	Rate int64 `json:"rate"`
	// The least fee of a payment, in the currency's minor unit.
	Minimum int64 `json:"minimum"`
	// The ISO 4217 code of the minimum's currency.
	Currency domain.Currency `json:"currency"`
}

func (e SettlementRecorded) stored() (string, int, any)  { return TypeSettlementRecorded, 1, e }
func (e SettlementCorrected) stored() (string, int, any) { return TypeSettlementCorrected, 1, e }
func (e FeeScheduled) stored() (string, int, any)        { return TypeFeeScheduled, 1, e }

func (e SettlementRecorded) check() error {
	if len(e.Shares) == 0 || len(e.Taken) == 0 {
		return errors.New("it covers nothing")
	}
	return checkFields(e.Currency, e.ValueDate)
}

func (e SettlementCorrected) check() error { return checkFields(e.Currency, e.ValueDate) }
func (e FeeScheduled) check() error        { return checkFields(e.Currency, e.From) }

func checkFields(c domain.Currency, day domain.Day) error {
	if _, err := domain.ParseCurrency(string(c)); err != nil {
		return err
	}
	if day.IsZero() {
		return errors.New("it has no day")
	}
	return nil
}
