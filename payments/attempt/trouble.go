package attempt

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// TroubleKind is what is wrong between an acquirer and the ledger. The words are stored.
type TroubleKind string

// The kinds.
const (
	TroubleText      TroubleKind = ""           // as an earlier release wrote it
	TroubleMismatch  TroubleKind = "mismatch"   // the acquirer names another amount, currency or reference
	TroublePaidAgain TroubleKind = "paid_again" // money came twice for one attempt
	TroubleRefused   TroubleKind = "refused"    // the ledger does not take what follows
	TroubleNoInquiry TroubleKind = "unaskable"  // the outcome is unknown, and nobody can be asked
	TroubleNoAccount TroubleKind = "no_account" // nor has the application an account any more
)

// What the ledger does not take (Finding.Refused). The words are stored.
const (
	RefusedPaid      = "paid"
	RefusedDeclined  = "declined"
	RefusedTimeOver  = "time is over"
	RefusedAbandoned = "payer gave up"
)

// Trouble is why an operator must look at an attempt: a kind and the values that it is about. It is
// put into words where it is shown.
type Trouble struct {
	Kind     TroubleKind    `json:"kind"`
	State    acquirer.State `json:"state,omitempty"`    // what the acquirer reports, of a mismatch
	Sums     []Sum          `json:"sums,omitempty"`     // that it names
	Asked    *Sum           `json:"asked,omitempty"`    // what the attempt is for
	What     string         `json:"what,omitempty"`     // that the ledger does not take
	Refusal  domain.Refusal `json:"refusal,omitempty"`  // and why
	Acquirer string         `json:"acquirer,omitempty"` // without an account
	Text     string         `json:"-"`                  // of TroubleText
}

// Sum is money as an acquirer names it, whose currency may be none of ours.
type Sum struct {
	Minor     int64           `json:"minor"` // in the currency's smallest unit
	Currency  domain.Currency `json:"currency"`
	Reference string          `json:"reference,omitempty"`
}

func sumOf(m domain.Money, reference string) Sum { return Sum{m.Minor, m.Currency, reference} }

// Money is the sum; ok is false where its currency is none of ours, so that nobody knows how many
// decimals it has.
func (s Sum) Money() (m domain.Money, ok bool) {
	_, err := domain.ParseCurrency(string(s.Currency))
	return domain.Money{Minor: s.Minor, Currency: s.Currency}, err == nil
}

// String is for logs and commands.
func (s Sum) String() string {
	m, _ := s.Money()
	text := m.String()
	if s.Reference != "" {
		text += " under " + strconv.Quote(s.Reference)
	}
	return text
}

// refusedTrouble is what the ledger does not take, and why.
func refusedTrouble(what string, refusal domain.Refusal) Trouble {
	return Trouble{Kind: TroubleRefused, What: what, Refusal: refusal}
}

// Refuse is the report where the ledger refuses what the finding tells it.
func (f Finding) Refuse(c Claim, refusal domain.Refusal) Disputed {
	return Disputed{c, refusedTrouble(f.Refused, refusal).Stored()}
}

// Stored is the trouble as its row has it; ReadTrouble reads it.
func (t Trouble) Stored() string {
	if t.Kind == TroubleText {
		return t.Text
	}
	text, err := json.Marshal(t)
	if err != nil {
		panic("attempt: " + err.Error()) // texts and numbers alone
	}
	return string(text)
}

// ReadTrouble reads the trouble of a row. What servers of earlier releases wrote in words is taken
// apart, because they named minor units with the currency; other words stay as they are.
func ReadTrouble(stored string) Trouble {
	var t Trouble
	if strings.HasPrefix(stored, "{") && json.Unmarshal([]byte(stored), &t) == nil && t.Kind != TroubleText {
		return t
	}
	return readWords(stored)
}

// The words of earlier releases.
var (
	mismatchWords  = regexp.MustCompile(`^the acquirer reports (\w+) for ` + sumWords + `; the attempt is for (-?\d+) (\w+)$`)
	paidAgainWords = regexp.MustCompile(`^paid, and paid again: (` + sumWords + `(?:, ` + sumWords + `)*)$`)
	oneSum         = regexp.MustCompile(sumWords)
	refusedWords   = regexp.MustCompile(`^the (?:acquirer reports (paid|declined)|(time is over|payer gave up)); the ledger says (\w+)$`)
	noAccountWords = regexp.MustCompile(`^the outcome is unknown, and the application has no account with (\S+) any more$`)
)

const (
	sumWords       = `(-?\d+) (\S*) under ("(?:[^"\\]|\\.)*")`
	noInquiryWords = "the outcome is unknown and the acquirer cannot be asked"
)

func readWords(text string) Trouble {
	if m := mismatchWords.FindStringSubmatch(text); m != nil {
		asked := readSum(m[5], m[6], `""`)
		return Trouble{Kind: TroubleMismatch, State: acquirer.State(m[1]), Sums: []Sum{readSum(m[2], m[3], m[4])},
			Asked: &asked}
	}
	if m := paidAgainWords.FindStringSubmatch(text); m != nil {
		t := Trouble{Kind: TroublePaidAgain}
		for _, one := range oneSum.FindAllStringSubmatch(m[1], -1) {
			t.Sums = append(t.Sums, readSum(one[1], one[2], one[3]))
		}
		return t
	}
	if m := refusedWords.FindStringSubmatch(text); m != nil {
		return refusedTrouble(m[1]+m[2], domain.Refusal(m[3]))
	}
	if m := noAccountWords.FindStringSubmatch(text); m != nil {
		return Trouble{Kind: TroubleNoAccount, Acquirer: m[1]}
	}
	if text == noInquiryWords {
		return Trouble{Kind: TroubleNoInquiry}
	}
	return Trouble{Text: text}
}

func readSum(minor, currency, quoted string) Sum {
	n, _ := strconv.ParseInt(minor, 10, 64)
	reference, _ := strconv.Unquote(quoted)
	return Sum{n, domain.Currency(currency), reference}
}

// String is for logs and commands.
func (t Trouble) String() string {
	var sums []string
	for _, s := range t.Sums {
		sums = append(sums, s.String())
	}
	all := strings.Join(sums, ", ")
	switch t.Kind {
	case TroubleMismatch:
		text := fmt.Sprintf("the acquirer reports %s for %s", t.State, all)
		if t.Asked != nil {
			text += "; the attempt is for " + t.Asked.String()
		}
		return text
	case TroublePaidAgain:
		return "paid, and paid again: " + all
	case TroubleRefused:
		switch t.What {
		case RefusedPaid, RefusedDeclined:
			return fmt.Sprintf("the acquirer reports %s; the ledger says %s", t.What, string(t.Refusal))
		}
		return fmt.Sprintf("the %s; the ledger says %s", t.What, string(t.Refusal))
	case TroubleNoInquiry:
		return noInquiryWords
	case TroubleNoAccount:
		return "the outcome is unknown, and the application has no account with " + t.Acquirer + " any more"
	case TroubleText:
		return t.Text
	}
	return t.Stored() // of a later release
}
