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
	// Degrades marks a check whose failure leaves the server ready: it still answers some requests,
	// and /readyz names what does not work.
	Degrades bool
}

// readyLimit bounds /readyz, so that the server is unready while the database does not
// answer, and the prober does not have to wait.
const readyLimit = 3 * time.Second

// Handler serves /healthz (the process runs), /readyz (the checks hold, except for those that only
// degrade the server), /metrics (Prometheus) and /debug/pprof (Go profiles).
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
	failed, degraded := map[string]string{}, map[string]string{}
	for _, c := range checks {
		if err := c.Run(ctx); err != nil && c.Degrades {
			degraded[c.Name] = err.Error()
		} else if err != nil {
			failed[c.Name] = err.Error()
		}
	}
	status, body := http.StatusOK, map[string]any{"status": "ready"}
	if len(degraded) > 0 {
		body["degraded"] = degraded
	}
	if len(failed) > 0 {
		status, body["status"], body["failed"] = http.StatusServiceUnavailable, "unready", failed
	}
	answer(w, status, body)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The prober may have gone: nothing reads the error.
	_ = json.NewEncoder(w).Encode(body)
}
