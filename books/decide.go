package books

import (
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/plaintext"
)

// Command is what a person wants to record.
//
//sumtype:decl
type Command interface{ command() }

// RecordStatement records what a statement shows: one settlement or several.
type RecordStatement struct {
	File, SHA256 string // both empty: a person's word, without a file
	Settlements  []NewSettlement
}

// NewSettlement is a settlement to record. Its gross is the sum of its shares.
type NewSettlement struct {
	ID            uuid.UUID
	ValueDate     domain.Day
	Fees, Net     int64
	ExpectedFees  *int64
	BankReference string
	Taken         []Taken // the gross, by the days on which it was taken
	Shares        []Share
}

// CorrectSettlement records what a settlement really was, or withdraws it.
type CorrectSettlement struct {
	ID            uuid.UUID
	ValueDate     domain.Day
	Fees, Net     int64
	BankReference string
	Withdraw      bool // the fields above, but the ID, are ignored
}

// ScheduleFee records the contract's fee for a method.
type ScheduleFee struct {
	Method        string
	From          domain.Day
	Rate, Minimum int64 // as in FeeScheduled
}

func (RecordStatement) command()   {}
func (CorrectSettlement) command() {}
func (ScheduleFee) command()       {}

// Limits of one command.
const (
	MaxShares      = 4_000  // of a settlement: an event of some 600 kB
	MaxStatement   = 50_000 // shares of a statement
	MaxSettlements = 500    // of a statement: each is an event of one append
	MaxText        = 200    // characters of a file's name and of a reference
	MaxRate        = 10_000 // the whole amount
	MaxMethods     = 500    // of a day
	maxSettlement  = 1_000_000_000_000_000
)

// Refusal is why a command was turned down. It is a stable code, compared with errors.Is.
type Refusal string

// The refusals of Decide.
const (
	// RefusedMalformed turns down a command whose fields are outside their limits.
	RefusedMalformed Refusal = "settlement_malformed"
	// RefusedStatementKnown turns down a file that was accepted before.
	RefusedStatementKnown Refusal = "statement_known"
	// RefusedSettlementKnown turns down a settlement with the id of another.
	RefusedSettlementKnown Refusal = "settlement_known"
	// RefusedCovered turns down a payment or refund that another settlement covers, or that is there twice.
	RefusedCovered Refusal = "share_covered"
	// RefusedUnknownSettlement turns down the correction of what was never recorded.
	RefusedUnknownSettlement Refusal = "settlement_unknown"
	// RefusedWithdrawn turns down the correction of a settlement that is withdrawn.
	RefusedWithdrawn Refusal = "settlement_withdrawn"
	// RefusedDayClosed turns down the closing of a day that is closed.
	RefusedDayClosed Refusal = "day_closed"
)

// Error implements error with the stable code.
func (r Refusal) Error() string { return "refused: " + string(r) }

// Decide returns the events that a command causes, or wraps the Refusal that turns it down. No events
// and no error: the account is already as requested. It changes none of its arguments.
func Decide(a *ProviderAccount, c Command, now time.Time) ([]Event, error) {
	now = now.UTC().Truncate(time.Microsecond)
	if now.Before(a.last) {
		now = a.last // the clocks of servers differ a little, but times in a history never go back
	}
	switch c := c.(type) {
	case RecordStatement:
		return decideStatement(a, c, now)
	case CorrectSettlement:
		return decideCorrection(a, c, now)
	case ScheduleFee:
		return decideFee(a, c, now)
	case CloseDay:
		return decideDay(a, c, now)
	}
	panic("books: Decide of a command outside the sealed set")
}

func malformed(what string) error { return fmt.Errorf("%w: %s", RefusedMalformed, what) }

func fits(text string) bool {
	return utf8.RuneCountInString(text) <= MaxText && plaintext.OneLine(text)
}

// sha256 is the one form of a hash: in another, a statement could be accepted twice.
var sha256 = regexp.MustCompile(`^[0-9a-f]{64}$`)

func bounded(amounts ...int64) bool {
	for _, a := range amounts {
		if a < -maxSettlement || a > maxSettlement {
			return false
		}
	}
	return true
}

func decideStatement(a *ProviderAccount, c RecordStatement, now time.Time) ([]Event, error) {
	file := c.File != "" && fits(c.File) && sha256.MatchString(c.SHA256)
	if c.File+c.SHA256 != "" && !file || len(c.Settlements) == 0 || len(c.Settlements) > MaxSettlements {
		return nil, malformed("the file or the number of settlements")
	}
	if a.Accepted(c.SHA256) {
		return nil, RefusedStatementKnown
	}
	var events []Event
	seen, total := map[uuid.UUID]bool{}, 0
	for _, s := range c.Settlements {
		if _, known := a.settlements[s.ID]; known || seen[s.ID] {
			return nil, fmt.Errorf("%w: %s", RefusedSettlementKnown, s.ID)
		}
		seen[s.ID] = true
		gross, err := grossOf(a, s.Shares, seen)
		if err != nil {
			return nil, err
		}
		if !addsUp(s.Taken, gross) {
			return nil, malformed("the days on which the money was taken")
		}
		total += len(s.Shares)
		if s.ValueDate.IsZero() || !fits(s.BankReference) || !bounded(gross, s.Fees, s.Net) ||
			(s.ExpectedFees != nil && !bounded(*s.ExpectedFees)) || total > MaxStatement {
			return nil, malformed("the day, the reference, an amount or the number of payments")
		}
		events = append(events, SettlementRecorded{
			At: now, Organization: a.Organization, Mode: a.Mode, Acquirer: a.Acquirer, Settlement: s.ID,
			ValueDate: s.ValueDate, Gross: gross, Fees: s.Fees, Net: s.Net, ExpectedFees: s.ExpectedFees,
			Currency: domain.LYD, BankReference: s.BankReference, File: c.File, SHA256: c.SHA256,
			Taken: s.Taken, Shares: s.Shares,
		})
	}
	return events, nil
}

// grossOf adds up the shares of a settlement, none of which may be covered or seen before.
func grossOf(a *ProviderAccount, shares []Share, seen map[uuid.UUID]bool) (gross int64, err error) {
	if len(shares) == 0 || len(shares) > MaxShares {
		return 0, malformed("the number of payments in a settlement")
	}
	for _, s := range shares {
		id := s.id()
		switch {
		case s.Amount == 0 || !bounded(s.Amount) || (s.Amount < 0) != (s.Refund != nil) ||
			s.Attempt == "" || !fits(string(s.Attempt)) || s.Line < 0:
			return 0, malformed("the share of payment intent " + s.Intent.String())
		case a.Covers(s) || seen[id]:
			return 0, fmt.Errorf("%w: payment intent %s", RefusedCovered, s.Intent)
		}
		seen[id] = true
		gross += s.Amount
	}
	return gross, nil
}

// addsUp reports whether days, each there once, have a sum.
func addsUp(taken []Taken, sum int64) bool {
	seen := map[domain.Day]bool{}
	if len(taken) == 0 {
		return false
	}
	for _, t := range taken {
		if t.On.IsZero() || seen[t.On] || !bounded(t.Amount) {
			return false
		}
		seen[t.On] = true
		sum -= t.Amount
	}
	return sum == 0
}

func decideCorrection(a *ProviderAccount, c CorrectSettlement, now time.Time) ([]Event, error) {
	was, known := a.Settlement(c.ID)
	sums, again := Sums{was.Gross, c.Fees, c.Net}, []Taken{}
	if c.Withdraw {
		again = was.Taken
		sums, c.ValueDate, c.BankReference = Sums{}, was.ValueDate, was.BankReference
	}
	switch {
	case !known:
		return nil, RefusedUnknownSettlement
	case was.Withdrawn && c.Withdraw:
		return nil, nil
	case was.Withdrawn:
		return nil, RefusedWithdrawn
	case c.ValueDate.IsZero() || !fits(c.BankReference) || !bounded(c.Fees, c.Net):
		return nil, malformed("the day, the reference or an amount")
	case !c.Withdraw && sums == was.Sums && c.ValueDate == was.ValueDate && c.BankReference == was.BankReference:
		return nil, nil
	}
	return []Event{SettlementCorrected{
		At: now, Organization: a.Organization, Mode: a.Mode, Acquirer: a.Acquirer, Settlement: c.ID,
		ValueDate: c.ValueDate, GrossBefore: was.Gross, FeesBefore: was.Fees, NetBefore: was.Net,
		Gross: sums.Gross, Fees: sums.Fees, Net: sums.Net,
		Currency: domain.LYD, BankReference: c.BankReference, Withdrawn: c.Withdraw, Taken: again,
	}}, nil
}

func decideFee(a *ProviderAccount, c ScheduleFee, now time.Time) ([]Event, error) {
	if c.Method == "" || !fits(c.Method) || c.From.IsZero() || c.Rate < 0 || c.Rate > MaxRate ||
		c.Minimum < 0 || !bounded(c.Minimum) {
		return nil, malformed("the method, the day, the percent or the minimum")
	}
	f, known := a.fee(c.Method, c.From)
	if known && f.From == c.From && f.Rate == c.Rate && f.Minimum == c.Minimum {
		return nil, nil
	}
	return []Event{FeeScheduled{
		At: now, Organization: a.Organization, Mode: a.Mode, Acquirer: a.Acquirer, Method: c.Method,
		From: c.From, Rate: c.Rate, Minimum: c.Minimum, Currency: domain.LYD,
	}}, nil
}
