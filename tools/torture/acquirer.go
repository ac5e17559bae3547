package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"daftar/internal/freeport"
)

// acquirer is the process of an acquirer for tests, and a client of its control interface.
type acquirer struct {
	process *process
	address string // its own; the servers reach it over the link
	link    *link
	client  *http.Client
}

// startAcquirer starts daftar-dev as an acquirer; run returns its arguments and environment.
// The stage ends it.
func (s *stage) startAcquirer(
	ctx context.Context, name string, log io.Writer,
	run func(address string) (arguments, environment []string),
) (*acquirer, error) {
	// An acquirer answers only when its messages are sent. Each of up to ten may wait for a
	// server whose database is down.
	a := &acquirer{client: &http.Client{Timeout: 2 * time.Minute}}
	s.acquirers = append(s.acquirers, a)
	var err error
	if a.address, err = freeport.Take(ctx); err != nil {
		return a, err
	}
	if a.link, err = newLinks(ctx)(name, a.address); err != nil {
		return a, err
	}
	arguments, environment := run(a.address)
	program := filepath.Join(filepath.Dir(s.Daftar), "daftar-dev")
	if a.process, err = startProcess(program, arguments, environment, log); err != nil {
		return a, err
	}
	return a, awaitListener(ctx, a.address)
}

// control uses the acquirer's control interface, which exists only for tests. into is nil if
// the answer does not matter.
func (a *acquirer) control(ctx context.Context, method, path, body string, into any) error {
	address := "http://" + a.address + path
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewBufferString(body))
	if err != nil {
		return fmt.Errorf("ask the acquirer: %w", err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the acquirer: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("ask the acquirer: %w", err)
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("ask the acquirer: %s %s: %s", method, path, response.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("ask the acquirer: %w", err)
	}
	return nil
}

func (a *acquirer) close() {
	if a.process != nil {
		a.process.stop(drainLimit)
	}
	if a.link != nil {
		a.link.close()
	}
}
