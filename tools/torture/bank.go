package torture

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	"daftar/tools/torture/history"
)

// bank is the sandbox acquirer.
type bank struct {
	*acquirer

	secret string
}

func (s *stage) startBank(ctx context.Context) error {
	log, err := s.logFile("acquirer")
	if err != nil {
		return err
	}
	b := &bank{secret: randomHex(32)}
	s.secrets = append(s.secrets, b.secret)
	journal := filepath.Join(s.dir, "acquirer.journal")
	run := func(address string) (arguments, environment []string) {
		arguments = []string{"sandbox-acquirer", "--journal", journal}
		environment = []string{
			"DAFTAR_SANDBOX_LISTEN=" + address,
			"DAFTAR_SANDBOX_SECRET=" + b.secret,
			"DAFTAR_LOG_LEVEL=info",
		}
		return arguments, environment
	}
	b.acquirer, err = s.startAcquirer(ctx, "sandbox", log, run)
	s.bank = b
	return err
}

// payment is a payment as the bank's control interface shows it.
type payment struct {
	ID       string `json:"id"`
	Intent   string `json:"intent"`
	Method   string `json:"method"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	State    string `json:"state"`
}

// payments returns the payments of an intent, or all if intent is empty.
func (b *bank) payments(ctx context.Context, intent string) ([]payment, error) {
	path := "/control/payments"
	if intent != "" {
		path += "?intent=" + url.QueryEscape(intent)
	}
	var all []payment
	err := b.control(ctx, http.MethodGet, path, "", &all)
	return all, err
}

// settle decides a payment that is not paid.
func (b *bank) settle(ctx context.Context, id, outcome string) error {
	body := fmt.Sprintf(`{"outcome":%q}`, outcome)
	return b.control(ctx, http.MethodPost, "/control/payments/"+id+"/settle", body, nil)
}

// press sends the form of the bank's page.
func (b *bank) press(ctx context.Context, id, button string) error {
	form := bytes.NewBufferString(url.Values{"action": {button}}.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+b.address+"/bank/"+id, form)
	if err != nil {
		return fmt.Errorf("use the bank's page: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultTransport.RoundTrip(request) // does not follow the redirect to the service
	if err != nil {
		return fmt.Errorf("use the bank's page: %w", err)
	}
	return response.Body.Close()
}

// taken returns the payments in the bank's books.
func (b *bank) taken(ctx context.Context) ([]history.Taken, error) {
	var entries []struct {
		Intent   string    `json:"intent"`
		Amount   int64     `json:"amount"`
		Currency string    `json:"currency"`
		TakenAt  time.Time `json:"taken_at"`
	}
	if err := b.control(ctx, http.MethodGet, "/control/ledger", "", &entries); err != nil {
		return nil, err
	}
	all := make([]history.Taken, len(entries))
	for n, e := range entries {
		all[n] = history.Taken{Intent: e.Intent, Amount: e.Amount, Currency: e.Currency, TakenAt: e.TakenAt}
	}
	return all, nil
}

// notify sends the service a notification of the bank, signed with the given secret, right
// or wrong. It returns the status of the answer, or 0 if there was none.
func (b *bank) notify(ctx context.Context, to string, p payment, secret string) int {
	body, err := json.Marshal(map[string]any{
		"id": p.ID, "intent": p.Intent, "amount": p.Amount, "currency": p.Currency, "state": p.State,
		"reference": "TORTURE1",
	})
	if err != nil {
		panic("torture: a notification is not JSON: " + err.Error())
	}
	address := to + "/acquirers/sandbox/notifications"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Sandbox-Timestamp", timestamp)
	request.Header.Set("Sandbox-Signature", hex.EncodeToString(mac.Sum(nil)))
	response, err := b.client.Do(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}
