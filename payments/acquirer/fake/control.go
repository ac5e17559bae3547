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

// Local serves requests of this machine only. A forwarding header means that a local proxy
// forwards another machine's request; a cross-origin request comes from a web page in a local
// browser. Both are refused.
func Local(h http.HandlerFunc) http.HandlerFunc {
	var crossOrigin http.CrossOriginProtection
	return func(w http.ResponseWriter, r *http.Request) {
		if !fromLoopback(r) || crossOrigin.Check(r) != nil {
			Answer(w, http.StatusForbidden, map[string]string{"message": "control is for this machine only"})
			return
		}
		h(w, r)
	}
}

func fromLoopback(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if len(r.Header.Values(h)) > 0 {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// Control adds the addresses of the package's documentation to a mux.
func Control(mux *http.ServeMux, b *Books, p *Plan) {
	mux.HandleFunc("GET /control/ledger", Local(func(w http.ResponseWriter, _ *http.Request) {
		Answer(w, http.StatusOK, map[string]any{"payments": b.All()})
	}))
	mux.HandleFunc("POST /control/faults", Local(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Call   string  `json:"call"`
			Faults []Fault `json:"faults"`
		}
		err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 64<<10), &asked, json.RejectUnknownMembers(true))
		if err != nil {
			Answer(w, http.StatusBadRequest, map[string]string{"message": "the body is not {call, faults}"})
			return
		}
		for _, f := range asked.Faults {
			if f != None && !slices.Contains(Faults(), f) {
				Answer(w, http.StatusUnprocessableEntity, map[string]string{"message": "there is no fault " + string(f)})
				return
			}
		}
		p.Add(asked.Call, asked.Faults...)
		w.WriteHeader(http.StatusNoContent)
	}))
}
