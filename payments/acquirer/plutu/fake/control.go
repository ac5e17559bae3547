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

// plannedError is the answer to the next call of a name.
type plannedError struct {
	Call  string `json:"call"`
	Code  string `json:"code"`
	Taken bool   `json:"taken"` // the call is carried out anyway
}

// control adds the control addresses that only this fake has.
func (f *Fake) control() {
	f.mux.HandleFunc("GET /control/codes", fake.Local(func(w http.ResponseWriter, _ *http.Request) {
		fake.Answer(w, http.StatusOK, map[string]any{"codes": Codes()})
	}))
	f.mux.HandleFunc("POST /control/errors", fake.Local(func(w http.ResponseWriter, r *http.Request) {
		var asked plannedError
		if !read(w, r, &asked) {
			return
		}
		f.mu.Lock()
		f.errors[asked.Call] = append(f.errors[asked.Call], asked)
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}))
	f.mux.HandleFunc("POST /control/spelling", fake.Local(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Spelling string `json:"spelling"`
		}
		if !read(w, r, &asked) {
			return
		}
		if !slices.Contains([]string{spellingDocumented, spellingOther, spellingGrouped}, asked.Spelling) {
			refuse(w, "there is no such spelling")
			return
		}
		f.mu.Lock()
		f.spelling = asked.Spelling
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}))
	f.mux.HandleFunc("POST /control/messages", fake.Local(f.sendMessage))
}

// sendMessage answers POST /control/messages.
func (f *Fake) sendMessage(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Reference string `json:"reference"`
		Kind      string `json:"kind"`
	}
	if !read(w, r, &asked) {
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
		refuse(w, "there is no such payment, or no such kind of message about it")
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
