package acceptance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
)

// treatment is what happens to the webhooks of an order on their way to the shop.
type treatment int

// The treatments, which orders get in turn.
const (
	passed   treatment = iota
	lost               // answered as if they had arrived
	doubled            // twice, at the same moment
	repeated           // the shop's answer is lost, so they are sent again
	held               // answered, and delivered after everything else
	treatments
)

// webhookRelay is between Daftar and a shop's address for webhooks. While the shop is down it queues
// requests, as a connection does that waits for its listener.
type webhookRelay struct {
	*httptest.Server

	t  *testing.T
	to *httputil.ReverseProxy

	mu       sync.Mutex
	of       map[string]treatment // by reference
	once     map[string]bool      // webhook-ids whose answer was lost
	arrivals map[string]int       // accepted by the shop, by webhook-id
	paid     int                  // accepted webhooks of a payment
	crashAt  []int                // the numbers of those at which the shop is killed
	kill     func()
	crashed  chan struct{}
	up       chan struct{} // closed while the shop is open
	release  chan struct{} // closed when the held webhooks are to be delivered
	late     sync.WaitGroup

	asksFirst bool // the shop asks the API before it answers: 503 where it cannot
}

func newWebhookRelay(t *testing.T, shopURL string) *webhookRelay {
	t.Helper()
	target, err := url.Parse(shopURL)
	if err != nil {
		t.Fatal(err)
	}
	w := &webhookRelay{
		t: t, to: httputil.NewSingleHostReverseProxy(target), of: map[string]treatment{}, once: map[string]bool{},
		arrivals: map[string]int{},
		crashed:  make(chan struct{}, 8), up: make(chan struct{}), release: make(chan struct{}),
	}
	// A killed shop does not answer; Daftar sends again.
	w.to.ErrorHandler = func(rw http.ResponseWriter, _ *http.Request, _ error) {
		rw.WriteHeader(http.StatusBadGateway)
	}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

// open reports that the shop listens.
func (w *webhookRelay) open() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.up)
}

// treat chooses the treatment of the webhooks of an order before it is paid.
func (w *webhookRelay) treat(reference string, as treatment) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[reference] = as
}

type webhook struct {
	id, kind, reference string
	request             *http.Request
	body                []byte
}

func (w *webhookRelay) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var event struct {
		Type string
		Data struct {
			Reference string `json:"merchant_reference"`
		}
	}
	if err == nil {
		err = json.Unmarshal(body, &event)
	}
	if err != nil {
		w.t.Errorf("webhook %q: %v", body, err)
	}
	hook := webhook{r.Header.Get("Webhook-Id"), event.Type, event.Data.Reference, r, body}
	w.mu.Lock()
	as, again := w.of[hook.reference], w.once[hook.id]
	w.once[hook.id] = true
	w.mu.Unlock()
	switch {
	case as == lost:
		rw.WriteHeader(http.StatusNoContent)
	case as == held && hook.kind == "payment_intent.succeeded":
		w.late.Go(func() {
			<-w.release
			w.forward(hook)
		})
		rw.WriteHeader(http.StatusNoContent)
	case as == doubled:
		var both sync.WaitGroup
		both.Go(func() { w.forward(hook) })
		rw.WriteHeader(w.forward(hook))
		both.Wait()
	case as == repeated && !again && w.forward(hook) < http.StatusMultipleChoices:
		rw.WriteHeader(http.StatusServiceUnavailable)
	default:
		rw.WriteHeader(w.forward(hook))
	}
}

// forward delivers a webhook and returns the status of the shop's answer.
func (w *webhookRelay) forward(hook webhook) int {
	w.mu.Lock()
	up := w.up
	w.mu.Unlock()
	<-up
	answer := httptest.NewRecorder()
	r := hook.request.Clone(w.t.Context())
	r.Body = io.NopCloser(bytes.NewReader(hook.body))
	w.to.ServeHTTP(answer, r)
	if answer.Code == http.StatusNoContent {
		w.arrived(hook)
	} else if answer.Code != http.StatusBadGateway &&
		(!w.asksFirst || answer.Code != http.StatusServiceUnavailable) {
		w.t.Errorf("the shop answered the webhook %s with %d", hook.body, answer.Code)
	}
	return answer.Code
}

// arrived counts a webhook that the shop accepted, and kills the shop if its turn has come: the
// shop has acknowledged a payment, and has not processed it.
func (w *webhookRelay) arrived(hook webhook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrivals[hook.id]++
	if hook.kind != "payment_intent.succeeded" {
		return
	}
	w.paid++
	if len(w.crashAt) > 0 && w.paid >= w.crashAt[0] {
		w.crash()
	}
}

// crashNow kills the shop if a crash is due that no webhook triggered.
func (w *webhookRelay) crashNow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.crashAt) > 0 {
		w.crash()
	}
}

// crash kills the shop if it is open: an answer may arrive after its shop was killed, and would
// count as a crash of the next shop.
func (w *webhookRelay) crash() {
	select {
	case <-w.up:
	default:
		return
	}
	w.crashAt = w.crashAt[1:]
	w.kill()
	w.up = make(chan struct{})
	w.crashed <- struct{}{}
}

// accepted is how often the shop accepted a webhook.
func (w *webhookRelay) accepted(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.arrivals[id]
}
