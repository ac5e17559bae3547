package daftar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"
)

const version = "0.1.0"

// maxAnswer is the largest answer that is read; those of the API are far smaller.
const maxAnswer = 10 << 20

var userAgent = "daftar-go/" + version + " go/" +
	strings.Fields(strings.TrimPrefix(runtime.Version(), "go") + " unknown")[0]

// request is a request to the API, which may be sent several times.
type request struct {
	method, path string
	body         []byte // JSON; nil where there is none
	// retryConflict says that a conflict is of other requests that change the same reference, and that
	// nothing was done.
	retryConflict bool
}

// answer is a good answer: data, and what belongs to it.
type answer[T any] struct {
	Data       *T     `json:"data"`
	NextCursor string `json:"next_cursor"`
	header     http.Header
}

// replayed reports whether the reference was used before.
func (a answer[T]) replayed() bool { return a.header.Get("Idempotent-Replayed") == "true" }

// differs has the fields in which the request differs from what its reference was used for.
func (a answer[T]) differs() []string {
	if named := a.header.Get("Idempotent-Replayed-Differs"); named != "" {
		return strings.Split(named, ", ")
	}
	return nil
}

// identified is what has an id in every answer of the API.
type identified interface{ id() string }

func (i PaymentIntent) id() string { return i.UUID }
func (r Refund) id() string        { return r.UUID }

// attempt sends a request once. An answer that is not the API's, such as the page of a proxy, is no
// answer.
func attempt[T any](ctx context.Context, c *Client, r request, id string) (a answer[T], err error) {
	status, header, text, err := c.exchange(ctx, r, id)
	if err != nil {
		return a, &ConnectionError{RequestID: id, Err: err}
	}
	if status < 200 || status > 299 {
		return a, c.refusal(status, header, text, id)
	}
	if err := json.Unmarshal(text, &a); err != nil || !a.whole() {
		return answer[T]{}, &ConnectionError{
			RequestID: id, Err: fmt.Errorf("%s answered %d with something that is not the API's", c.base, status),
		}
	}
	a.header = header
	return a, nil
}

// whole reports whether an answer has what every answer of the API has.
func (a answer[T]) whole() bool {
	if a.Data == nil {
		return false
	}
	one, is := any(*a.Data).(identified)
	return !is || one.id() != ""
}

// exchange sends a request and reads what comes back. Its errors name the address without the path and
// the query, which are the merchant's.
func (c *Client) exchange(ctx context.Context, r request, id string) (int, http.Header, []byte, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	q, err := http.NewRequestWithContext(limited, r.method, c.base+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, nil, err
	}
	c.authorize(q.Header)
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", userAgent)
	q.Header.Set("X-Request-Id", id)
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	came, err := c.http.Do(q)
	if err != nil {
		return 0, nil, nil, c.reason(ctx, err)
	}
	defer came.Body.Close()
	text, err := io.ReadAll(io.LimitReader(came.Body, maxAnswer+1))
	if err != nil {
		return 0, nil, nil, c.reason(ctx, err)
	}
	if len(text) > maxAnswer {
		return 0, nil, nil, fmt.Errorf("%s answered with more than %d bytes", c.base, maxAnswer)
	}
	return came.StatusCode, came.Header, text, nil
}

// reason is why there was no answer. Only the end of the caller's context is an error of a context: the
// time of one attempt is not the caller's.
func (c *Client) reason(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer in time", c.base)
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", c.base, err)
}

// refusal is the error for an answer that is not 2xx.
func (c *Client) refusal(status int, header http.Header, text []byte, id string) error {
	e := &APIError{Status: status, RequestID: id, RetryAfter: c.retryAfter(header.Get("Retry-After"))}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields) // a page has none
	// For a wrong API key the field is called error.
	for _, name := range []string{"message", "error"} {
		if e.Message == "" {
			_ = json.Unmarshal(fields[name], &e.Message)
		}
	}
	if e.Message == "" {
		e.Message = fmt.Sprintf("The service answered %d.", status)
	}
	if json.Unmarshal(fields["errors"], &e.Errors) != nil {
		e.Errors = nil
	}
	return e
}

var uuidForm = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// pathOf is where an intent or a refund is. A uuid that is none must not become another path.
func pathOf(kind, uuid string) (string, error) {
	if !uuidForm.MatchString(uuid) {
		return "", wrong("%q is not a uuid", uuid)
	}
	return "/" + kind + "/" + uuid, nil
}
