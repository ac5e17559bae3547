package torture

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// server is one `daftar serve`, which is restarted whenever it ends, as a service manager
// would.
type server struct {
	name        string
	listen, ops string
	program     string
	environment []string
	database    []*link // to each database server
	log         *os.File

	up    atomic.Bool // it was ready, or readyLimit has passed, and it has not ended since
	ready bool        // it was ready; only the goroutine in keep uses it

	mu      sync.Mutex
	current *process
	doomed  bool           // the suite ends the current process
	armed   string         // the crash point at which the current process ends
	next    string         // the crash point of the next process
	pause   time.Duration  // before the next start
	deaths  []string       // ends that the suite did not cause
	hits    map[string]int // by crash point
}

const (
	readyLimit = 15 * time.Second
	drainLimit = 10 * time.Second // which the service promises
	// unreachable is the exit code for a database that cannot be reached. A server that
	// starts while the database is down ends with it and is restarted.
	unreachable = 3
)

// databases are the addresses at which the server reaches its database servers.
func (s *server) databases() string {
	var all []string
	for _, l := range s.database {
		all = append(all, l.address)
	}
	return strings.Join(all, ",")
}

func (s *server) closeLinks() {
	for _, l := range s.database {
		l.close()
	}
}

// keep runs the server until ctx ends, and then ends it.
func (s *server) keep(ctx context.Context) {
	for ctx.Err() == nil {
		p, err := s.start()
		if err != nil {
			s.died(err.Error())
			return
		}
		s.await(ctx, p)
		select {
		case <-p.done:
		case <-ctx.Done():
			s.up.Store(false)
			if took, inTime := p.stop(drainLimit); !inTime {
				s.died(fmt.Sprintf("did not stop within %v of SIGTERM", took.Round(time.Second)))
			}
			return
		}
		wait(ctx, s.ended(p))
	}
}

func (s *server) start() (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	environment := s.environment
	s.armed, s.next = s.next, ""
	if s.armed != "" {
		environment = append(slices.Clip(environment), "DAFTAR_CRASH_AT="+s.armed)
	}
	p, err := startProcess(s.program, []string{"serve"}, environment, s.log)
	if err != nil {
		return nil, err
	}
	s.current, s.doomed, s.pause = p, false, 0
	return p, nil
}

// await waits until the server is ready or gone.
func (s *server) await(ctx context.Context, p *process) {
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	s.ready = false
	for deadline := time.Now().Add(readyLimit); ctx.Err() == nil && !p.gone(); {
		if get(ctx, client, "http://"+s.ops+"/readyz") == nil {
			s.ready = true
			s.up.Store(true)
			return
		}
		if time.Now().After(deadline) {
			// It runs, but the database may be down. Clients may use it all the same.
			s.up.Store(true)
			return
		}
		wait(ctx, 15*time.Millisecond)
	}
}

// ended records the end of a process and returns how long to wait before the next start.
func (s *server) ended(p *process) time.Duration {
	s.up.Store(false)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = nil
	switch {
	case s.doomed:
		return s.pause
	case s.armed != "" && p.exitCode() < 0:
		s.hits[s.armed]++
		return 100 * time.Millisecond
	case !s.ready && p.exitCode() == unreachable:
		return 100 * time.Millisecond
	}
	s.deaths = append(s.deaths, fmt.Sprintf("server %s ended by itself: %v", s.name, p.err))
	return 100 * time.Millisecond
}

func (s *server) died(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths = append(s.deaths, "server "+s.name+": "+why)
}

// kill ends the process at once. It is restarted after the pause, with the given crash point
// if that is not empty. kill reports whether there was a process.
func (s *server) kill(pause time.Duration, crashAt string) bool {
	s.mu.Lock()
	p := s.current
	if p == nil || s.doomed {
		s.mu.Unlock()
		return false
	}
	s.doomed, s.pause, s.next = true, pause, crashAt
	s.mu.Unlock()
	p.kill()
	return true
}

// drain stops the process with SIGTERM and returns how long it took. ok is false if there
// was no process.
func (s *server) drain() (took time.Duration, inTime, ok bool) {
	s.mu.Lock()
	p := s.current
	if p == nil || s.doomed {
		s.mu.Unlock()
		return 0, false, false
	}
	s.doomed, s.pause = true, 0
	s.mu.Unlock()
	took, inTime = p.stop(drainLimit)
	return took, inTime, true
}

// process is the current process; nil if none runs.
func (s *server) process() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// ends returns the ends that the suite did not cause, and how often each crash point was
// hit.
func (s *server) ends() (deaths []string, hits map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deaths, s.hits
}

// get requests a page and returns an error for any status but 200.
func get(ctx context.Context, client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// wait lasts for d or until ctx ends, and reports whether ctx is still alive.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
