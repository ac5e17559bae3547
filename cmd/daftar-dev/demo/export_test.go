package demo

import (
	"context"
	"io"
	"net/http"
)

// NewReceiver returns the receiver's handler; closeIt closes its listener.
func NewReceiver(
	ctx context.Context, secret string, out io.Writer,
) (h http.Handler, closeIt func() error, err error) {
	r, err := newReceiver(ctx, secret, out)
	if err != nil {
		return nil, nil, err
	}
	return http.HandlerFunc(r.receive), r.listener.Close, nil
}
