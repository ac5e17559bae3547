package ops_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/internal/ops"
)

func measured(t *testing.T) (*prometheus.Registry, http.Handler) {
	t.Helper()
	registry := prometheus.NewRegistry()
	requests := ops.NewRequests(registry)
	routes := mux.NewRouter()
	routes.Use(ops.NoteRoutes)
	routes.HandleFunc("/of/{organization:[0-9a-f]{8}-[0-9a-f]{4}}/list",
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "fine")
		})
	routes.HandleFunc("/refuse/{what}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	})
	routes.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	return registry, requests.Of("pages", wrapped(routes))
}

// wrapped is a part that wraps the writer of its answers.
func wrapped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(around{w}, r) })
}

type around struct{ http.ResponseWriter }

func (a around) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// A request counts under its route's pattern, never under its path.
func TestRequestsCountByRoute(t *testing.T) {
	t.Parallel()
	registry, handler := measured(t)
	for path, method := range map[string]string{
		"/of/0a000000-0000/list": http.MethodGet,
		"/refuse/1":              http.MethodPost,
		"/refuse/2":              "BREW",
		"/nowhere/1":             http.MethodGet,
		"/abort":                 http.MethodGet,
	} {
		func() {
			defer func() { _ = recover() }() // as the server does
			request := httptest.NewRequestWithContext(t.Context(), method, path, nil)
			handler.ServeHTTP(httptest.NewRecorder(), request)
		}()
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	timed := map[string]uint64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			key := ""
			for _, l := range m.GetLabel() {
				key += l.GetValue() + " "
			}
			if f.GetName() == "daftar_http_requests_total" {
				got[key] = m.GetCounter().GetValue()
			} else {
				timed[key] = m.GetHistogram().GetSampleCount()
			}
		}
	}
	want := map[string]float64{
		"GET pages /of/{organization}/list 200 ": 1,
		"POST pages /refuse/{what} 403 ":         1,
		"other pages /refuse/{what} 403 ":        1,
		"GET pages other 404 ":                   1,
		"GET pages /abort none ":                 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
	if timed["pages /refuse/{what} "] != 2 || timed["pages other "] != 1 {
		t.Errorf("timed %v", timed)
	}
}
