package view

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/requestlog"
)

// RequestsForm is the filter of an application's requests.
type RequestsForm struct{ Class, Kind, ID, After string }

// Query is the filter as the query of an address, with the place in the list.
func (f RequestsForm) Query(after string) string {
	return queryOf(map[string]string{"class": f.Class, "kind": f.Kind, "id": f.ID, "after": after})
}

// Narrowed reports whether the filter leaves something out.
func (f RequestsForm) Narrowed() bool { return f.Query("") != "" }

// RequestClasses are the classes of status that requests can be filtered by; empty: any.
var RequestClasses = []string{"", "2", "4", "5"}

// RequestRow is a request in the list.
type RequestRow requestlog.Request

// Class is the class of its status, its first digit.
func (r RequestRow) Class() string { return strconv.Itoa(r.Status / 100) }

// Kind is the method and the route, without the intent. HEAD counts as GET.
func (r RequestRow) Kind() string {
	if r.Method == http.MethodHead {
		return "GET " + r.Route
	}
	return r.Method + " " + r.Route
}

// Path is the path and query of the request.
func (r RequestRow) Path() string {
	path := r.Route
	if r.Intent != (domain.IntentID{}) {
		path = strings.Replace(path, "{uuid}", r.Intent.String(), 1)
	}
	if r.Query != "" {
		path += "?" + r.Query
	}
	return path
}

// HasPayment reports whether its intent belongs to the application, so that it has a page.
func (r RequestRow) HasPayment() bool { return r.Intent != (domain.IntentID{}) && r.Status < 300 }

// Pill is the status.
func (r RequestRow) Pill() pill {
	switch r.Class() {
	case "2":
		return pill{strconv.Itoa(r.Status), "ok"}
	case "5":
		return pill{strconv.Itoa(r.Status), "late"}
	}
	return pill{strconv.Itoa(r.Status), "wait"}
}

// Duration is its duration in milliseconds, with a unit.
func (r RequestRow) Duration() string {
	if r.Took < 10*time.Millisecond {
		return strconv.FormatFloat(float64(r.Took.Microseconds())/1000, 'f', 1, 64) + " ms"
	}
	return strconv.FormatInt(r.Took.Milliseconds(), 10) + " ms"
}

// RequestsPage lists the last API requests of an application.
type RequestsPage struct {
	Application accounts.Application
	Form        RequestsForm
	Kinds       []string // to filter by
	Rows        []RequestRow
	Found       int // the number of requests that fit the filter
	Older       string
}

func (RequestsPage) head(t *Texts) (template, title string) { return "requests", t.Developers.Requests }

// Classes are the choices of the status filter.
func (r rendering) Classes() []choice {
	t := r.T.Requests
	return []choice{{"2", t.Fine}, {"4", t.Refused}, {"5", t.Failed}}
}
