package daftar

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// Config is how the API is reached. When it is printed or encoded, its credentials are not.
type Config struct {
	// BaseURL is with the version, such as https://pay.example.ly/api/v1.
	BaseURL string
	// APIKey is pk_…: it identifies the application.
	APIKey string `json:"-"`
	// AccessToken is at_…: it identifies the organisation.
	AccessToken string `json:"-"`
	// Timeout is how long one attempt may take, until its answer is read (15 s).
	Timeout time.Duration
	// RetryFor is for how long after the first attempt another one may begin while the service cannot be
	// reached or is busy (30 s). Negative: there is one attempt. Give a page that a customer waits for
	// less, and a batch more.
	RetryFor time.Duration
	// HTTPClient sends the requests, for a proxy or certificates of your own. A copy of it is used, which
	// follows no redirects: the credentials are for BaseURL alone.
	HTTPClient *http.Client `json:"-"`
}

// Format writes all but the credentials, whatever the verb.
func (c Config) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "daftar.Config{BaseURL: %q, Timeout: %v, RetryFor: %v}", c.BaseURL, c.Timeout, c.RetryFor)
}

// Client is a client of the API. It can be used by several goroutines at once.
type Client struct {
	base              string
	authorize         func(http.Header) // a function: what prints or encodes a Client finds no credentials
	http              http.Client
	timeout, retryFor time.Duration

	now    func() time.Time
	wait   func(context.Context, time.Duration) error
	random func() float64 // from 0 to 1
}

// credential is what a header can carry: a line end read from a file would fail every request.
var credential = regexp.MustCompile(`^[\x21-\x7e]+$`)

// NewClient returns a client; an [*ArgumentError] says what is wrong with c.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return nil, wrong("BaseURL must be an http or https address")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, wrong("BaseURL must have no user, query or fragment")
	case !credential.MatchString(c.APIKey) || !credential.MatchString(c.AccessToken):
		return nil, wrong("APIKey and AccessToken are needed, without spaces or line ends")
	case c.Timeout < 0:
		return nil, wrong("Timeout must not be negative")
	}
	client := &Client{
		base: strings.TrimRight(c.BaseURL, "/"),
		authorize: func(h http.Header) {
			h.Set("Authorization", "Bearer "+c.AccessToken)
			h.Set("X-API-Key", c.APIKey)
		},
		timeout:  cmp.Or(c.Timeout, 15*time.Second),
		retryFor: cmp.Or(c.RetryFor, 30*time.Second),
		now:      time.Now,
		wait:     wait,
		random:   rand.Float64,
	}
	if c.HTTPClient != nil {
		client.http = *c.HTTPClient
	}
	client.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, nil
}

// FromEnvironment is NewClient with DAFTAR_API_URL, DAFTAR_API_KEY and DAFTAR_ACCESS_TOKEN for what is
// empty in c.
func FromEnvironment(c Config) (*Client, error) {
	c.BaseURL = cmp.Or(c.BaseURL, os.Getenv("DAFTAR_API_URL"))
	c.APIKey = cmp.Or(c.APIKey, os.Getenv("DAFTAR_API_KEY"))
	c.AccessToken = cmp.Or(c.AccessToken, os.Getenv("DAFTAR_ACCESS_TOKEN"))
	return NewClient(c)
}

// wait returns after d, or when ctx ends, with its error.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
