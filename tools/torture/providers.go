package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/cmd/daftar-dev/fakes"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer/fake"
	"daftar/tools/torture/history"
)

// provider is a fake of a real acquirer. A run has the two fakes that differ most: Plutu's
// Adfali, where a payer types a code and there is no inquiry, and LYPay, where a payer
// approves a QR code in another app and the bank has an inquiry.
type provider struct {
	*acquirer

	name, method string
	settings     map[string]string // of an account with it
}

func (s *stage) startProviders(ctx context.Context) error {
	var err error
	if s.operatorLog, err = s.logFile("operator"); err != nil {
		return err
	}
	var failures []error
	for _, f := range fakes.All() {
		switch f.Acquirer {
		case "plutu":
			p, err := s.startProvider(ctx, f, "adfali")
			s.plutu, failures = p, append(failures, err)
		case "lypay":
			p, err := s.startProvider(ctx, f, "lypay")
			s.lypay, failures = p, append(failures, err)
		}
	}
	return errors.Join(failures...)
}

func (s *stage) startProvider(ctx context.Context, f fake.Program, method string) (*provider, error) {
	p := &provider{name: f.Acquirer, method: method}
	if err := json.Unmarshal([]byte(f.Settings), &p.settings); err != nil {
		return nil, fmt.Errorf("settings of %s: %w", f.Acquirer, err)
	}
	for setting, value := range p.settings {
		if setting != "iban" && setting != "merchant_name" {
			s.secrets = append(s.secrets, value)
		}
	}
	// A fake prints its keys, so its output is not a log that the checker reads.
	output, err := s.file(f.Acquirer + ".out")
	if err != nil {
		return nil, err
	}
	run := func(address string) (arguments, environment []string) {
		return []string{"fake-acquirer", f.Acquirer, "--listen", address}, nil
	}
	p.acquirer, err = s.startAcquirer(ctx, f.Acquirer, output, run)
	return p, err
}

func (s *stage) providers() []*provider { return []*provider{s.plutu, s.lypay} }

// acquirerLinks are the links from the servers to all acquirers.
func (s *stage) acquirerLinks() []*link {
	var all []*link
	for _, a := range s.acquirers {
		all = append(all, a.link)
	}
	return all
}

// openAccounts gives the nth application its accounts with the providers.
func (s *stage) openAccounts(
	ctx context.Context, of *settings.Settings, app history.Application, n int,
) error {
	s.lypay.settings["iban"] = ibanOf(n)
	for _, p := range s.providers() {
		settings, err := json.Marshal(p.settings)
		if err != nil {
			return fmt.Errorf("open account with %s: %w", p.name, err)
		}
		err = of.SetAcquirer(ctx, accounts.Operator("torture"),
			accounts.OrganizationID(app.Organization), domain.ApplicationID(app.UUID),
			p.name, settings, []string{p.method})
		if err != nil {
			return fmt.Errorf("open account with %s: %w", p.name, err)
		}
	}
	return nil
}

// listenToProviders registers the address for LYPay's notices of each application. Plutu
// sends no notices about Adfali.
func (s *stage) listenToProviders(ctx context.Context) error {
	for n, t := range s.tenants {
		text, err := json.Marshal(map[string]string{
			"iban": ibanOf(n), "key": s.lypay.settings["webhook_key"],
			"url": payments.NotifyURL("http://"+s.front.address, s.lypay.name, domain.ApplicationID(t.UUID)),
		})
		if err != nil {
			return fmt.Errorf("name the address of notices: %w", err)
		}
		if err := s.lypay.control(ctx, http.MethodPost, "/control/webhook", string(text), nil); err != nil {
			return err
		}
	}
	return nil
}

// ibanOf is the IBAN of the nth application at a bank that does not exist.
func ibanOf(n int) string {
	account := fmt.Sprintf("099001%015d", n+1)
	rest := 0
	for _, digit := range account + "213400" { // L, Y and 00 for the check digits: ISO 13616
		rest = (10*rest + int(digit-'0')) % 97
	}
	return fmt.Sprintf("LY%02d%s", 98-rest, account)
}

// booked is an entry in a provider's books.
type booked struct {
	Reference string `json:"reference"`
	Amount    int64  `json:"amount"`
	Currency  string `json:"currency"`
	Taken     int    `json:"taken"`
}

func (p *provider) books(ctx context.Context) ([]booked, error) {
	var all struct{ Payments []booked }
	err := p.control(ctx, http.MethodGet, "/control/ledger", "", &all)
	return all.Payments, err
}

// took reports whether the books have a payment for the attempt.
func took(books []booked, attempt string) bool {
	return slices.ContainsFunc(books, func(b booked) bool {
		return b.Taken > 0 && slices.Contains(referencesOf(attempt), b.Reference)
	})
}

// referencesOf are the references that an attempt may have in a provider's books.
func referencesOf(attempt string) []string {
	const most = 25 // characters of a reference in LYPay's codes
	return []string{attempt, attempt[:min(len(attempt), most)]}
}

const referencesSQL = `
SELECT attempt, intent_uuid::text
FROM checkout_attempts
WHERE acquirer = $1`

// taken returns the payments in the books of all acquirers.
func (s *stage) taken(ctx context.Context) ([]history.Taken, error) {
	all, err := s.bank.taken(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range s.providers() {
		books, err := p.books(ctx)
		if err != nil {
			return nil, err
		}
		intents, err := s.intentsOf(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, b := range books {
			for range b.Taken {
				all = append(all, history.Taken{Intent: intents[b.Reference], Amount: b.Amount, Currency: b.Currency})
				s.recorder.Count(countTakenBy+p.name, 1)
			}
		}
	}
	return all, nil
}

// intentsOf maps each reference that a provider may have in its books to its intent.
func (s *stage) intentsOf(ctx context.Context, p *provider) (map[string]string, error) {
	rows, err := s.pool.Query(ctx, referencesSQL, p.name)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	intents := map[string]string{}
	var attempt, intent string
	_, err = pgx.ForEachRow(rows, []any{&attempt, &intent}, func() error {
		for _, reference := range referencesOf(attempt) {
			intents[reference] = intent
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return intents, nil
}
