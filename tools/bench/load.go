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
	warm      time.Duration // for which they do the same before anything is measured
	warmed    func()        // hears that the measuring begins; nil: nobody wants to know
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
	conn  net.Conn
	in    *bufio.Reader
	body  []byte
	timer *preciseTimer
	asked int // requests
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
	_ = c.conn.Close() // there is nothing left to say
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

// expect sends a request whose answer must be of one status, and returns its body.
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

// pace lets clients send at a rate, whether or not earlier answers have come: a slow
// server does not slow its merchants down. As with pgbench -R, requests are due at
// random moments, as those of people who know nothing of one another, and each is
// taken by the first client that is free. It is measured from the moment at which it
// was due, so that waiting for anything counts, the client's own timers too.
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

// nextSend waits until a client is to send and tells from when on the request is measured.
type nextSend func(context.Context, *client) (time.Time, error)

// run connects the clients, lets them warm up and measures.
func (l load) run(ctx context.Context,
	plan func(started, deadline time.Time) nextSend,
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

// together runs a session for each client and puts what they found together.
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

// session is one client until its time is over.
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
