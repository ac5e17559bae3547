package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync/atomic"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"

	"github.com/go-json-experiment/json"
)

// maxAnswer bounds an answer's body, in bytes.
const maxAnswer = 64 << 10

func newClient(connect, whole time.Duration) *http.Client {
	return &http.Client{
		Timeout:       whole,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            (&net.Dialer{Timeout: connect}).DialContext,
			TLSHandshakeTimeout:    connect,
			MaxResponseHeaderBytes: maxAnswer,
			MaxIdleConnsPerHost:    16,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // so that maxAnswer bounds what was sent
		},
	}
}

// response is an answer whose body was read to its end and is JSON by its type.
type response struct {
	status int
	body   []byte
}

// exchange sends one request. The error wraps acquirer.ErrNotSent where no
// connection was ever handed to the request.
func (s *Sandbox) exchange(ctx context.Context, method, path string, body any) (response, error) {
	var sent []byte
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return response{}, fmt.Errorf("%w: encode request: %w", acquirer.ErrNotSent, err)
		}
		sent = encoded
	}
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, bytes.NewReader(sent))
	if err != nil {
		return response{}, fmt.Errorf("%w: make request: %w", acquirer.ErrNotSent, err)
	}
	req.Header.Set("Authorization", "Bearer "+s.secret)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}

	res, err := s.client.Do(req)
	if err != nil && !connected.Load() {
		return response{}, fmt.Errorf("%w: %w", acquirer.ErrNotSent, err)
	}
	if err != nil {
		return response{}, err
	}
	defer res.Body.Close()
	received, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return response{}, fmt.Errorf("read answer: %w", err)
	}
	if len(received) > maxAnswer {
		return response{}, fmt.Errorf("answer is larger than %d bytes", maxAnswer)
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return response{}, fmt.Errorf("answer %d is not JSON", res.StatusCode)
	}
	return response{status: res.StatusCode, body: received}, nil
}

// payment reads an answer about the attempt, which must have one of the statuses.
func (r response) payment(attempt domain.AttemptID, statuses ...int) (paymentAnswer, error) {
	if !slices.Contains(statuses, r.status) {
		return paymentAnswer{}, fmt.Errorf("answer has the status %d", r.status)
	}
	var said paymentAnswer
	if err := json.Unmarshal(r.body, &said); err != nil {
		return paymentAnswer{}, fmt.Errorf("decode answer: %w", err)
	}
	if said.ID != string(attempt) {
		return paymentAnswer{}, errors.New("answer is about another payment")
	}
	return said, nil
}

// isProblem reports whether the bank itself says this of the attempt. The same
// status from a wrong address or a gateway does not.
func (r response) isProblem(status int, code string, attempt domain.AttemptID) bool {
	var said problemAnswer
	return r.status == status && json.Unmarshal(r.body, &said) == nil && said.Error == code && said.ID == string(attempt)
}
