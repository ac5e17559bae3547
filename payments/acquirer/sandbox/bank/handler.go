package bank

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gorilla/mux"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 16 << 10

// Handler serves the API, the bank page and the control interface.
func (b *Bank) Handler() http.Handler {
	r := mux.NewRouter()
	r.NotFoundHandler = b.answers(func(*http.Request) (answer, error) {
		return answer{}, refuse(http.StatusNotFound, "there is nothing at this path")
	})
	r.Handle("/v1/payments", methods{"POST": b.merchant(b.open)})
	r.Handle("/v1/payments/{id}", methods{"GET": b.merchant(b.ofPayment(b.inquire))})
	r.Handle("/v1/payments/{id}/confirm", methods{"POST": b.merchant(b.confirm)})
	r.Handle("/v1/payments/{id}/resend", methods{"POST": b.merchant(b.ofPayment(b.resend))})
	r.Handle("/v1/payments/{id}/cancel", methods{"POST": b.merchant(b.ofPayment(b.cancel))})
	r.Handle("/v1/payments/{id}/refunds", methods{"POST": b.merchant(b.refund)})
	r.Handle("/bank/{id}", methods{"GET": http.HandlerFunc(b.showPage), "POST": http.HandlerFunc(b.pressButton)})
	r.Handle("/bank.css", methods{"GET": http.HandlerFunc(serveStylesheet)})
	r.Handle("/control/payments", methods{"GET": b.control(b.listPayments)})
	r.Handle("/control/payments/{id}/settle", methods{"POST": b.control(b.settle)})
	r.Handle("/control/ledger", methods{"GET": b.control(b.listLedger)})
	r.Handle("/control/refunds", methods{"GET": b.control(b.listRefunds)})
	return r
}

// methods has the handlers of one path by method.
type methods map[string]http.Handler

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := m[method]; ok {
		h.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
	write(w, http.StatusMethodNotAllowed,
		problemAnswer{Message: "this path does not take the method " + r.Method})
}

// answer is the successful result of an endpoint.
type answer struct {
	status int
	body   any
}

// refusal is an error that is shown to the client.
type refusal struct {
	status  int
	problem problemAnswer
}

func (r refusal) Error() string { return r.problem.Message }

func refuse(status int, message string) refusal {
	return refusal{status: status, problem: problemAnswer{Message: message}}
}

// answers makes a handler of an endpoint. It is the only place where an error becomes an
// HTTP status.
func (b *Bank) answers(endpoint func(*http.Request) (answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		result, err := endpoint(r)
		if err == nil {
			write(w, result.status, result.body)
			return
		}
		if refused, ok := errors.AsType[refusal](err); ok {
			write(w, refused.status, refused.problem)
			return
		}
		b.config.Logger.Error().Err(err).Str("path", r.URL.Path).Msg("sandbox bank failed")
		write(w, http.StatusInternalServerError, problemAnswer{Message: "the bank could not do this"})
	})
}

// merchant requires the secret.
func (b *Bank) merchant(endpoint func(*http.Request) (answer, error)) http.Handler {
	return b.answers(func(r *http.Request) (answer, error) {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		// Sums have the same length, so that the comparison does not reveal the secret's length.
		sum, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(b.config.Secret))
		if subtle.ConstantTimeCompare(sum[:], want[:]) != 1 {
			return answer{}, refusal{http.StatusUnauthorized, problemAnswer{
				Message: "the secret is missing or wrong", Error: errorSecretRefused,
			}}
		}
		return endpoint(r)
	})
}

// control serves requests of this machine only. A forwarding header means that a local proxy
// forwards another machine's request; a cross-origin request comes from a web page in a local
// browser. Both are refused.
func (b *Bank) control(endpoint func(*http.Request) (answer, error)) http.Handler {
	var crossOrigin http.CrossOriginProtection
	return b.answers(func(r *http.Request) (answer, error) {
		if !fromLoopback(r) || crossOrigin.Check(r) != nil {
			return answer{}, refuse(http.StatusForbidden, "control is for this machine only")
		}
		return endpoint(r)
	})
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

// read decodes a JSON body strictly: exact names, none twice, none unknown.
func read(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", maxBody))
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "the body could not be read")
	}
	err = json.Unmarshal(body, into, json.RejectUnknownMembers(true))
	var meaning *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, json.ErrUnknownName) && errors.As(err, &meaning):
		return refuse(http.StatusBadRequest, "the field "+field(meaning.JSONPointer)+" is unknown")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return refuse(http.StatusBadRequest, "a field is there twice")
	case errors.As(err, &meaning) && meaning.JSONPointer == "":
		return refuse(http.StatusBadRequest, "the body is not a JSON object")
	case errors.As(err, &meaning):
		return refuse(http.StatusBadRequest, "the field "+field(meaning.JSONPointer)+" has the wrong type")
	}
	return refuse(http.StatusBadRequest, "the body is not valid JSON")
}

func field(pointer jsontext.Pointer) string { return strings.TrimPrefix(string(pointer), "/") }

func write(w http.ResponseWriter, status int, body any) {
	encoded, err := json.Marshal(body)
	if err != nil {
		status = http.StatusInternalServerError
		encoded = []byte(`{"message":"the bank could not write its answer"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// A client that has gone away gets no answer; the books are written already.
	_, _ = w.Write(append(encoded, '\n'))
}
