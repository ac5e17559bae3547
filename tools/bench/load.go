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
	"time"

	"golang.org/x/sync/errgroup"

	"daftar/tools/bench/figures"
)

// load is what clients do at the same time, each one operation after the other.
type load struct {
	clients int
	warm    time.Duration // for which they do the same before the measurement
	warmed  func()        // is called when the measurement begins; may be nil
	length  time.Duration
	rate    float64                                        // operations a second; 0: as fast as they are done
	even    bool                                           // at the same time apart, not at random times
	next    func(client, n int)                            // makes operation n, which takes no time; may be nil
	do      func(ctx context.Context, client, n int) error // ends the measurement with an error
}

// run lets the clients warm up and measures. Without a rate, clients do their next operation
// when the last is done. With one, operations are due whether or not earlier ones are done: a
// slow server does not slow its merchants down. As with pgbench -R, they are due at random
// times, as independent people send them, and the first free client takes each. Its time starts
// when it is due, so that every wait counts, even for the client's timers.
func (l load) run(ctx context.Context) (r figures.Result, err error) {
	done := make([]int, l.clients) // operations of each client
	if l.warm > 0 {
		if _, err := l.phase(ctx, l.warm, done); err != nil {
			return r, err
		}
	}
	if l.warmed != nil {
		l.warmed()
	}
	return l.phase(ctx, l.length, done)
}

func (l load) phase(ctx context.Context, length time.Duration, done []int) (figures.Result, error) {
	started := time.Now()
	var due *schedule
	if l.rate > 0 {
		due = &schedule{next: started, mean: time.Duration(float64(time.Second) / l.rate), even: l.even}
	}
	took := make([][]time.Duration, l.clients)
	clients, ctx := errgroup.WithContext(ctx)
	for k := range l.clients {
		clients.Go(func() (err error) {
			took[k], err = l.session(ctx, k, started.Add(length), due, &done[k])
			return err
		})
	}
	err := clients.Wait()
	elapsed := time.Since(started)
	all := slices.Concat(took...)
	slices.Sort(all)
	return figures.Result{
		Value: float64(len(all)) / elapsed.Seconds(), Latencies: all, Operations: len(all),
	}, err
}

// session is the operations of one client until the deadline.
func (l load) session(
	ctx context.Context, k int, deadline time.Time, due *schedule, n *int,
) ([]time.Duration, error) {
	timer, err := newTimer(ctx)
	if err != nil {
		return nil, err
	}
	defer timer.close()
	took := make([]time.Duration, 0, 1<<14)
	for ctx.Err() == nil {
		if l.next != nil {
			l.next(k, *n)
		}
		from := time.Now()
		if due != nil {
			from = due.take()
		}
		if from.After(deadline) {
			return took, nil
		}
		if err := timer.wait(ctx, from); err != nil {
			return took, err
		}
		if err := l.do(ctx, k, *n); err != nil {
			return took, err
		}
		took = append(took, time.Since(from))
		*n++
	}
	return took, ctx.Err()
}

func always(status int) func(int) int { return func(int) int { return status } }

// overHTTP measures a load of requests. Client k sends to addresses[k%len(addresses)], over its
// own connection; request appends its request n to a buffer, and want is the status of the answer.
func (l load) overHTTP(
	ctx context.Context, addresses []string, want func(n int) int, request func(b []byte, k, n int) []byte,
) (r figures.Result, err error) {
	clients, requests := make([]*client, 0, l.clients), make([][]byte, l.clients)
	defer func() {
		for _, c := range clients {
			c.close()
		}
	}()
	for k := range l.clients {
		c, err := dial(ctx, addresses[k%len(addresses)])
		if err != nil {
			return r, err
		}
		clients = append(clients, c)
	}
	l.next = func(k, n int) { requests[k] = request(requests[k][:0], k, n) }
	do := l.do
	l.do = func(ctx context.Context, k, n int) error {
		if _, err := clients[k].expect(want(n), requests[k]); err != nil || do == nil {
			return err
		}
		return do(ctx, k, n)
	}
	return l.run(ctx)
}

// client sends requests over one connection. It implements just enough of HTTP to read an
// answer with a Content-Length: a full client would use more of the cores that it shares
// with the server.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(ctx context.Context, address string) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 4096)}, nil
}

func (c *client) close() { _ = c.conn.Close() } // everything was sent and answered

// expect sends a request whose answer must have the given status. It returns the body, which is
// valid until the next call.
func (c *client) expect(want int, request []byte) ([]byte, error) {
	if _, err := c.conn.Write(request); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil || len(line) < len("HTTP/1.1 200") {
		return nil, errors.Join(errors.New("no status line"), err)
	}
	status, length := string(line[9:12]), -1
	for len(line) > 2 {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return nil, fmt.Errorf("read header: %w", err)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return nil, fmt.Errorf("content length: %w", err)
			}
		}
	}
	if length < 0 {
		return nil, errors.New("an answer without Content-Length")
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return nil, fmt.Errorf("read body: %w", err)
	}
	if status != strconv.Itoa(want) {
		return nil, fmt.Errorf("status %s instead of %d: %s", status, want, c.body)
	}
	return c.body, nil
}
