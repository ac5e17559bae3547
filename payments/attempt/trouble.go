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
	TroubleRefused   TroubleKind = "refused"    // the ledger refused the command
	TroubleNoInquiry TroubleKind = "unaskable"  // the outcome is unknown, and the acquirer has no inquiries
	TroubleNoAccount TroubleKind = "no_account" // it is unknown, and the application has no account any more
)

// The values of Finding.Refused. The words are stored.
const (
	RefusedPaid      = "paid"
	RefusedDeclined  = "declined"
	RefusedTimeOver  = "time is over"
	RefusedAbandoned = "payer gave up"
)

// Trouble is why an operator must look at an attempt: a kind and its values. The pages turn it into
// a sentence.
type Trouble struct {
	Kind     TroubleKind    `json:"kind"`
	State    acquirer.State `json:"state,omitempty"`    // what the acquirer reports, of a mismatch
	Sums     []Sum          `json:"sums,omitempty"`     // that the acquirer reports
	Asked    *Sum           `json:"asked,omitempty"`    // what the attempt is for
	What     string         `json:"what,omitempty"`     // that the ledger refused
	Refusal  domain.Refusal `json:"refusal,omitempty"`  // the ledger's reason
	Acquirer string         `json:"acquirer,omitempty"` // of TroubleNoAccount
	Text     string         `json:"-"`                  // of TroubleText
}

// Sum is money as an acquirer reports it; its currency may be one that domain does not know.
type Sum struct {
	Minor     int64           `json:"minor"` // in the currency's smallest unit
	Currency  domain.Currency `json:"currency"`
	Reference string          `json:"reference,omitempty"`
}

func sumOf(m domain.Money, reference string) Sum { return Sum{m.Minor, m.Currency, reference} }

// Money is the sum; ok is false where domain does not know its currency, nor how many decimals
// it has.
func (s Sum) Money() (m domain.Money, ok bool) {
	_, err := domain.ParseCurrency(string(s.Currency))
	return domain.Money{Minor: s.Minor, Currency: s.Currency}, err == nil
}

// String is the sum with its reference, for logs and commands.
func (s Sum) String() string {
	m, _ := s.Money()
	text := m.String()
	if s.Reference != "" {
		text += " under " + strconv.Quote(s.Reference)
	}
	return text
}

func refusedTrouble(what string, refusal domain.Refusal) Trouble {
	return Trouble{Kind: TroubleRefused, What: what, Refusal: refusal}
}

// Refuse returns the report for where the ledger refuses the finding's command.
func (f Finding) Refuse(c Claim, refusal domain.Refusal) Disputed {
	return Disputed{c, refusedTrouble(f.Refused, refusal).Stored()}
}

// Stored returns the text for the row; ReadTrouble reads it.
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

// ReadTrouble reads the trouble of a row. Servers of earlier releases wrote sentences with amounts in
// minor units; those are parsed. Any other text stays as it is.
func ReadTrouble(stored string) Trouble {
	var t Trouble
	if strings.HasPrefix(stored, "{") && json.Unmarshal([]byte(stored), &t) == nil && t.Kind != TroubleText {
		return t
	}
	return readWords(stored)
}

// The sentences of earlier releases.
var (
	mismatchWords = regexp.MustCompile(
		`^the acquirer reports (\w+) for ` + sumWords + `; the attempt is for (-?\d+) (\w+)$`)
	paidAgainWords = regexp.MustCompile(`^paid, and paid again: (` + sumWords + `(?:, ` + sumWords + `)*)$`)
	oneSum         = regexp.MustCompile(sumWords)
	refusedWords   = regexp.MustCompile(
		`^the (?:acquirer reports (paid|declined)|(time is over|payer gave up)); the ledger says (\w+)$`)
	noAccountWords = regexp.MustCompile(
		`^the outcome is unknown, and the application has no account with (\S+) any more$`)
)

const (
	sumWords       = `(-?\d+) (\S*) under ("(?:[^"\\]|\\.)*")`
	noInquiryWords = "the outcome is unknown and the acquirer cannot be asked"
)

func readWords(text string) Trouble {
	if m := mismatchWords.FindStringSubmatch(text); m != nil {
		asked := readSum(m[5], m[6], `""`)
		return Trouble{
			Kind: TroubleMismatch, State: acquirer.State(m[1]), Sums: []Sum{readSum(m[2], m[3], m[4])},
			Asked: &asked,
		}
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

// String is the trouble as a sentence, for logs and commands.
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
