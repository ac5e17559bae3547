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

// answered puts a request into its application's log. What belongs to no application is
// in nobody's: unknown paths, and requests without a known key. A developer's machine that
// asks for webhooks all day would leave no room for anything else.
func (a *api) answered(r *http.Request, id string, done *web.Recorder, took time.Duration) {
	route := strings.TrimPrefix(done.Route, Prefix)
	if a.Requests == nil || done.Application == (domain.ApplicationID{}) ||
		route == deliveriesRoute && done.Status == http.StatusOK {
		return
	}
	a.Requests.Note(requestlog.Request{
		Application: done.Application, At: a.Now().Add(-took), Took: took, ID: withoutCredential(id),
		Method: methodOf(r.Method), Route: route, Intent: done.Intent,
		Query: harmlessQuery(r.URL.RawQuery), Status: done.Status,
		Replayed: done.Header().Get(headerReplayed) != "", Error: beginning(done.Refusal),
	})
}

// withoutCredential is an id of the caller's, if it is no API key or secret in the wrong place.
func withoutCredential(id string) string {
	if strings.HasPrefix(id, "pk_") || strings.HasPrefix(id, "whsec_") {
		return "[credential]"
	}
	return id
}

// methodOf is a constant: the request's own would keep its first line in memory.
func methodOf(method string) string {
	for _, known := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
		if method == known {
			return known
		}
	}
	return "" // no route takes another one
}

// noteApplication says whose request it is.
func noteApplication(w http.ResponseWriter, id domain.ApplicationID) {
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Application = id
	}
}

// noteIntent says which intent the request is about.
func noteIntent(w http.ResponseWriter, id domain.IntentID) {
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Intent = id
	}
}

// noteRefusal keeps what was answered to a request that was refused, and whose it was
// where its key alone tells.
func noteRefusal(w http.ResponseWriter, err error, reply answer) {
	recorder := web.RecorderOf(w)
	if recorder == nil {
		return
	}
	if id, known := accounts.RefusedApplication(err); known {
		recorder.Application = id
	}
	recorder.Refusal = reply.body
	invalid, is := errors.AsType[*InvalidError](err)
	if !is {
		return
	}
	if ours := withoutSentNames(invalid); ours != invalid {
		recorder.Refusal = errorBody(inMessage, ours.Message(), ours.Violations)
	}
}

// What stands in the log for a name that the sender chose: it may be a customer's, or a
// credential in the wrong place.
const (
	anyKey       = "metadata.…"
	anyParameter = "…"
)

// withoutSentNames is the same error where all names are those of our own.
func withoutSentNames(e *InvalidError) *InvalidError {
	if !slices.ContainsFunc(e.Violations, func(v Violation) bool { return !isOurs(v.Field) }) {
		return e
	}
	all := slices.Clone(e.Violations)
	for n, v := range all {
		switch {
		case isOurs(v.Field):
		case strings.HasPrefix(v.Field, "metadata."):
			all[n].Field = anyKey // its sentences do not name it
		default:
			all[n] = Violation{anyParameter, []string{"There is no such parameter."}}
		}
	}
	return &InvalidError{all}
}

func isOurs(field string) bool {
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

// harmless says which values of parameters may be kept: those that cannot be anything
// but what we wrote or offer. Of other parameters the name is kept, where it is ours.
var harmless = map[string]func(value string) bool{
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

// harmlessQuery is a query as it may be kept: names of ours, in their order, and values
// that say nothing of a customer and can be no credential.
func harmlessQuery(raw string) string {
	if raw == "" {
		return ""
	}
	sent, _ := url.ParseQuery(raw) // what can be read of it
	var kept []string
	for _, name := range append(parameterNames(), afterParameter) {
		for _, value := range sent[name] {
			if may := harmless[name]; may == nil || !may(value) {
				value = "…"
			}
			kept = append(kept, name+"="+value)
		}
		delete(sent, name)
	}
	if len(sent) > 0 {
		kept = append(kept, "…")
	}
	return beginning([]byte(strings.Join(kept, "&")))
}

func parameterNames() []string {
	names := make([]string, len(listingParameters))
	for n, p := range listingParameters {
		names[n] = p.name
	}
	return names
}

// beginning is as much of a text as is kept, without half a character.
func beginning(text []byte) string {
	if len(text) <= requestlog.MaxError {
		return string(text)
	}
	end := requestlog.MaxError
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end])
}
