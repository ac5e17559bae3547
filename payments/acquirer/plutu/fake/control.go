package fake

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer/fake"
)

// The spellings of answers.
const (
	spellingDocumented = "documented"
	spellingOther      = "other"
	spellingGrouped    = "grouped"
)

// plannedError is what the next call of a name answers.
type plannedError struct {
	Call  string `json:"call"`
	Code  string `json:"code"`
	Taken bool   `json:"taken"` // the call is carried out all the same
}

// control serves the addresses that only this fake has.
func (f *Fake) control() {
	f.mux.HandleFunc("GET /control/codes", fake.Local(func(w http.ResponseWriter, _ *http.Request) {
		fake.Answer(w, http.StatusOK, map[string]any{"codes": Codes()})
	}))
	f.mux.HandleFunc("POST /control/errors", fake.Local(func(w http.ResponseWriter, r *http.Request) {
		var said plannedError
		if !read(w, r, &said) {
			return
		}
		f.mu.Lock()
		f.errors[said.Call] = append(f.errors[said.Call], said)
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}))
	f.mux.HandleFunc("POST /control/spelling", fake.Local(func(w http.ResponseWriter, r *http.Request) {
		var said struct {
			Spelling string `json:"spelling"`
		}
		if !read(w, r, &said) {
			return
		}
		if !slices.Contains([]string{spellingDocumented, spellingOther, spellingGrouped}, said.Spelling) {
			refuse(w, "there is no such spelling")
			return
		}
		f.mu.Lock()
		f.spelling = said.Spelling
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}))
	f.mux.HandleFunc("POST /control/messages", fake.Local(f.sendMessage))
}

// sendMessage answers POST /control/messages.
func (f *Fake) sendMessage(w http.ResponseWriter, r *http.Request) {
	var said struct {
		Reference string `json:"reference"`
		Kind      string `json:"kind"`
	}
	if !read(w, r, &said) {
		return
	}
	f.mu.Lock()
	var about *order
	for _, o := range f.orders {
		if o.invoice == said.Reference {
			about = o
		}
	}
	if about == nil || !slices.Contains(kinds(about.gateway), said.Kind) {
		f.mu.Unlock()
		refuse(w, "there is no such payment, or no such kind of message about it")
		return
	}
	m := f.compose(about, said.Kind)
	f.mu.Unlock() // the receiver may ask something of us before it answers
	if about.gateway != "tlync" {
		fake.Answer(w, http.StatusOK, map[string]any{"query": m.query()})
		return
	}
	fake.Answer(w, http.StatusOK, map[string]any{"status": f.post(about.callbackURL, m.json())})
}

func read(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 64<<10), into, json.RejectUnknownMembers(true))
	if err != nil {
		fake.Answer(w, http.StatusBadRequest,
			map[string]string{"message": "the body is not what the documentation says"})
	}
	return err == nil
}

func refuse(w http.ResponseWriter, message string) {
	fake.Answer(w, http.StatusUnprocessableEntity, map[string]string{"message": message})
}
