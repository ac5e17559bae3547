package fake

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Fault is what goes wrong with one call.
type Fault string

// The faults. Those that end in _after happen after the call was carried out.
const (
	None            Fault = "none"
	DropBefore      Fault = "drop_before" // the connection ends
	DropAfter       Fault = "drop_after"
	Error           Fault = "error" // 500 with an uninformative body in JSON
	ErrorAfter      Fault = "error_after"
	WrongStatus     Fault = "wrong_status_after" // 500 with the answer that was to come with 200
	EmptyError      Fault = "empty_error"        // 500 without a body
	EmptyErrorAfter Fault = "empty_error_after"
	HTML            Fault = "html" // 502 with the page of a gateway
	HTMLAfter       Fault = "html_after"
	Page            Fault = "page" // 200 with an HTML page, as a captive portal answers
	PageAfter       Fault = "page_after"
	Hang            Fault = "hang" // no answer for longer than any caller waits
	HangAfter       Fault = "hang_after"
	Empty           Fault = "empty_after"  // 200 without a body
	Half            Fault = "half_after"   // 200 with half of the answer
	Unauthorized    Fault = "unauthorized" // 401 with the HTML page of something on the way
)

// Faults lists every fault, for tests that try them all.
func Faults() []Fault {
	return []Fault{
		DropBefore, DropAfter, Error, ErrorAfter, WrongStatus, EmptyError, EmptyErrorAfter,
		HTML, HTMLAfter, Page, PageAfter, Hang, HangAfter, Empty, Half, Unauthorized,
	}
}

// CarriedOut reports whether a call with this fault is carried out.
func (f Fault) CarriedOut() bool {
	switch f {
	case DropBefore, Error, EmptyError, HTML, Page, Hang, Unauthorized:
		return false
	case None, DropAfter, ErrorAfter, WrongStatus, EmptyErrorAfter, HTMLAfter, PageAfter, HangAfter, Empty, Half:
	}
	return true
}

// Plan has the faults of the next calls. The zero value has none; it is safe for concurrent use.
type Plan struct {
	HangFor time.Duration // how long a Hang takes; 0: 30 s

	mu   sync.Mutex
	next map[string][]Fault
}

// Add plans faults for the next calls of that name, one each, in this order. "*" is any call.
func (p *Plan) Add(call string, faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(map[string][]Fault)
	}
	p.next[call] = append(p.next[call], faults...)
}

func (p *Plan) take(call string) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range []string{call, "*"} {
		if planned := p.next[name]; len(planned) > 0 {
			p.next[name] = planned[1:]
			return planned[0]
		}
	}
	return None
}

// Around wraps a call's handler with the fault that is planned for it.
func (p *Plan) Around(call string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fault := p.take(call)
		if fault == None {
			h(w, r)
			return
		}
		lost := httptest.NewRecorder()
		if fault.CarriedOut() {
			h(lost, r)
		}
		switch fault {
		case DropBefore, DropAfter:
			panic(http.ErrAbortHandler)
		case Error, ErrorAfter:
			Answer(w, http.StatusInternalServerError, map[string]string{"message": "Server Error"})
		case WrongStatus:
			w.Header().Set("Content-Type", lost.Header().Get("Content-Type"))
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write(lost.Body.Bytes())
		case EmptyError, EmptyErrorAfter:
			w.WriteHeader(http.StatusInternalServerError)
		case HTML, HTMLAfter:
			page(w, http.StatusBadGateway, "502 Bad Gateway")
		case Page, PageAfter:
			page(w, http.StatusOK, "Welcome")
		case Hang, HangAfter:
			Pause(r, cmp.Or(p.HangFor, 30*time.Second))
			panic(http.ErrAbortHandler)
		case Empty:
			w.WriteHeader(http.StatusOK)
		case Half:
			w.Header().Set("Content-Type", lost.Header().Get("Content-Type"))
			_, _ = w.Write(lost.Body.Bytes()[:lost.Body.Len()/2])
		case Unauthorized:
			page(w, http.StatusUnauthorized, "401 Unauthorized")
		case None:
		}
	}
}

func page(w http.ResponseWriter, status int, title string) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	_, _ = w.Write([]byte("<html><body><h1>" + title + "</h1></body></html>"))
}

// Pause waits, or until the caller goes away.
func Pause(r *http.Request, d time.Duration) {
	end := time.NewTimer(d)
	defer end.Stop()
	select {
	case <-end.C:
	case <-r.Context().Done():
	}
}
