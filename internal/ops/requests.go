package ops

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"daftar/internal/tracing"
	"daftar/internal/web"
)

// Requests counts and times the requests of the server's parts by route, method
// and status.
type Requests struct {
	count   *prometheus.CounterVec
	seconds *prometheus.HistogramVec

	mu    sync.RWMutex
	known map[series]observers // so that the labels are made once
}

type series struct {
	part, route, method string
	status              int
}

type observers struct {
	count   prometheus.Counter
	seconds prometheus.Observer
}

// NewRequests makes the metrics.
func NewRequests(r prometheus.Registerer) *Requests {
	register := promauto.With(r)
	return &Requests{
		count: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_http_requests_total",
			Help: "Requests answered, by part of the server (api, checkout, dashboard, documentation).",
		}, []string{"part", "route", "method", "status"}),
		seconds: register.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "daftar_http_request_seconds",
			Help:    "How long requests took until they were answered.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
		}, []string{"part", "route"}),
		known: make(map[series]observers),
	}
}

// Of measures what a part of the server answers. The label of a route is its pattern
// if the part's router has NoteRoutes among its middleware, and "other" otherwise: the
// path of a request is never a label.
func (q *Requests) Of(part string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		recorder := &web.Recorder{ResponseWriter: w}
		// Deferred, so that an aborted answer counts too.
		defer func() {
			q.observe(series{part, recorder.Route, methodOf(r.Method), recorder.Status}, time.Since(began))
		}()
		next.ServeHTTP(recorder, r)
	})
}

func (q *Requests) observe(s series, took time.Duration) {
	q.mu.RLock()
	o, ok := q.known[s]
	q.mu.RUnlock()
	if !ok {
		o = q.begin(s)
	}
	o.count.Inc()
	o.seconds.Observe(took.Seconds())
}

var variableForm = regexp.MustCompile(`\{(\w+):(?:[^{}]|\{[^{}]*\})*\}`)

// begin makes a series. There are as many as routes, methods and statuses.
func (q *Requests) begin(s series) observers {
	route, status := variableForm.ReplaceAllString(s.route, "{$1}"), strconv.Itoa(s.status)
	if route == "" {
		route = "other"
	}
	if s.status == 0 {
		status = "none" // aborted before it began
	}
	o := observers{
		count:   q.count.WithLabelValues(s.part, route, s.method, status),
		seconds: q.seconds.WithLabelValues(s.part, route),
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.known[s] = o
	return o
}

// methodOf is the method as a label: a method of HTTP, or other.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// NoteRoutes is middleware of a router that notes for Requests which route was taken.
// Writers between the two must have Unwrap.
func NoteRoutes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if route := mux.CurrentRoute(r); route != nil {
			if recorder := web.RecorderOf(w); recorder != nil {
				// A route without a pattern is one of those called other.
				recorder.Route, _ = route.GetPathTemplate()
				tracing.NameRequest(r, recorder.Route)
			}
		}
		next.ServeHTTP(w, r)
	})
}
