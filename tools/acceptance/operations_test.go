package acceptance_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"daftar/internal/postgres/pgtest"
)

// While it answers its last requests, the server reports that it accepts no more.
func TestDrainingIsNotReady(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	u, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	body := order("drain")
	head := "POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\n" +
		"X-API-Key: " + who.key + "\r\nAuthorization: Bearer " + who.token + "\r\n" +
		"Content-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	// The server asks for the body, so the request is being processed.
	if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))); err != nil {
		t.Fatal(err)
	}
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the server to say that it is draining", func() bool {
		return s.status("/readyz") == http.StatusServiceUnavailable
	})
	if got := s.status("/healthz"); got != http.StatusOK {
		t.Errorf("/healthz: %d", got)
	}
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 201") {
		t.Errorf("the request under way was answered %q (%v)", answer, err)
	}
	s.Stop(t, syscall.SIGTERM)
	if code := s.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// spans are the spans that an OTLP collector received.
type spans struct {
	mu  sync.Mutex
	all []*trace.Span
}

func newCollector(t *testing.T) (*spans, string) {
	t.Helper()
	got := &spans{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			unzipped, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Errorf("collect: %v", err)
				return
			}
			body = unzipped
		}
		text, err := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(text, &sent) != nil {
			t.Errorf("collect %s: %v", r.URL.Path, err)
			return
		}
		got.mu.Lock()
		defer got.mu.Unlock()
		for _, resource := range sent.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				got.all = append(got.all, scope.GetSpans()...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(s.Close)
	return got, s.URL
}

func (s *spans) named(name string) *trace.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := slices.IndexFunc(s.all, func(sp *trace.Span) bool { return sp.GetName() == name })
	if n < 0 {
		return nil
	}
	return s.all[n]
}

// A create, its append and its webhook are one trace, and the event contains its id.
func TestOneTraceFromRequestToWebhook(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	got, address := newCollector(t)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("traceparent") != "" {
			t.Error("an answer to a merchant has the trace")
		}
	}))
	t.Cleanup(hook.Close)
	s := serve(t, db.ServiceURL(), "OTEL_EXPORTER_OTLP_ENDPOINT="+address, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	who := newShop(t, s.env)
	if r := call(t, s.env, "app", "set-webhook-url", who.app, hook.URL); r.code != 0 {
		t.Fatalf("set the webhook's address: %s", r.errors)
	}
	s.ask(t, who, http.MethodPost, "/payment-intents", order("traced"))
	var request, appended, webhook *trace.Span
	pgtest.WaitFor(t, "the trace", func() bool {
		request, appended = got.named("POST /api/v1/payment-intents"), got.named("append")
		webhook = got.named("webhook")
		return request != nil && appended != nil && webhook != nil
	})
	if !bytes.Equal(appended.GetTraceId(), request.GetTraceId()) ||
		!bytes.Equal(appended.GetParentSpanId(), request.GetSpanId()) {
		t.Errorf("the append %v is no part of the request %v", appended, request)
	}
	if !bytes.Equal(webhook.GetTraceId(), request.GetTraceId()) ||
		!bytes.Equal(webhook.GetParentSpanId(), appended.GetSpanId()) {
		t.Errorf("the webhook %v does not follow from the append %v", webhook, appended)
	}
	if events := storedEvents(t, db); !strings.Contains(events[0].Metadata, `"traceparent":"00-`) {
		t.Errorf("the event's metadata: %s", events[0].Metadata)
	}
}

// Without a collector nothing is traced, and events have no trace.
func TestNoTracesUnlessAskedFor(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("plain"))
	if events := storedEvents(t, db); len(events) != 1 || strings.Contains(events[0].Metadata, "traceparent") {
		t.Errorf("events %+v", events)
	}
}
