//go:build long

package checkout_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
)

// crowd pays with all methods at two servers, while calls to the acquirers go wrong.
type crowd struct {
	*shop
	servers  [2]string
	client   *http.Client
	mu       sync.Mutex
	messages map[string][]*pushed // by acquirer
	faults   atomic.Int64

	stopSecond func()
}

// pushed is a message that an acquirer, or a payer's browser, brought.
type pushed struct {
	method, path, query, body string
	header                    http.Header
}

// maxMessages is how many genuine messages are kept of each acquirer.
const maxMessages = 200

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{shop: newShop(t, "plutu", "moamalat", "lypay"), messages: map[string][]*pushed{}}
	c.adds = true
	// With the other dialect the bank reports only one of two credits, and only reconciliation
	// finds the second.
	c.command("lypay", "/control/dialect", map[string]any{"answers": "list"})
	c.client = &http.Client{
		Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(c.client.CloseIdleConnections)
	c.listen(*c.handler.Load())
	c.servers = [2]string{c.url, c.second()}
	return c
}

// listen records what acquirers push to the first server, whose address they have.
func (c *crowd) listen(h http.Handler) {
	recording := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/acquirers/") || strings.HasSuffix(r.URL.Path, "/return") {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			name := "plutu"
			if part := strings.Split(r.URL.Path, "/"); part[1] == "acquirers" {
				name = part[2]
			}
			c.mu.Lock()
			if len(c.messages[name]) < maxMessages {
				c.messages[name] = append(c.messages[name],
					&pushed{r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.Header.Clone()})
			}
			c.mu.Unlock()
		}
		h.ServeHTTP(w, r)
	}))
	c.handler.Store(&recording)
}

// second starts another server on the same database.
func (c *crowd) second() string {
	t, pool := c.t, c.db.Pool(c.t)
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(pool)
	first := c.ledger
	c.ledger = ledger.New(store, intents)
	k := c.newServer(c.acquirer)
	c.ledger = first
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { k.Run(ctx) })
	server := httptest.NewServer(web.Proxies(nil).Wrap(zerolog.Nop(), web.SecurityHeaders(c.url)(k.Handler())))
	c.stopSecond = sync.OnceFunc(func() {
		server.Close()
		cancel()
		running.Wait()
		intents.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	t.Cleanup(c.stopSecond)
	return server.URL
}

// send sends a request to a server. A failure counts as a payer's bad connection.
func (c *crowd) send(method, address string, form url.Values, header http.Header) (int, string, http.Header) {
	req, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Error(err)
		return 0, "", nil
	}
	maps.Copy(req.Header, header)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := c.client.Do(req)
	if err != nil {
		return 0, "", nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body), res.Header
}

// payer is one of the crowd, in a separate network.
type payer struct {
	*crowd
	random *rand.Rand
	from   http.Header
	page   string // below a server
}

// at is an address of one of the servers.
func (p *payer) at(path string) string { return p.servers[p.random.IntN(2)] + path }

var (
	stateForm     = regexp.MustCompile(`data-state="([a-z-]+)"`)
	payloadForm   = regexp.MustCompile(`data-payload="([^"]+)"`)
	referenceForm = regexp.MustCompile(`"MerchantReference":"([0-9a-z]+)"`)
	linkForm      = regexp.MustCompile(`href="(http://[^"]+/(?:pay|bank)/[^"]+)"`)
)

func (p *payer) currentState() (state, body string) {
	_, body, _ = p.send(http.MethodGet, p.at(p.page), nil, p.from)
	if found := stateForm.FindStringSubmatch(body); found != nil {
		return found[1], body
	}
	return "", body
}

func (p *payer) postForm(form string, values url.Values) {
	p.send(http.MethodPost, p.at(p.page+"/"+form), values, p.from)
}

func (p *payer) chance(percent int) bool { return p.random.IntN(100) < percent }

// planFault plans, sometimes, a fault of a call that is about to be made by this payer or another.
func (p *payer) planFault(name string, calls ...string) {
	if !p.chance(12) {
		return
	}
	faults := []string{"drop_before", "drop_after", "error", "error_after", "html", "html_after", "empty_after"}
	p.control(name, "/control/faults", map[string]any{
		"call": calls[p.random.IntN(len(calls))], "faults": []string{faults[p.random.IntN(len(faults))]},
	})
	p.faults.Add(1)
}

func (p *payer) control(name, path string, body map[string]any) string {
	sent, _ := json.Marshal(body)
	res, err := p.client.Post(p.fakes[name].URL+path, "application/json", strings.NewReader(string(sent)))
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(res.Body)
	return string(answer)
}

var methods = []string{"adfali", "sadad", "cards", "tlync", "moamalat", "lypay", "wallet", "card"}

// pays makes up to three attempts with random methods.
func (p *payer) pays() {
	for range 1 + p.random.IntN(3) {
		method := methods[p.random.IntN(len(methods))]
		form := url.Values{
			"method":     {method},
			"phone":      {fmt.Sprintf("091%07d", 1_000_000+p.random.IntN(8_000_000))},
			"birth_year": {"1990"},
		}
		switch method {
		case "adfali":
			p.planFault("plutu", "edfali/verify", "edfali/confirm")
		case "sadad":
			p.planFault("plutu", "sadadapi/verify", "sadadapi/confirm")
		case "cards", "tlync":
			p.planFault("plutu", "localbankcards/confirm", "tlync/confirm")
		case "moamalat":
			p.planFault("moamalat", "filter")
		case "lypay":
			p.planFault("lypay", "by_reference", "transfer")
		case "wallet":
			if p.chance(15) { // numbers that act differently
				form.Set("phone", fmt.Sprintf("096000%03d%d", p.random.IntN(1_000), 1+p.random.IntN(5)))
			}
		}
		p.postForm("attempts", form)
		p.continuePayment(method)
		if state, _ := p.currentState(); state == "receipt" && !p.chance(3) {
			return
		}
		if p.chance(40) {
			p.postForm("give-up", url.Values{})
		}
	}
}

// continuePayment does what the page asks for, or something else.
func (p *payer) continuePayment(method string) {
	state, body := p.currentState()
	switch state {
	case "otp":
		right := "111111"
		if method == "adfali" {
			right = "1111"
		}
		if p.chance(20) {
			p.postForm("code", url.Values{"otp": {strings.Repeat("9", max(len(right), 4))}})
		}
		if p.chance(90) {
			p.postForm("code", url.Values{"otp": {right}})
		}
	case "lightbox":
		if found := referenceForm.FindStringSubmatch(body); found != nil && p.chance(85) {
			amount := 0
			_, _ = fmt.Sscanf(body[strings.Index(body, `"AmountTrxn":`)+len(`"AmountTrxn":`):], "%d", &amount)
			for range 1 + p.random.IntN(10)/9 { // some pay in two tabs
				outcome := []string{"approved", "approved", "approved", "declined"}[p.random.IntN(4)]
				p.control("moamalat", "/control/sale",
					map[string]any{"reference": found[1], "amount": amount, "outcome": outcome})
			}
		}
	case "qr":
		if found := payloadForm.FindStringSubmatch(body); found != nil && p.chance(85) {
			scan := map[string]any{"payload": html.UnescapeString(found[1])}
			switch percent := p.random.IntN(100); {
			case percent < 4:
				scan["times"] = 2
			case percent < 8:
				scan["amount"] = 1_000
			case percent < 18:
				scan["notices"] = []string{}
			case percent < 28:
				scan["notices"] = []string{"forged", "other_amount", "right", "right", "unsigned"}
			}
			p.control("lypay", "/control/scan", scan)
		}
	case "processing":
		p.visitAcquirer(body)
	}
}

// visitAcquirer presses a button on the acquirer's page, and mostly comes back.
func (p *payer) visitAcquirer(body string) {
	found := linkForm.FindStringSubmatch(body)
	if found == nil || !p.chance(90) {
		return
	}
	button := []string{"pay", "pay", "pay", "decline", "leave"}[p.random.IntN(5)]
	_, _, header := p.send(http.MethodPost, html.UnescapeString(found[1]), url.Values{"action": {button}}, nil)
	if back, err := url.Parse(header.Get("Location")); err == nil && back.Path != "" && p.chance(85) {
		p.send(http.MethodGet, p.at(back.RequestURI()), nil, p.from)
	}
}
