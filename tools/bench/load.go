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

// load is what clients are to do: each sends the requests that next makes, one
// after the other over a connection of its own, and wants answers of one status.
type load struct {
	addresses []string // client k asks addresses[k%len(addresses)]
	clients   int
	length    time.Duration
	want      func(n int) int // the status of the answer to a client's request n
	next      func(client, n int) []byte
	answered  func(client, n int) // hears of each answer; nil: nobody wants to know
}

func always(status int) func(int) int { return func(int) int { return status } }

// client sends requests over one kept connection. It knows just enough of HTTP
// to wait for an answer with a Content-Length: a full client would take from the
// server the cores that they share.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(ctx context.Context, address string) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 4096)}, nil
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

// drive lets clients send as fast as they are answered.
func drive(ctx context.Context, l load) (figures.Result, error) {
	return together(l, func(k int, _, deadline time.Time) ([]time.Duration, error) {
		return session(ctx, l, k, func(int) (time.Time, error) {
			now := time.Now()
			if now.After(deadline) {
				return now, errDone
			}
			return now, nil
		})
	})
}

// pace lets clients send at a constant rate, whether or not earlier answers have
// come: a slow server does not slow its merchants down. A request is measured from
// the moment at which it was due, so that waiting for anything counts, the client's
// own timers too.
func pace(ctx context.Context, l load, perSecond float64) (figures.Result, error) {
	return together(l, func(k int, started, deadline time.Time) ([]time.Duration, error) {
		return session(ctx, l, k, func(n int) (time.Time, error) {
			due := started.Add(time.Duration(float64(n*l.clients+k) / perSecond * float64(time.Second)))
			if due.After(deadline) {
				return due, errDone
			}
			return due, sleepUntil(ctx, due)
		})
	})
}

// errDone ends a session whose time is over.
var errDone = errors.New("the time is over")

// together runs a session for each client and puts what they found together.
func together(l load, session func(client int, started, deadline time.Time) ([]time.Duration, error)) (figures.Result, error) {
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		all      []time.Duration
		failures []error
	)
	started := time.Now()
	deadline := started.Add(l.length)
	for k := range l.clients {
		wg.Go(func() {
			took, err := session(k, started, deadline)
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

// session is one client. begin waits until request n is to be sent and tells from
// when on it is measured.
func session(ctx context.Context, l load, k int, begin func(n int) (time.Time, error)) ([]time.Duration, error) {
	c, err := dial(ctx, l.addresses[k%len(l.addresses)])
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.conn.Close() }()
	took := make([]time.Duration, 0, 1<<14)
	for n := 0; ctx.Err() == nil; n++ {
		request := l.next(k, n)
		from, err := begin(n)
		if errors.Is(err, errDone) {
			return took, nil
		}
		if err != nil {
			return took, err
		}
		status, body, err := c.do(request)
		if err != nil {
			return took, err
		}
		if want := l.want(n); status != want {
			return took, fmt.Errorf("status %d instead of %d: %s", status, want, body)
		}
		took = append(took, time.Since(from))
		if l.answered != nil {
			l.answered(k, n)
		}
	}
	return took, ctx.Err()
}
