package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"daftar/internal/freeport"
)

// link is a proxy between two parties that can degrade their connections.
type link struct {
	proxy   *toxiproxy.Proxy
	address string

	mu     sync.Mutex
	toxics int
}

// newLinks returns a function that makes independent links. A link keeps its port while it
// is cut.
func newLinks(ctx context.Context) func(name, upstream string) (*link, error) {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	return func(name, upstream string) (*link, error) {
		address, err := freeport.Take(ctx)
		if err != nil {
			return nil, err
		}
		p := toxiproxy.NewProxy(server, name, address, upstream)
		if err := p.Start(); err != nil {
			return nil, fmt.Errorf("open the link %s: %w", name, err)
		}
		return &link{proxy: p, address: p.Listen}, nil
	}
}

// Directions of a link, seen from the side that opened the connection.
const (
	answers  = "downstream"
	requests = "upstream"
)

// spoil degrades the link in one direction until heal is called.
func (l *link) spoil(kind, direction string, attributes map[string]int64) (heal func(), err error) {
	l.mu.Lock()
	l.toxics++
	name := fmt.Sprintf("%s-%d", kind, l.toxics)
	l.mu.Unlock()
	text, err := json.Marshal(map[string]any{
		"name": name, "type": kind, "stream": direction, "toxicity": 1.0, "attributes": attributes,
	})
	if err != nil {
		return nil, fmt.Errorf("describe a bad link: %w", err)
	}
	if _, err := l.proxy.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("spoil the link %s: %w", l.proxy.Name, err)
	}
	// RemoveToxic fails only if the toxic is gone already.
	return func() { _ = l.proxy.Toxics.RemoveToxic(context.Background(), name) }, nil
}

// badness is one way to spoil a link.
type badness struct {
	kind, direction string
	attributes      map[string]int64
}

func silence(direction string) badness {
	return badness{"timeout", direction, map[string]int64{"timeout": 0}}
}

// spoilAll degrades links until heal is called. After an error heal still has links to heal.
func spoilAll(links []*link, how ...badness) (heal func(), err error) {
	var heals []func()
	heal = func() {
		for _, one := range heals {
			one()
		}
	}
	for _, l := range links {
		for _, b := range how {
			one, err := l.spoil(b.kind, b.direction, b.attributes)
			if err != nil {
				return heal, err
			}
			heals = append(heals, one)
		}
	}
	return heal, nil
}

// cut closes all connections and refuses new ones until heal is called.
func (l *link) cut() (heal func() error) {
	l.proxy.Stop()
	return l.open
}

// open listens again. The kernel may take a moment to release the port.
func (l *link) open() error {
	for deadline := time.Now().Add(5 * time.Second); ; {
		err := l.proxy.Start()
		if err == nil || errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("open the link %s again: %w", l.proxy.Name, err)
		}
		wait(context.Background(), 20*time.Millisecond)
	}
}

// reset heals everything.
func (l *link) reset() error {
	l.proxy.Toxics.ResetToxics(context.Background())
	return l.open()
}

func (l *link) close() { l.proxy.Stop() }
