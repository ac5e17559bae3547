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

// connectLimit is how long a connection may take to come about.
const connectLimit = 5 * time.Second

func newClient(whole time.Duration) *http.Client {
	return &http.Client{
		Timeout:       whole,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            (&net.Dialer{Timeout: connectLimit}).DialContext,
			TLSHandshakeTimeout:    connectLimit,
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

// ask sends a request and reads its answer. Errors begin with what was doing.
func ask[T any](ctx context.Context, s *Sandbox, doing, method, path string, body any, read func(response) (T, error)) (T, error) {
	var none T
	res, err := s.exchange(ctx, method, path, body)
	if err != nil {
		return none, fmt.Errorf("%s: %w", doing, err)
	}
	answer, err := read(res)
	if err != nil {
		return none, fmt.Errorf("%s: %w", doing, err)
	}
	return answer, nil
}

// askAbout asks about the payment of an attempt, under its path.
func askAbout[T any](
	ctx context.Context, s *Sandbox, doing, method string, attempt domain.AttemptID, call string, body any,
	read func(response, domain.AttemptID) (T, error),
) (T, error) {
	if !isAttempt(attempt) {
		var none T
		return none, fmt.Errorf("%s: %w: attempt id is malformed", doing, acquirer.ErrNotSent)
	}
	return ask(ctx, s, doing, method, "/v1/payments/"+string(attempt)+call, body, func(r response) (T, error) { return read(r, attempt) })
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
