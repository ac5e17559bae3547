package fake

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"daftar/payments/acquirer/fake"
)

// Config is what a Plutu needs. The keys, those of its one account, are required; zero
// values of the others mean the default in brackets.
type Config struct {
	APIKey, AccessToken, SecretKey string

	PublicURL string           // of the pages (the address of the call)
	Clock     func() time.Time // (time.Now)
	CodeLife  time.Duration    // how long a code is valid (10 min)
	Limit     int64            // largest payment, in dirham (none); Plutu's test mode has 500,000
	HangFor   time.Duration    // how long a call without an answer takes (30 s)
	SlowFor   time.Duration    // how long a late answer takes (3 s)
}

// Fake is Plutu. It is safe for concurrent use.
type Fake struct {
	config    Config
	mux       *http.ServeMux
	books     fake.Books
	plan      fake.Plan
	messenger *fake.Messenger

	mu        sync.Mutex
	spelling  string
	errors    map[string][]plannedError // by call
	processes map[string]*process       // by process id
	orders    map[string]*order         // by id
	last      int                       // number that was used
}

// New makes a Plutu. Close ends it.
func New(c Config) *Fake {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	c.CodeLife, c.SlowFor = cmp.Or(c.CodeLife, 10*time.Minute), cmp.Or(c.SlowFor, 3*time.Second)
	f := &Fake{
		config:    c,
		mux:       http.NewServeMux(),
		plan:      fake.Plan{HangFor: c.HangFor},
		last:      700_000,
		errors:    map[string][]plannedError{},
		processes: map[string]*process{},
		orders:    map[string]*order{},
		messenger: fake.NewMessenger(),
	}
	f.mux.HandleFunc("POST /v1/transaction/{gateway}/{action}", f.serveCall)
	f.mux.HandleFunc("GET /pay/{id}", f.showPage)
	f.mux.HandleFunc("POST /pay/{id}", f.pressButton)
	fake.Control(f.mux, &f.books, &f.plan)
	f.control()
	return f
}

// ServeHTTP implements http.Handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

// Close cancels messages that are being posted.
func (f *Fake) Close() { f.messenger.Close() }

// number returns the next unused number. f.mu is held.
func (f *Fake) number() string {
	f.last++
	return strconv.Itoa(f.last)
}

// maxForm bounds what is read of a form, in bytes.
const maxForm = 64 << 10

// serveCall serves the API: it checks the credentials, and then carries out the call or fails as
// planned.
func (f *Fake) serveCall(w http.ResponseWriter, r *http.Request) {
	call := r.PathValue("gateway") + "/" + r.PathValue("action")
	f.plan.Around(call, func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		err := r.ParseMultipartForm(maxForm) // which reads the other kind too
		if err != nil && r.PostForm == nil {
			f.write(w, r, fails("INVALID_INPUTS"))
			return
		}
		if refusal, refused := f.authenticate(r); refused {
			f.write(w, r, refusal)
			return
		}
		f.write(w, r, f.answer(call, r))
	})(w, r)
}

// authenticate checks the credentials; true: they are refused.
func (f *Fake) authenticate(r *http.Request) (reply, bool) {
	same := func(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !strings.Contains(r.Header.Get("Accept"), "application/json"):
		return fails("AUTH_ERROR"), true
	case !same(r.Header.Get("X-API-KEY"), f.config.APIKey):
		return fails("AUTH_ERROR"), true
	case !bearer || !same(token, f.config.AccessToken):
		return fails("UNAUTHORIZED"), true
	}
	return reply{}, false
}

// answer carries a call out, or returns the planned error instead of it or after it.
func (f *Fake) answer(call string, r *http.Request) reply {
	f.mu.Lock()
	defer f.mu.Unlock()
	var planned plannedError
	if next := f.errors[call]; len(next) > 0 {
		planned, f.errors[call] = next[0], next[1:]
	}
	if planned.Code != "" && !planned.Taken {
		return fails(planned.Code)
	}
	answer := f.carryOut(call, r)
	if planned.Code != "" {
		return fails(planned.Code)
	}
	return answer
}

// carryOut carries a call out. f.mu is held.
func (f *Fake) carryOut(call string, r *http.Request) reply {
	form := fields(r.PostForm)
	switch call {
	case "edfali/verify":
		return f.verify("edfali", form)
	case "sadadapi/verify":
		return f.verify("sadadapi", form)
	case "edfali/confirm":
		return f.confirm("edfali", form)
	case "sadadapi/confirm":
		return f.confirm("sadadapi", form)
	case "localbankcards/confirm", "tlync/confirm":
		return f.open(r.PathValue("gateway"), form, f.base(r))
	}
	return fails("INVALID_GATEWAY")
}

// base is the address of the pages.
func (f *Fake) base(r *http.Request) string {
	return strings.TrimRight(cmp.Or(f.config.PublicURL, "http://"+r.Host), "/")
}
