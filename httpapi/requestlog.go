package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/requestlog"
)

// answered adds a request to its application's log. Requests of unknown paths, and those without
// a known key, belong to no application and are not logged. Neither are answered polls for
// webhooks: a developer's machine that polls all day would fill the log.
func (a *api) answered(r *http.Request, id string, done *web.Recorder, took time.Duration) {
	route := strings.TrimPrefix(done.Route, Prefix)
	if a.Requests == nil || done.Application == (domain.ApplicationID{}) ||
		route == deliveriesRoute && done.Status == http.StatusOK {
		return
	}
	a.Requests.Note(requestlog.Request{
		Application: done.Application, At: a.Now().Add(-took), Took: took, ID: withoutCredential(id),
		Method: methodOf(r.Method), Route: route, Intent: done.Intent,
		Query: loggableQuery(r.URL.RawQuery), Status: done.Status,
		Replayed: done.Header().Get(headerReplayed) != "", Error: truncate(done.Refusal),
	})
}

// withoutCredential is the caller's request id, redacted if it is an API key or secret in the
// wrong place.
func withoutCredential(id string) string {
	if strings.HasPrefix(id, "pk_") || strings.HasPrefix(id, "whsec_") {
		return "[credential]"
	}
	return id
}

// methodOf returns a constant: the request's own string would keep its first line in memory.
func methodOf(method string) string {
	for _, known := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
		if method == known {
			return known
		}
	}
	return "" // no route takes another one
}

// noteApplication records whose request it is.
func noteApplication(w http.ResponseWriter, id domain.ApplicationID) {
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Application = id
	}
}

// noteIntent records which intent the request is about.
func noteIntent(w http.ResponseWriter, id domain.IntentID) {
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Intent = id
	}
}

// noteRefusal records the answer to a refused request, and the application where the
// key alone identifies it.
func noteRefusal(w http.ResponseWriter, r *http.Request, err error, reply answer) {
	recorder := web.RecorderOf(w)
	if recorder == nil {
		return
	}
	if id, known := accounts.RefusedApplication(err); known {
		recorder.Application = id
	}
	recorder.Refusal = reply.body
	if errors.Is(err, accounts.ErrWrongNetwork) {
		recorder.Refusal = errorBody(inMessage, "Unauthenticated. The access token is bound to other networks; "+
			"this request came from "+web.ClientAddress(r)+".", nil)
	}
	invalid, is := errors.AsType[*InvalidError](err)
	if !is {
		return
	}
	if redacted := withoutSentNames(invalid); redacted != invalid {
		recorder.Refusal = errorBody(inMessage, redacted.Message(), redacted.Violations)
	}
}

// The log has these in place of a name that the sender chose: it may be a customer's name, or a
// credential in the wrong place.
const (
	anyKey       = "metadata.…"
	anyParameter = "…"
)

// withoutSentNames redacts names that the sender chose; it returns e itself where there are none.
func withoutSentNames(e *InvalidError) *InvalidError {
	if !slices.ContainsFunc(e.Violations, func(v Violation) bool { return !isKnownName(v.Field) }) {
		return e
	}
	var redacted validator // several names become one
	for _, v := range e.Violations {
		name, sentences := v.Field, v.Sentences
		switch {
		case isKnownName(name):
		case strings.HasPrefix(name, "metadata."):
			name = anyKey // its sentences do not name it
		default:
			name, sentences = anyParameter, []string{"There is no such parameter."}
		}
		for _, s := range sentences {
			redacted.add(name, s)
		}
	}
	return &InvalidError{redacted.violations}
}

// isKnownName reports whether the API defines the field or parameter.
func isKnownName(field string) bool {
	if fields[field] || field == "customer.external_id" || field == afterParameter {
		return true
	}
	for _, p := range listingParameters {
		if p.name == field {
			return true
		}
	}
	return false
}

// loggable reports for a parameter whether its value may be logged: a number, a status or a time.
// Of the API's other parameters only the name is logged.
var loggable = map[string]func(value string) bool{
	"limit": func(value string) bool {
		return len(value) <= 3 && strings.Trim(value, "0123456789") == ""
	},
	"status":       func(value string) bool { return slices.Contains(domain.Statuses(), domain.Status(value)) },
	"created_from": isTime, "created_to": isTime,
}

func isTime(value string) bool {
	_, err := time.Parse(time.RFC3339, value)
	return err == nil
}

// loggableQuery is a query as it may be logged: the names that the API defines, in their order,
// and the values that are neither a customer's data nor a credential.
func loggableQuery(raw string) string {
	if raw == "" {
		return ""
	}
	sent, _ := url.ParseQuery(raw) // the part that can be read
	var kept []string
	for _, name := range append(parameterNames(), afterParameter) {
		for _, value := range sent[name] {
			if may := loggable[name]; may == nil || !may(value) {
				value = "…"
			}
			kept = append(kept, name+"="+value)
		}
		delete(sent, name)
	}
	if len(sent) > 0 {
		kept = append(kept, "…")
	}
	return truncate([]byte(strings.Join(kept, "&")))
}

func parameterNames() []string {
	names := make([]string, len(listingParameters))
	for n, p := range listingParameters {
		names[n] = p.name
	}
	return names
}

// truncate cuts a text to requestlog.MaxError bytes, at a character boundary.
func truncate(text []byte) string {
	if len(text) <= requestlog.MaxError {
		return string(text)
	}
	end := requestlog.MaxError
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end])
}
