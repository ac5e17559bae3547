package bank

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// sendersMax is how many notifications are sent at the same time.
const sendersMax = 16

// notifier pushes messages in the background, and lets callers wait until none is being sent.
type notifier struct {
	config Config
	closed context.Context
	client *http.Client
	wire   chan struct{} // a token per sender

	mu     sync.Mutex
	active int
	quiet  chan struct{} // closed while active is 0
}

func newNotifier(closed context.Context, c Config) *notifier {
	n := &notifier{
		config: c, closed: closed,
		client: &http.Client{
			Transport:     &http.Transport{IdleConnTimeout: 30 * time.Second, MaxIdleConnsPerHost: sendersMax},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Timeout:       5 * time.Second,
		},
		wire: make(chan struct{}, sendersMax), quiet: make(chan struct{}),
	}
	close(n.quiet)
	return n
}

// message is one notification that is to be sent.
type message struct {
	url    string
	body   []byte
	secret string
	once   bool // is not tried again
}

// start sends the messages one after the other in the background.
func (n *notifier) start(messages []message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed.Err() != nil || len(messages) == 0 {
		return
	}
	if n.active == 0 {
		n.quiet = make(chan struct{})
	}
	n.active++
	go func() {
		defer n.done()
		for _, m := range messages {
			n.deliver(m)
		}
	}()
}

func (n *notifier) done() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.active--
	if n.active == 0 {
		close(n.quiet)
	}
}

func (n *notifier) wait(ctx context.Context) error {
	n.mu.Lock()
	quiet := n.quiet
	n.mu.Unlock()
	select {
	case <-quiet:
		return nil
	default: // an ended ctx must not hide that nothing is being sent
	}
	select {
	case <-quiet:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for notifications: %w", ctx.Err())
	}
}

// shut waits for the senders. Their context has ended, so start begins no new ones.
func (n *notifier) shut() {
	n.mu.Lock()
	quiet := n.quiet
	n.mu.Unlock()
	<-quiet
	n.client.CloseIdleConnections()
}

func (n *notifier) deliver(m message) {
	for i, after := range n.config.NotifyAfter {
		pause := time.NewTimer(after)
		select {
		case <-pause.C:
		case <-n.closed.Done():
			pause.Stop()
			return
		}
		n.wire <- struct{}{}
		err := n.post(m)
		<-n.wire
		if err == nil || m.once {
			return
		}
		n.config.Logger.Warn().Err(err).Int("try", i+1).Msg("notification not delivered")
	}
}

// post sends the message once. A receiver that refuses it has received it; only no answer and
// 5xx are errors.
func (n *notifier) post(m message) error {
	req, err := http.NewRequestWithContext(n.closed, http.MethodPost, m.url, bytes.NewReader(m.body))
	if err != nil {
		return fmt.Errorf("make notification: %w", err)
	}
	timestamp := strconv.FormatInt(n.config.Clock().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(headerTimestamp, timestamp)
	req.Header.Set(headerSignature, sign(m.secret, timestamp, m.body))
	res, err := n.client.Do(req)
	if err != nil {
		// Without the URL: it is the merchant's, and may have a secret.
		return fmt.Errorf("send notification: receiver not reached")
	}
	defer res.Body.Close()
	// Read the body, so that the connection can be used again.
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	if res.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("send notification: receiver answered %d", res.StatusCode)
	}
	return nil
}

// sign is the HMAC-SHA256, in hex, of timestamp + "." + body.
func sign(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// notifyDecided notifies the merchant of a payment that its payer decided, three times for the
// number that does so. b.mu is held.
func (b *Bank) notifyDecided(p *payment, state string) {
	if state == statePending {
		return
	}
	if p.Behaviour != notifiesThrice || state != statePaid {
		b.notifyOnce(p, state)
		return
	}
	wrongAmount := b.message(p, state, p.Amount+1)
	wrongAmount.once = true
	badSignature := b.message(p, state, p.Amount)
	badSignature.secret, badSignature.once = "not "+b.config.Secret, true
	b.push(p, wrongAmount, badSignature, b.message(p, state, p.Amount))
}

func (b *Bank) notifyOnce(p *payment, state string) {
	b.push(p, b.message(p, state, p.Amount))
}

func (b *Bank) push(p *payment, messages ...message) {
	if p.NotifyURL != "" {
		b.notifier.start(messages)
	}
}

func (b *Bank) message(p *payment, state string, amount int64) message {
	body, err := json.Marshal(paymentAnswer{
		ID: p.ID, Intent: p.Intent, Amount: amount, Currency: p.Currency, State: state, Reference: p.Reference,
	})
	if err != nil {
		panic("bank: notification is not JSON: " + err.Error()) // its strings were read from JSON
	}
	return message{url: p.NotifyURL, body: body, secret: b.config.Secret}
}
