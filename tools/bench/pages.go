package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"daftar/tools/bench/figures"
)

// viewRate is how many customers open a checkout page each second.
const viewRate = 50

// payPages returns the paths of the newest intents. Each view opens another one, as
// customers do.
func (s *stage) payPages(ctx context.Context) ([]string, error) {
	const payPagesSQL = `
SELECT checkout_url
FROM intents
WHERE status = 'requires_payment_method'
ORDER BY created_at DESC
LIMIT $1`
	rows, err := s.pool.Query(ctx, payPagesSQL, viewRate*(1+int(s.time/time.Second)))
	if err != nil {
		return nil, fmt.Errorf("list pay pages: %w", err)
	}
	defer rows.Close()
	var paths []string
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return nil, fmt.Errorf("list pay pages: %w", err)
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return nil, errors.Join(errors.New("there is no intent to show"), rows.Err())
	}
	return paths, rows.Err()
}

// views measures the pay page of fresh intents.
func (s *stage) views(ctx context.Context) (figures.Result, error) {
	paths, err := s.payPages(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	if s.weight, err = weigh(ctx, "http://"+s.addresses()[0], paths[0]); err != nil {
		return figures.Result{}, err
	}
	return visit(ctx, s.time, func(n int) string { return "http://" + s.addresses()[0] + paths[n%len(paths)] })
}

// staticViews measures the same page from a handler that only sends its bytes: the least
// that a view can cost.
func (s *stage) staticViews(ctx context.Context) (figures.Result, error) {
	paths, err := s.payPages(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	page, _, err := fetch(ctx, http.DefaultClient, "http://"+s.addresses()[0]+paths[0])
	if err != nil {
		return figures.Result{}, err
	}
	return serveStatic(ctx, page, func(address string) (figures.Result, error) {
		return visit(ctx, s.time, func(int) string { return address })
	})
}

// serveStatic does work while a handler answers every request with page.
func serveStatic(
	ctx context.Context, page []byte, work func(address string) (figures.Result, error),
) (figures.Result, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return figures.Result{}, fmt.Errorf("serve the static page: %w", err)
	}
	server := http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page)
		}),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	r, err := work("http://" + listener.Addr().String() + "/")
	err = errors.Join(err, server.Close())
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return r, err
}

// visit opens pages at a constant rate, whether or not earlier ones have been answered: a
// slow server does not slow its customers down. The time of a view starts when it is due,
// so that every wait counts.
func visit(ctx context.Context, length time.Duration, url func(n int) string) (figures.Result, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: viewRate, DisableCompression: true}}
	defer client.CloseIdleConnections()
	timer, err := newTimer(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	defer timer.close()
	const warming = viewRate / 2 // views while connections open, which do not count
	views := warming + int(length.Seconds()*viewRate)
	took, failures := make([]time.Duration, views), make([]error, views)
	var underWay sync.WaitGroup
	started := time.Now()
	for n := range views {
		due := started.Add(time.Duration(n) * time.Second / viewRate)
		if err := timer.wait(ctx, due); err != nil {
			underWay.Wait()
			return figures.Result{}, err
		}
		underWay.Go(func() {
			_, _, failures[n] = fetch(ctx, client, url(n))
			took[n] = time.Since(due)
		})
	}
	underWay.Wait()
	elapsed := time.Since(started)
	took = took[warming:]
	slices.Sort(took)
	return figures.Result{Value: float64(views) / elapsed.Seconds(), Latencies: took, Operations: views},
		errors.Join(failures...)
}

// fetch gets an address whose answer must be 200.
func fetch(ctx context.Context, client *http.Client, url string) ([]byte, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("fetch page: %w", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, fmt.Errorf("fetch page: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("fetch page: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("fetch page: status %d", response.StatusCode)
	}
	return body, response.Header, nil
}

// loaded matches the addresses that a page makes a browser request.
var loaded = regexp.MustCompile(`<(?:script|img|iframe)[^>]+src="([^"]+)"|` +
	`<link[^>]+rel="(?:stylesheet|icon|preload|manifest)"[^>]+href="([^"]+)"`)

// weigh reports how much a browser loads when it opens the page for the first time: bytes
// after gzip, and the number of requests.
func weigh(ctx context.Context, server, path string) (string, error) {
	page, _, err := fetch(ctx, http.DefaultClient, server+path)
	if err != nil {
		return "", err
	}
	sizes := map[string]int{"HTML": zipped(page)}
	requests := 1
	for _, found := range loaded.FindAllSubmatch(page, -1) {
		address := string(found[1]) + string(found[2])
		if strings.HasPrefix(address, "data:") {
			continue // it is part of the page
		}
		requests++
		body, header, err := fetch(ctx, http.DefaultClient, server+address)
		if err != nil {
			return "", err
		}
		kind := "other"
		switch {
		case strings.HasPrefix(header.Get("Content-Type"), "text/css"):
			kind = "CSS"
		case strings.HasPrefix(header.Get("Content-Type"), "text/javascript"):
			kind = "JS"
		}
		sizes[kind] += zipped(body)
	}
	return fmt.Sprintf("pay page, first view, after gzip: HTML %d B, CSS %d B, JS %d B, other %d B; %d requests",
		sizes["HTML"], sizes["CSS"], sizes["JS"], sizes["other"], requests), nil
}

func zipped(b []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes everything
	_ = w.Close()
	return out.Len()
}
