package daftar

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// The first wait and the longest, without what the service asks for.
const (
	firstWait   = 200 * time.Millisecond
	longestWait = 5 * time.Second
)

// send sends a request until it is answered, or is refused for good, or another try would begin later
// than retryFor after the first. The last error is returned.
func send[T any](ctx context.Context, c *Client, r request) (a answer[T], err error) {
	// The same on every attempt, so that support finds all of them.
	id := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) //nolint:gosec // nothing is secret
	end := c.now().Add(c.retryFor)
	for tries := 1; ; tries++ {
		a, err = attempt[T](ctx, c, r, id)
		if err == nil || errors.Is(err, ctx.Err()) || !isTransient(err, r.retryConflict) {
			return a, err
		}
		pause := c.waitAfter(err, tries)
		if c.now().Add(pause).After(end) {
			return a, err
		}
		if ended := c.wait(ctx, pause); ended != nil {
			return a, &ConnectionError{RequestID: id, Err: fmt.Errorf("%w, after %w", ended, err)}
		}
	}
}

var seconds = regexp.MustCompile(`^[0-9]{1,9}$`)

// retryAfter is how long Retry-After asks to wait, as a number of seconds or until a date.
func (c *Client) retryAfter(value string) time.Duration {
	if seconds.MatchString(value) {
		n, _ := strconv.Atoi(value)
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(c.now()))
}

// isTransient reports whether the same request may succeed when it is sent again.
func isTransient(err error, retryConflict bool) bool {
	var none *ConnectionError
	return errors.As(err, &none) || errors.Is(err, ErrUnavailable) ||
		retryConflict && errors.Is(err, ErrConflict)
}

// waitAfter is how long to wait after the given number of tries: what the service asks for, and a time
// that grows and of which half is random, so that clients that failed together do not come back
// together.
func (c *Client) waitAfter(err error, tries int) time.Duration {
	grown := min(longestWait, firstWait<<min(tries-1, 10))
	pause := grown/2 + time.Duration(c.random()*float64(grown/2))
	var refused *APIError
	if errors.As(err, &refused) && errors.Is(err, ErrUnavailable) {
		pause += refused.RetryAfter
	}
	return pause
}
