package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/tools/bench/figures"
)

// viewRate is how many customers open a checkout page each second.
const viewRate = 50

// payPages returns the addresses of the newest intents. Each view opens another one, as
// customers do.
func (s *stage) payPages(ctx context.Context) ([]string, error) {
	const payPagesSQL = `
SELECT $2 || checkout_url
FROM intents
WHERE status = 'requires_payment_method'
ORDER BY created_at DESC
LIMIT $1`
	views := viewRate * (1 + int(s.time/time.Second))
	rows, _ := s.pool.Query(ctx, payPagesSQL, views, "http://"+s.addresses()[0])
	pages, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err == nil && len(pages) == 0 {
		err = errors.New("there is no intent to show")
	}
	return pages, err
}

// views measures the pay page of fresh intents.
func (s *stage) views(ctx context.Context) (figures.Result, error) {
	pages, err := s.payPages(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	if s.weight, err = weigh(ctx, "http://"+s.addresses()[0], pages[0]); err != nil {
		return figures.Result{}, err
	}
	return s.visit(ctx, pages)
}

// staticViews measures the same page from a handler that only sends its bytes: the least
// that a view can cost.
func (s *stage) staticViews(ctx context.Context) (figures.Result, error) {
	pages, err := s.payPages(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	page, _, err := get(ctx, http.DefaultClient, pages[0], nil)
	if err != nil {
		return figures.Result{}, err
	}
	static := serveStatic(page)
	defer static.Close()
	return s.visit(ctx, []string{static.URL})
}

// serveStatic answers every request with a page.
func serveStatic(page []byte) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
}

// visit opens pages in turn at a constant rate.
func (s *stage) visit(ctx context.Context, pages []string) (figures.Result, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: viewRate, DisableCompression: true}}
	defer client.CloseIdleConnections()
	l := s.load(ctx, nil)
	l.rate, l.even = viewRate, true
	var views atomic.Int64
	l.do = func(ctx context.Context, _, _ int) error {
		_, _, err := get(ctx, client, pages[int(views.Add(1))%len(pages)], nil)
		return err
	}
	return l.run(ctx)
}

// loaded matches the addresses that a page makes a browser request.
var loaded = regexp.MustCompile(`<(?:script|img|iframe)[^>]+src="([^"]+)"|` +
	`<link[^>]+rel="(?:stylesheet|icon|preload|manifest)"[^>]+href="([^"]+)"`)

// weigh reports how much a browser loads when it opens a page for the first time: bytes
// after gzip, and the number of requests.
func weigh(ctx context.Context, server, address string) (string, error) {
	page, _, err := get(ctx, http.DefaultClient, address, nil)
	if err != nil {
		return "", err
	}
	var css, js, other int
	requests := 1
	for _, found := range loaded.FindAllSubmatch(page, -1) {
		path := string(found[1]) + string(found[2])
		if strings.HasPrefix(path, "data:") {
			continue // it is part of the page
		}
		requests++
		body, header, err := get(ctx, http.DefaultClient, server+path, nil)
		if err != nil {
			return "", err
		}
		switch kind, _, _ := strings.Cut(header.Get("Content-Type"), ";"); kind {
		case "text/css":
			css += zipped(body)
		case "text/javascript":
			js += zipped(body)
		default:
			other += zipped(body)
		}
	}
	return fmt.Sprintf("pay page, first view, after gzip: HTML %d B, CSS %d B, JS %d B, other %d B; %d requests",
		zipped(page), css, js, other, requests), nil
}

func zipped(b []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes everything
	_ = w.Close()
	return out.Len()
}
