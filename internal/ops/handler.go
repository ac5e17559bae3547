package ops

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Check is one thing that must hold for the server to take requests. Detail is
// for people; an error says what does not hold.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// readyLimit bounds /readyz, so that a database that swallows everything makes
// the server unready and not the prober wait.
const readyLimit = 3 * time.Second

// Handler serves /healthz (the process runs), /readyz (the checks hold), /metrics
// (Prometheus) and /debug/pprof (Go profiles).
func Handler(registry *prometheus.Registry, checks ...Check) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"status": "ok"})
	})
	routes.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { ready(w, r, checks) })
	routes.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	routes.HandleFunc("GET /debug/pprof/", pprof.Index)
	routes.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	return routes
}

func ready(w http.ResponseWriter, r *http.Request, checks []Check) {
	ctx, cancel := context.WithTimeout(r.Context(), readyLimit)
	defer cancel()
	failed := map[string]string{}
	for _, c := range checks {
		if err := c.Run(ctx); err != nil {
			failed[c.Name] = err.Error()
		}
	}
	if len(failed) > 0 {
		answer(w, http.StatusServiceUnavailable, map[string]any{"status": "unready", "failed": failed})
		return
	}
	answer(w, http.StatusOK, map[string]any{"status": "ready"})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The prober may have gone: nothing reads the error.
	_ = json.NewEncoder(w).Encode(body)
}
