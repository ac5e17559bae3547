package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"daftar/tools/bench/figures"
)

// load is what clients do: each sends the requests that next makes, one after the other
// over its own connection, and fails on an answer with another status than want.
type load struct {
	addresses []string // client k sends to addresses[k%len(addresses)]
	clients   int
	warm      time.Duration // for which they do the same before the measurement
	warmed    func()        // is called when the measurement begins; may be nil
	length    time.Duration
	want      func(n int) int // the status of the answer to a client's request n
	next      func(client, n int) []byte
	answered  func(client, n int) // is called after each answer; may be nil
}

func always(status int) func(int) int { return func(int) int { return status } }

// client sends requests over one connection. It implements just enough of HTTP to read an
// answer with a Content-Length: a full client would use more of the cores that it shares
// with the server.
type client struct {
	conn  net.Conn
	in    *bufio.Reader
	body  []byte
	timer *preciseTimer
	asked int // requests so far
}

func dial(ctx context.Context, address string) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	timer, err := newTimer(ctx)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 4096), timer: timer}, nil
}

func (c *client) close() {
	_ = c.conn.Close() // everything was sent and answered
	c.timer.close()
}

// do sends a request and returns the status and the body of the answer, which is
// valid until the next call.
func (c *client) do(request []byte) (int, []byte, error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, fmt.Errorf("send: %w", err)
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil || len(line) < len("HTTP/1.1 200") {
		return 0, nil, errors.Join(errors.New("no status line"), err)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, nil, fmt.Errorf("status line %q: %w", line, err)
	}
	length := -1
	for {
		line, err = c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, fmt.Errorf("read header: %w", err)
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, fmt.Errorf("content length: %w", err)
			}
		}
	}
	if length < 0 {
		return 0, nil, errors.New("an answer without Content-Length")
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return 0, nil, fmt.Errorf("read body: %w", err)
	}
	return status, c.body, nil
}

// expect sends a request whose answer must have the given status, and returns its body.
func (c *client) expect(want int, request []byte) ([]byte, error) {
	status, body, err := c.do(request)
	if err != nil {
		return nil, err
	}
	if status != want {
		return nil, fmt.Errorf("status %d instead of %d: %s", status, want, body)
	}
	return body, nil
}

// drive lets clients send as fast as they are answered.
func drive(ctx context.Context, l load) (figures.Result, error) {
	return l.run(ctx, func(_, deadline time.Time) nextSend {
		return func(context.Context, *client) (time.Time, error) {
			now := time.Now()
			if now.After(deadline) {
				return now, errDone
			}
			return now, nil
		}
	})
}

// pace lets clients send at a rate, whether or not earlier requests have been answered: a
// slow server does not slow its merchants down. As with pgbench -R, requests are due at
// random times, as independent people send them, and the first free client takes each.
// Its time starts when it is due, so that every wait counts, even for the client's timers.
func pace(ctx context.Context, l load, perSecond float64) (figures.Result, error) {
	return l.run(ctx, func(started, deadline time.Time) nextSend {
		due := schedule{next: started, mean: time.Duration(float64(time.Second) / perSecond)}
		return func(ctx context.Context, c *client) (time.Time, error) {
			at := due.take()
			if at.After(deadline) {
				return at, errDone
			}
			return at, c.timer.wait(ctx, at)
		}
	})
}

// nextSend waits until a client has to send and returns the time at which its measurement starts.
type nextSend func(context.Context, *client) (time.Time, error)

// run connects the clients, lets them warm up and measures.
func (l load) run(
	ctx context.Context, plan func(started, deadline time.Time) nextSend,
) (r figures.Result, err error) {
	clients := make([]*client, 0, l.clients)
	defer func() {
		for _, c := range clients {
			c.close()
		}
	}()
	for k := range l.clients {
		c, err := dial(ctx, l.addresses[k%len(l.addresses)])
		if err != nil {
			return r, err
		}
		clients = append(clients, c)
	}
	lengths := []time.Duration{l.length}
	if l.warm > 0 {
		lengths = []time.Duration{l.warm, l.length}
	}
	for n, length := range lengths {
		if n == len(lengths)-1 && l.warmed != nil {
			l.warmed()
		}
		started := time.Now()
		next := plan(started, started.Add(length))
		r, err = together(l.clients, func(k int) ([]time.Duration, error) {
			return session(ctx, l, k, clients[k], next)
		})
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// errDone ends a session whose time is over.
var errDone = errors.New("the time is over")

// together runs a session for each client in parallel and merges their latencies.
func together(clients int, session func(client int) ([]time.Duration, error)) (figures.Result, error) {
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		all      []time.Duration
		failures []error
	)
	started := time.Now()
	for k := range clients {
		wg.Go(func() {
			took, err := session(k)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			if err != nil {
				failures = append(failures, err)
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(started)
	slices.Sort(all)
	return figures.Result{
		Value: float64(len(all)) / elapsed.Seconds(), Latencies: all, Operations: len(all),
	}, errors.Join(failures...)
}

// session is the requests of one client until its time is over.
func session(ctx context.Context, l load, k int, c *client, next nextSend) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<14)
	for ctx.Err() == nil {
		request := l.next(k, c.asked)
		from, err := next(ctx, c)
		if errors.Is(err, errDone) {
			return took, nil
		}
		if err != nil {
			return took, err
		}
		if _, err := c.expect(l.want(c.asked), request); err != nil {
			return took, err
		}
		took = append(took, time.Since(from))
		if l.answered != nil {
			l.answered(k, c.asked)
		}
		c.asked++
	}
	return took, ctx.Err()
}
