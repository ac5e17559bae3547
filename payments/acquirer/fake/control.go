package fake

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/go-json-experiment/json"
)

// Answer writes an answer in JSON.
func Answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A caller that has gone away needs no answer.
	_ = json.MarshalWrite(w, body)
}

// Refuse answers with a status of an error and a sentence.
func Refuse(w http.ResponseWriter, status int, message string) {
	Answer(w, status, map[string]string{"message": message})
}

// Read reads the body of a control request strictly. It has refused the request where it returns
// false.
func Read(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 64<<10), into, json.RejectUnknownMembers(true))
	if err != nil {
		Refuse(w, http.StatusBadRequest, "the body is not as documented: "+err.Error())
	}
	return err == nil
}

// isLocal reports whether a request comes from this machine. A forwarding header means that a local
// proxy forwards another machine's request; a cross-origin request comes from a web page in a local
// browser. Neither is local.
func isLocal(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if len(r.Header.Values(h)) > 0 {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	var crossOrigin http.CrossOriginProtection
	return err == nil && from.Addr().Unmap().IsLoopback() && crossOrigin.Check(r) == nil
}

// Local serves requests of this machine only.
func Local(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !isLocal(r) {
			Refuse(w, http.StatusForbidden, "control is for this machine only")
			return
		}
		h(w, r)
	}
}

// Controlled makes a handler that reads the body for do and answers 204, or 422 with the problem
// that do returns. It serves this machine only.
func Controlled[T any](do func(T) (problem string)) http.HandlerFunc {
	return Local(func(w http.ResponseWriter, r *http.Request) {
		var asked T
		if !Read(w, r, &asked) {
			return
		}
		if problem := do(asked); problem != "" {
			Refuse(w, http.StatusUnprocessableEntity, problem)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

type faultsAsked struct {
	Call   string  `json:"call"`
	Faults []Fault `json:"faults"`
}

// Control adds the addresses of the package's documentation to a mux.
func Control(mux *http.ServeMux, b *Books, p *Plan) {
	mux.HandleFunc("GET /control/ledger", Local(func(w http.ResponseWriter, _ *http.Request) {
		Answer(w, http.StatusOK, map[string]any{"payments": b.All()})
	}))
	mux.HandleFunc("POST /control/faults", Controlled(func(asked faultsAsked) string {
		for _, f := range asked.Faults {
			if f != None && !slices.Contains(Faults(), f) {
				return "there is no fault " + string(f)
			}
		}
		p.Add(asked.Call, asked.Faults...)
		return ""
	}))
}
