package fake

import (
	"bytes"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"
)

// messageLimit is how long a receiver may take.
const messageLimit = 30 * time.Second

// Messenger sends a fake's messages, each once. Close ends it.
type Messenger struct {
	client *http.Client
	closed context.Context
	close  context.CancelFunc

	mu      sync.Mutex // so that nothing begins after Close
	sending sync.WaitGroup
}

// NewMessenger makes a Messenger.
func NewMessenger() *Messenger {
	closed, end := context.WithCancel(context.Background())
	return &Messenger{closed: closed, close: end, client: &http.Client{
		Timeout:   messageLimit,
		Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true},
		// A receiver cannot redirect a message to another machine.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Go sends in the background, unless the Messenger is closed.
func (m *Messenger) Go(send func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed.Err() == nil {
		m.sending.Go(send)
	}
}

// Post sends a message and returns the receiver's status; 0 where there is none.
func (m *Messenger) Post(address string, header http.Header, body []byte) int {
	req, err := http.NewRequestWithContext(m.closed, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	req.Header = header
	res, err := m.client.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// Close cancels what is being sent, and waits for its end.
func (m *Messenger) Close() {
	m.mu.Lock()
	m.close()
	m.mu.Unlock()
	m.sending.Wait()
}

// OnLoopback reports whether an address is http on this machine: a fake must not call others.
func OnLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
