package history

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Kind is the kind of a request.
type Kind string

// The kinds of requests.
const (
	Create Kind = "create" // POST a payment intent
	Read   Kind = "read"   // GET one
	Pay    Kind = "pay"    // a payer goes through the checkout page
)

// Request is one call of a client and its outcome.
type Request struct {
	Client      int
	Server      string // which server it was sent to
	Kind        Kind
	Application uuid.UUID // whose credentials it carried
	Reference   string    // merchant_reference of the intent it is about
	Intent      string    // uuid of the intent in the request or in the answer
	Sent        []byte    // body of the request
	Began       time.Duration
	Ended       time.Duration
	Status      int    // HTTP status; 0: no definite answer, so it may have happened
	Answer      []byte // body of the answer
	RequestID   string
	Problem     string // why there was no definite answer
	Page        string // of Pay: data-state of the last page that the payer saw; empty: none
}

// Delivery is a webhook that reached a sink.
type Delivery struct {
	Sink        string // the sink's behaviour: ok, flaky, hang ...
	Application uuid.UUID
	Arrived     time.Duration
	ID          string // webhook-id
	Timestamp   string // webhook-timestamp
	Signature   string // webhook-signature
	Body        []byte
	Answered    int // the status that the sink gave; 0: none
}

// Fault is a fault that the suite made.
type Fault struct {
	Name   string // F1 ... F18
	Target string // a server, postgres, a sink ...
	Detail string
	Began  time.Duration
	Ended  time.Duration
}

// Application is a merchant's application in the run, with its secrets.
type Application struct {
	UUID          uuid.UUID
	Organization  uuid.UUID
	APIKey        string
	AccessToken   string
	WebhookSecret string
	Sink          string // the behaviour of its webhook endpoint
}

// Taken is a payment in the books of the acquirer.
type Taken struct {
	Intent   string
	Amount   int64
	Currency string
	TakenAt  time.Time
}

// Sample is the resources that a server used at a time.
type Sample struct {
	Server     string
	Process    int // its id, which changes when the server is restarted
	At         time.Duration
	RSS        int64 // bytes
	FDs        int64
	Goroutines int64
}

// Run is everything that was recorded.
type Run struct {
	Seed         uint64
	Started      time.Time
	Applications []Application
	Requests     []Request
	Deliveries   []Delivery
	Faults       []Fault
	Samples      []Sample
	Bank         []Taken  // the acquirer's books after the end
	Logs         []string // files with everything that the servers printed
	Counters     map[string]int64
}

// Recorder records a Run while it happens.
type Recorder struct {
	mu      sync.Mutex
	run     Run
	started time.Time
}

// NewRecorder starts the clock of a run.
func NewRecorder(seed uint64) *Recorder {
	now := time.Now()
	return &Recorder{started: now, run: Run{Seed: seed, Started: now, Counters: map[string]int64{}}}
}

// Now is the time since the start.
func (r *Recorder) Now() time.Duration { return time.Since(r.started) }

// Application records an application that clients use.
func (r *Recorder) Application(a Application) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Applications = append(r.run.Applications, a)
}

// Request records a call once it is over.
func (r *Recorder) Request(q Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Requests = append(r.run.Requests, q)
}

// Delivery records a webhook once the sink has answered it.
func (r *Recorder) Delivery(d Delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Deliveries = append(r.run.Deliveries, d)
}

// DeliveriesAfter returns the deliveries after the first n.
func (r *Recorder) DeliveriesAfter(n int) []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.run.Deliveries[n:])
}

// Fault records a fault that has healed.
func (r *Recorder) Fault(f Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Faults = append(r.run.Faults, f)
}

// Sample records the resources that a server uses.
func (r *Recorder) Sample(s Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Samples = append(r.run.Samples, s)
}

// Count adds n to a counter, such as "ambiguous commits".
func (r *Recorder) Count(name string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Counters[name] += n
}

// Run returns what was recorded until now. Sinks whose webhooks are retried record more meanwhile.
func (r *Recorder) Run() *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.run
	run.Counters = maps.Clone(run.Counters)
	return &run
}
