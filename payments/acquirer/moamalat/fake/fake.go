package fake

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	fakes "daftar/payments/acquirer/fake"
)

// Merchant is a terminal. Keys are hexadecimal.
type Merchant struct {
	MerchantID      string
	TerminalID      string
	SecureKey       string
	NotificationKey string
	NotifyURL       string // empty: no notifications
}

// Example is the merchant of a fake without configured merchants.
func Example() Merchant {
	return Merchant{
		MerchantID: "70000000001", TerminalID: "70000001",
		SecureKey:       "66616b65206b6579206f662061206d65726368616e74",
		NotificationKey: "616e6f746865722066616b65206b6579",
	}
}

// Config is what a fake needs; zero values mean the default in brackets.
type Config struct {
	Merchants []Merchant       // (Example)
	Clock     func() time.Time // (time.Now)
	// RefuseRepeats makes the gateway refuse a request with a date that the terminal has used,
	// which the documentation says should be unique.
	RefuseRepeats bool
	HangFor       time.Duration // how long the fault "hang" takes (30 s)
}

// Style is the form of answers where the documentation leaves it open.
type Style struct {
	Numbers bool `json:"numbers"` // numbers instead of strings
	Dinars  bool `json:"dinars"`  // amounts of lists as 200.031
	Extra   bool `json:"extra"`   // members that are not documented
	Lower   bool `json:"lower"`   // hashes of notifications in lower case
	Delay   int  `json:"delay"`   // milliseconds before the answers of the API
}

// Fake is the gateway. It is safe for concurrent use.
type Fake struct {
	config    Config
	books     fakes.Books
	plan      fakes.Plan
	mux       *http.ServeMux
	messenger *fakes.Messenger

	mu        sync.Mutex
	merchants []Merchant
	rows      []row
	forms     map[string]*form    // by reference
	dates     map[string]struct{} // terminal and date of requests
	style     Style
}

// form is the gateway's state of a form that was opened.
type form struct {
	opened     time.Time
	wrongCodes int
}

// New returns a fake without transactions.
func New(c Config) *Fake {
	if len(c.Merchants) == 0 {
		c.Merchants = []Merchant{Example()}
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	f := &Fake{
		config: c, merchants: slices.Clone(c.Merchants), mux: http.NewServeMux(),
		forms: make(map[string]*form), dates: make(map[string]struct{}),
		messenger: fakes.NewMessenger(),
	}
	f.plan.HangFor = c.HangFor
	f.mux.HandleFunc("POST "+filterPath, f.plan.Around("filter", f.filter))
	f.mux.HandleFunc("POST "+refundPath, f.plan.Around("refund", f.refund))
	f.mux.HandleFunc("POST /form", f.plan.Around("form", f.useForm))
	f.serveFiles()
	fakes.Control(f.mux, &f.books, &f.plan)
	f.control()
	return f
}

// ServeHTTP implements http.Handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if lower := strings.ToLower(r.URL.Path); strings.HasPrefix(lower, "/cube/") {
		r = r.Clone(r.Context())
		r.URL.Path = lower
	}
	// Read now, because otherwise the server does not notice that the caller goes away.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		fakes.Answer(w, http.StatusBadRequest, refusal("Bad request"))
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if strings.HasPrefix(r.URL.Path, "/cube/") {
		f.mu.Lock()
		delay := time.Duration(f.style.Delay) * time.Millisecond
		f.mu.Unlock()
		fakes.Pause(r, delay)
	}
	f.mux.ServeHTTP(w, r)
}

// Close cancels the notifications that are being sent and waits for their end.
func (f *Fake) Close() { f.messenger.Close() }

// now is the gateway's own time.
func (f *Fake) now() time.Time { return f.config.Clock().In(tripoli) }

// tripoli is UTC+2 all year.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// merchant finds a terminal by both its numbers. f.mu is held.
func (f *Fake) merchant(merchantID, terminalID string) (Merchant, bool) {
	for _, m := range f.merchants {
		if m.MerchantID == merchantID && m.TerminalID == terminalID {
			return m, true
		}
	}
	return Merchant{}, false
}

// secureHash is the HMAC-SHA256 of text in capitals, under a hexadecimal key.
func secureHash(key, text string) string {
	raw, err := hex.DecodeString(key)
	if err != nil {
		panic("fake: a key is not hexadecimal")
	}
	mac := hmac.New(sha256.New, raw)
	mac.Write([]byte(text))
	return strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
}

// fits reports whether a hash in either case is that of text.
func fits(key, text, hash string) bool {
	return hmac.Equal([]byte(secureHash(key, text)), []byte(strings.ToUpper(hash)))
}
