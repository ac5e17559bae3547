package fake

import (
	"net/http"
	"slices"

	"daftar/payments/acquirer/fake"
)

// The spellings of answers.
const (
	spellingDocumented = "documented"
	spellingOther      = "other"
	spellingGrouped    = "grouped"
)

// plannedError is the answer to the next call of a name.
type plannedError struct {
	Call  string `json:"call"`
	Code  string `json:"code"`
	Taken bool   `json:"taken"` // the call is carried out anyway
}

type spellingAsked struct {
	Spelling string `json:"spelling"`
}

// control adds the control addresses that only this fake has.
func (f *Fake) control() {
	f.mux.HandleFunc("GET /control/codes", fake.Local(func(w http.ResponseWriter, _ *http.Request) {
		fake.Answer(w, http.StatusOK, map[string]any{"codes": Codes()})
	}))
	f.mux.HandleFunc("POST /control/errors", fake.Controlled(func(asked plannedError) string {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.errors[asked.Call] = append(f.errors[asked.Call], asked)
		return ""
	}))
	f.mux.HandleFunc("POST /control/spelling", fake.Controlled(func(asked spellingAsked) string {
		if !slices.Contains([]string{spellingDocumented, spellingOther, spellingGrouped}, asked.Spelling) {
			return "there is no such spelling"
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.spelling = asked.Spelling
		return ""
	}))
	f.mux.HandleFunc("POST /control/messages", fake.Local(f.sendMessage))
}

// sendMessage answers POST /control/messages.
func (f *Fake) sendMessage(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Reference string `json:"reference"`
		Kind      string `json:"kind"`
	}
	if !fake.Read(w, r, &asked) {
		return
	}
	f.mu.Lock()
	var about *order
	for _, o := range f.orders {
		if o.invoice == asked.Reference {
			about = o
		}
	}
	if about == nil || !slices.Contains(kinds(about.gateway), asked.Kind) {
		f.mu.Unlock()
		fake.Refuse(w, http.StatusUnprocessableEntity,
			"there is no such payment, or no such kind of message about it")
		return
	}
	m := f.compose(about, asked.Kind)
	f.mu.Unlock() // the receiver may send a request to the fake before it answers
	if about.gateway != "tlync" {
		fake.Answer(w, http.StatusOK, map[string]any{"query": m.query()})
		return
	}
	fake.Answer(w, http.StatusOK, map[string]any{"status": f.post(about.callbackURL, m.json())})
}
