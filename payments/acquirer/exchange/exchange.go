package exchange

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
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer"
)

const (
	maxAnswer    = 1 << 20         // bytes of an answer's body
	connectLimit = 5 * time.Second // for making a connection
	wholeLimit   = 10 * time.Second
)

// Client sends requests to one acquirer. It is safe for concurrent use.
type Client struct {
	base string
	http *http.Client
}

// New makes a client for the acquirer at an absolute http or https address without
// credentials, query and fragment. timeout bounds a whole exchange; 0 is ten seconds.
func New(base string, timeout time.Duration) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || !IsWebURL(base) || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("URL is not an absolute http or https URL without credentials, query and fragment")
	}
	if timeout == 0 {
		timeout = wholeLimit
	}
	return &Client{base: strings.TrimRight(base, "/"), http: &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            (&net.Dialer{Timeout: connectLimit}).DialContext,
			TLSHandshakeTimeout:    connectLimit,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    16,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // so that maxAnswer bounds what was sent
		},
	}}, nil
}

// Base is the acquirer's address, without a slash at its end.
func (c *Client) Base() string { return c.base }

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Request is one request. At most one of JSON and Form is set.
type Request struct {
	Method string
	Path   string // begins with a slash; with its query, if any
	Header map[string]string
	JSON   any        // encoded as the body
	Form   url.Values // encoded as the body
}

// Answer is an answer whose body was read to its end and is JSON by its type.
type Answer struct {
	Status int
	Body   []byte
}

// Decode reads the body. Members that the struct does not have are ignored, because
// acquirers add new ones.
func (a Answer) Decode(into any) error {
	if err := json.Unmarshal(a.Body, into); err != nil {
		return fmt.Errorf("decode answer %d: %w", a.Status, err)
	}
	return nil
}

// Do sends one request. The error wraps acquirer.ErrNotSent where it was certainly not sent.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	req, connected, err := c.newRequest(ctx, r)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", acquirer.ErrNotSent, err)
	}
	res, err := c.http.Do(req)
	if err != nil && !connected.Load() {
		return Answer{}, fmt.Errorf("%w: %w", acquirer.ErrNotSent, withoutAddress(err))
	}
	if err != nil {
		return Answer{}, withoutAddress(err)
	}
	defer res.Body.Close()
	received, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return Answer{}, fmt.Errorf("read answer: %w", err)
	}
	if len(received) > maxAnswer {
		return Answer{}, fmt.Errorf("answer is larger than %d bytes", maxAnswer)
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return Answer{}, fmt.Errorf("answer %d is not JSON", res.StatusCode)
	}
	return Answer{Status: res.StatusCode, Body: received}, nil
}

// newRequest makes a request, and a flag that is set when it gets a connection.
func (c *Client) newRequest(ctx context.Context, r Request) (*http.Request, *atomic.Bool, error) {
	var body []byte
	kind := ""
	switch {
	case r.JSON != nil:
		encoded, err := json.Marshal(r.JSON)
		if err != nil {
			return nil, nil, fmt.Errorf("encode request: %w", err)
		}
		body, kind = encoded, "application/json"
	case r.Form != nil:
		body, kind = []byte(r.Form.Encode()), "application/x-www-form-urlencoded"
	}
	connected := new(atomic.Bool)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := http.NewRequestWithContext(ctx, r.Method, c.base+r.Path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, fmt.Errorf("make request: %w", withoutAddress(err))
	}
	req.Header.Set("Accept", "application/json")
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	return req, connected, nil
}

// withoutAddress drops the address from an error: a query may hold what no log should.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// IsWebURL reports whether s is an address to which a payer may be sent.
func IsWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
