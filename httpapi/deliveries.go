package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"daftar/accounts"
	"daftar/webhooks"
)

const (
	// maxDeliveries is how many webhooks one answer has.
	maxDeliveries = 100
	// waitForDeliveries is how long a request waits for the first webhook; it must be shorter
	// than the deadline of a request.
	waitForDeliveries = 4 * time.Second
	// These bound how many requests wait at a time on this server, of one organisation
	// and of one application: each polls the database four times a second, and
	// without a pause while it is far behind.
	maxListeners             = 32
	maxListenersOrganization = 8
	maxListenersApplication  = 4
	// retryListening is after how many seconds a refused request may try again.
	retryListening = int(waitForDeliveries / time.Second)
)

// listeners counts the requests that wait for webhooks.
type listeners struct {
	mu sync.Mutex
	// waiting has the credential of each request that waits. There are few: counting is cheap.
	waiting []accounts.Credential
}

// enter reports whether one more request may wait; if so, leave must follow.
func (l *listeners) enter(c accounts.Credential) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	organization, application := 0, 0
	for _, w := range l.waiting {
		if w.Organization == c.Organization {
			organization++
		}
		if w.Application == c.Application {
			application++
		}
	}
	if len(l.waiting) == maxListeners || organization == maxListenersOrganization ||
		application == maxListenersApplication {
		return false
	}
	l.waiting = append(l.waiting, c)
	return true
}

func (l *listeners) leave(c accounts.Credential) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := slices.IndexFunc(l.waiting, func(w accounts.Credential) bool { return w.Application == c.Application })
	l.waiting = slices.Delete(l.waiting, n, n+1)
}

// Delivery is a webhook as an endpoint of the application would get it now.
type Delivery struct {
	ID      string            `json:"id"`
	Type    string            `json:"type"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"` // the bytes that are signed
}

// Deliveries is a page of webhooks.
type Deliveries struct {
	Data []Delivery `json:"data"`
	Next string     `json:"next"` // the cursor of the next page
}

const (
	deliveriesRoute = "/webhook-deliveries"
	afterParameter  = "after" // names the cursor
)

// deliveries is GET /webhook-deliveries: the webhooks that an endpoint of the application
// would get, for developers without a public address. Without a cursor it returns the cursor
// of the present moment. With one it waits up to waitForDeliveries for the first webhook.
func (a *api) deliveries(_ http.ResponseWriter, r *http.Request) (operation, error) {
	after := webhooks.Cursor{}
	given := r.URL.Query().Get(afterParameter)
	if given != "" {
		var err error
		if after, err = webhooks.ParseCursor(given); err != nil {
			const sentence = "The after must be the next of an earlier answer."
			return nil, &InvalidError{[]Violation{{afterParameter, []string{sentence}}}}
		}
	}
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		of := webhooks.TenantOf(c.Organization)
		if given == "" {
			next, err := a.Deliveries.Latest(ctx, of, c.Application)
			if err != nil {
				return answer{}, fmt.Errorf("find latest delivery: %w", err)
			}
			return showDeliveries(nil, next)
		}
		if !a.listeners.enter(c) {
			return answer{}, errTooManyListeners
		}
		defer a.listeners.leave(c)
		found, next, err := a.Deliveries.Await(ctx, of, c.Application, after, maxDeliveries, waitForDeliveries)
		if err != nil {
			return answer{}, fmt.Errorf("list deliveries: %w", err)
		}
		return showDeliveries(found, next)
	}, nil
}

func showDeliveries(found []webhooks.Message, next webhooks.Cursor) (answer, error) {
	page := Deliveries{Data: make([]Delivery, len(found)), Next: next.String()}
	for n, m := range found {
		page.Data[n] = Delivery{ID: m.ID, Type: m.Type, Headers: map[string]string{}, Body: string(m.Body)}
		for name := range m.Header {
			page.Data[n].Headers[name] = m.Header.Get(name)
		}
	}
	return answerWith(http.StatusOK, nil, page)
}
