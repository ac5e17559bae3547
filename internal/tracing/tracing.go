package tracing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
)

// Variable turns tracing on: the address of a collector that speaks OTLP over HTTP.
// The others of OpenTelemetry's OTEL_EXPORTER_OTLP_… and OTEL_TRACES_SAMPLER… hold too.
const Variable = "OTEL_EXPORTER_OTLP_ENDPOINT"

// batchWait is how long a span may wait until it is sent together with others.
const batchWait = time.Second

var tracer atomic.Pointer[api.Tracer] // nil: off

var errStarted = errors.New("tracing has been started already")

// Start sends spans to the collector that the environment names. The function that it
// returns sends the remaining spans and ends tracing; until then Start fails.
func Start(
	ctx context.Context, version string, log zerolog.Logger,
) (stop func(context.Context) error, err error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("start tracing: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn().Err(err).Msg("traces are not sent")
	}))
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter, trace.WithBatchTimeout(batchWait)),
		trace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "daftar"),
			attribute.String("service.version", version),
		)),
	)
	t := provider.Tracer("daftar")
	if !tracer.CompareAndSwap(nil, &t) {
		return nil, errors.Join(errStarted, provider.Shutdown(ctx))
	}
	return func(ctx context.Context) error {
		tracer.Store(nil)
		if err := provider.Shutdown(ctx); err != nil {
			return fmt.Errorf("stop tracing: %w", err)
		}
		return nil
	}, nil
}

// On reports whether traces are recorded.
func On() bool { return tracer.Load() != nil }

// Begin begins a part of the trace in ctx, or a trace. End says how it went.
func Begin(ctx context.Context, name string) (_ context.Context, end func(error)) {
	t := tracer.Load()
	if t == nil {
		return ctx, func(error) {}
	}
	ctx, span := (*t).Start(ctx, name)
	return ctx, func(err error) {
		if err != nil {
			// The type and not the text, which may quote input.
			span.SetStatus(codes.Error, fmt.Sprintf("%T", err))
		}
		span.End()
	}
}

const parentField = "traceparent"

// Parent names the present span of ctx's trace, in the form of W3C Trace Context; "" if
// there is none.
func Parent(ctx context.Context) string {
	if !On() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[parentField]
}

// Continue is Begin under a span that Parent named. If it cannot be read, a new trace begins.
func Continue(ctx context.Context, parent, name string) (_ context.Context, end func(error)) {
	if On() {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentField: parent})
	}
	return Begin(ctx, name)
}

// Note adds a fact to the part of the trace in ctx.
func Note(ctx context.Context, name, value string) {
	if On() {
		api.SpanFromContext(ctx).SetAttributes(attribute.String(name, value))
	}
}

// Requests begins a trace with each request to a part of the server.
func Requests(part string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !On() {
			next.ServeHTTP(w, r)
			return
		}
		ctx, end := Begin(r.Context(), part+" "+r.Method)
		defer end(nil)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// NameRequest gives the request's part of the trace the name of its route.
func NameRequest(r *http.Request, route string) {
	if On() {
		api.SpanFromContext(r.Context()).SetName(r.Method + " " + route)
	}
}
