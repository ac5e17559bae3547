package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"daftar/tools/torture/history"
)

// crowd is all clients of the service.
type crowd struct {
	*stage
	client *http.Client // does not follow redirects; each request has its own time limit
	began  time.Time

	acknowledged atomic.Int64
	throughFront atomic.Bool // merchants use the front door, too
	payable      chan ticket
	received     chan webhook
	lives        chan struct{} // a token for each intent that is about to expire

	mu         sync.Mutex
	clients    int
	known      []ticket // some that were acknowledged
	struggles  []struggle
	unknown    map[string]bool // intents whose payer was left without an answer
	scanned    map[string]bool // intents whose QR code a payer uses
	transfers  []string        // that payers made with QR codes, as the bank names them
	complaints []string        // wrong answers
	complained int
	background sync.WaitGroup
}

// ticket is an intent that a client knows.
type ticket struct {
	tenant    *tenant
	reference string
	uuid      string
	path      string // of its page
	amount    int64
}

// webhook is a webhook that an endpoint received.
type webhook struct {
	tenant    *tenant
	kind      string
	uuid      string
	reference string
}

// struggle is the tries of a merchant until a create was answered, from the start of the
// first to the end of the last.
type struggle struct {
	from, to time.Duration
	server   string // that the first try went to
	tries    int
	gaveUp   bool
}

const (
	apiLimit  = 8 * time.Second  // more than the service may take
	pageLimit = 25 * time.Second // the service may call an acquirer twice
	// patience is how long a merchant repeats the same create.
	patience = 20 * time.Second
	// keptKnown is how many intents readers choose from.
	keptKnown = 4096
	// keptComplaints is how many are printed in full.
	keptComplaints = 20
)

func newCrowd(s *stage) *crowd {
	transport := &http.Transport{
		MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second, DisableCompression: true,
	}
	c := &crowd{
		stage: s, unknown: map[string]bool{}, scanned: map[string]bool{}, began: time.Now(),
		payable: make(chan ticket, 64), received: make(chan webhook, 256), lives: make(chan struct{}, 48),
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	s.sinks.onArrival(c.webhookArrived)
	return c
}

// number returns the number of a new client.
func (c *crowd) number() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clients++
	return c.clients
}

// complainf records a wrong answer.
func (c *crowd) complainf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complained++
	if len(c.complaints) < keptComplaints {
		at := fmt.Sprintf("%.1fs: ", c.recorder.Now().Seconds())
		c.complaints = append(c.complaints, at+fmt.Sprintf(format, args...))
	}
}

// door is an address to which requests are sent.
type door struct{ name, address string }

func doorOf(s *server) door      { return door{s.name, s.listen} }
func (c *crowd) frontDoor() door { return door{"front", c.front.address} }
func (c *crowd) doors() []door {
	return []door{doorOf(c.servers[0]), doorOf(c.servers[1]), doorOf(c.servers[2])}
}

// api sends a request of a merchant and records it. Status 0 means that there was no
// definite answer.
func (c *crowd) api(
	ctx context.Context, q history.Request, to door, method, path string, by *tenant,
) history.Request {
	request := func(ctx context.Context) (*http.Request, error) {
		address := "http://" + to.address + "/api/v1" + path
		r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(q.Sent))
		if err != nil {
			return nil, fmt.Errorf("make request: %w", err)
		}
		r.Header.Set("Accept", "application/json")
		r.Header.Set("X-API-Key", by.APIKey)
		r.Header.Set("Authorization", "Bearer "+by.AccessToken)
		if q.Sent != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		return r, nil
	}
	q.Server, q.Application = to.name, by.UUID
	q = c.exchange(ctx, q, apiLimit, request)
	if q.Status == http.StatusCreated || q.Status == http.StatusOK {
		q.Intent = intentOf(q.Answer).UUID
	}
	c.recorder.Request(q)
	return q
}

// form sends a form of a page, or gets the page if fields is nil.
func (c *crowd) form(
	ctx context.Context, client int, t ticket, to door, path string, fields url.Values,
) history.Request {
	q := history.Request{
		Client: client, Server: to.name, Kind: history.Pay,
		Application: t.tenant.UUID, Reference: t.reference, Intent: t.uuid,
	}
	request := func(ctx context.Context) (*http.Request, error) {
		method, body := http.MethodGet, ""
		if fields != nil {
			method, body = http.MethodPost, fields.Encode()
		}
		r, err := http.NewRequestWithContext(ctx, method, "http://"+to.address+path, strings.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("make request: %w", err)
		}
		if fields != nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			// As behind a proxy: the rate limit of a single network is too low for all payers.
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.1", client>>8&255, client&255))
		}
		return r, nil
	}
	q = c.exchange(ctx, q, pageLimit, request)
	q.Sent = []byte(strings.TrimPrefix(path, t.path)) // only which form: its fields are the payer's secret
	page := q.Answer
	q.Answer = nil // pages are large and prove nothing
	c.recorder.Request(q)
	if q.Status == http.StatusInternalServerError {
		c.complainf("page of %s on server %s: 500", t.uuid, to.name)
	}
	q.Answer = page
	return q
}

// exchange makes one request and reads the whole answer.
func (c *crowd) exchange(
	ctx context.Context, q history.Request, limit time.Duration,
	request func(context.Context) (*http.Request, error),
) history.Request {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	q.RequestID = uuid.NewString()
	q.Began = c.recorder.Now()
	defer func() { q.Ended = c.recorder.Now() }()
	r, err := request(ctx)
	if err != nil {
		q.Problem = err.Error()
		return ended(c, q)
	}
	r.Header.Set("X-Request-Id", q.RequestID)
	response, err := c.client.Do(r)
	if err != nil {
		q.Problem = problemOf(err)
		return ended(c, q)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		q.Problem = "half an answer: " + problemOf(err)
		c.recorder.Count(countHalf, 1)
		return ended(c, q)
	}
	q.Status, q.Answer = response.StatusCode, text
	return ended(c, q)
}

func ended(c *crowd, q history.Request) history.Request {
	q.Ended = c.recorder.Now()
	return q
}

// problemOf is the text of an error without the address, which may contain the secret of a
// page.
func problemOf(err error) string {
	for {
		wrapped, ok := err.(interface{ Unwrap() error })
		if !ok || wrapped.Unwrap() == nil {
			return err.Error()
		}
		err = wrapped.Unwrap()
	}
}

// intent is the part of an answer that the suite reads.
type intent struct {
	UUID        string `json:"uuid"`
	Reference   string `json:"merchant_reference"`
	Amount      int64  `json:"amount"`
	Status      string `json:"status"`
	CheckoutURL string `json:"checkout_url"`
}

func intentOf(answer []byte) intent {
	var wrapped struct {
		Data intent `json:"data"`
	}
	_ = json.Unmarshal(answer, &wrapped) // after an error the intent is empty; callers complain about that
	return wrapped.Data
}

// ticketOf returns the intent of an answer, false if the answer has none.
func ticketOf(t *tenant, answer []byte) (ticket, bool) {
	i := intentOf(answer)
	address, err := url.Parse(i.CheckoutURL)
	if err != nil || i.UUID == "" {
		return ticket{}, false
	}
	return ticket{tenant: t, reference: i.Reference, uuid: i.UUID, path: address.Path, amount: i.Amount}, true
}

// remember keeps an acknowledged intent for readers.
func (c *crowd) remember(t ticket, d dice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) < keptKnown {
		c.known = append(c.known, t)
		return
	}
	c.known[d.IntN(keptKnown)] = t
}

func (c *crowd) someKnown(d dice) (ticket, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) == 0 {
		return ticket{}, false
	}
	return c.known[d.IntN(len(c.known))], true
}

func (c *crowd) leftWithoutAnswer(uuid string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unknown[uuid] = true
}
