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
)

// result is what one measurement found.
type result struct {
	perSecond float64
	latencies []time.Duration // sorted; empty where nobody measured them
}

func (r result) percentile(p float64) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[min(len(r.latencies)-1, int(p*float64(len(r.latencies))))]
}

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

// drive lets clients send the requests that next makes, one after the other,
// for a time. Every answer must have the wanted status.
func drive(ctx context.Context, address string, clients int, length time.Duration, want int, next func(client, n int) []byte) (result, error) {
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		all      []time.Duration
		failures []error
	)
	started := time.Now()
	deadline := started.Add(length)
	for k := range clients {
		wg.Go(func() {
			took, err := session(ctx, address, deadline, want, func(n int) []byte { return next(k, n) })
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
	return result{perSecond: float64(len(all)) / elapsed.Seconds(), latencies: all}, errors.Join(failures...)
}

func session(ctx context.Context, address string, deadline time.Time, want int, next func(n int) []byte) ([]time.Duration, error) {
	c, err := dial(ctx, address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.conn.Close() }()
	took := make([]time.Duration, 0, 1<<14)
	for n := 0; ctx.Err() == nil; n++ {
		request := next(n)
		sent := time.Now()
		if sent.After(deadline) {
			break
		}
		status, body, err := c.do(request)
		if err != nil {
			return took, err
		}
		if status != want {
			return took, fmt.Errorf("status %d: %s", status, body)
		}
		took = append(took, time.Since(sent))
	}
	return took, nil
}
