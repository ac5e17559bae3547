package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/internal/output"
)

// receiver is the demo's merchant server: it takes the webhooks and shows what arrives.
type receiver struct {
	listener net.Listener
	webhook  *standardwebhooks.Webhook
	out      io.Writer
}

// maxWebhook is more than any webhook has.
const maxWebhook = 64 << 10

// newReceiver listens on a free port of loopback.
func newReceiver(ctx context.Context, secret string, out io.Writer) (*receiver, error) {
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return nil, fmt.Errorf("read the demo's webhook secret: %w", err)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for webhooks: %w", err)
	}
	return &receiver{listener: l, webhook: webhook, out: out}, nil
}

func (r *receiver) url() string { return "http://" + r.listener.Addr().String() + "/webhooks" }

// run takes webhooks until ctx ends.
func (r *receiver) run(ctx context.Context) {
	hs := &http.Server{Handler: http.HandlerFunc(r.receive), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = hs.Close() })
	if err := hs.Serve(r.listener); !errors.Is(err, http.ErrServerClosed) {
		r.showf("webhook receiver: %v", err)
	}
}

func (r *receiver) receive(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxWebhook))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := r.webhook.Verify(body, request.Header); err != nil {
		r.showf("webhook  %s  refused: %v", time.Now().Format(time.TimeOnly), err)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		Type string `json:"type"`
		Data struct {
			UUID              string `json:"uuid"`
			MerchantReference string `json:"merchant_reference"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.showf("webhook  %s  %-31s  %s  %s  signature verified", time.Now().Format(time.TimeOnly), event.Type,
		event.Data.UUID, event.Data.MerchantReference)
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) showf(format string, args ...any) {
	fmt.Fprintln(r.out, output.Printable(fmt.Sprintf(format, args...)))
}
