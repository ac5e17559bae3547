package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// startProfile records a CPU profile of the server during a measurement, if the options
// have a folder for it. The returned function waits until it is written.
func (s *stage) startProfile(ctx context.Context, name string) (wait func()) {
	if s.profile == "" || len(s.servers) == 0 {
		return func() {}
	}
	done := make(chan error, 1)
	go func() {
		seconds := max(1, int(s.time/time.Second)-1)
		done <- download(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.servers[0].ops, seconds),
			filepath.Join(s.profile, name+".pprof"))
	}()
	return func() {
		if err := <-done; err != nil {
			fmt.Fprintln(os.Stderr, "no profile:", err)
		}
	}
}

func download(ctx context.Context, url, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("get profile: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("get profile: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	_, err = io.Copy(f, response.Body)
	return errors.Join(err, f.Close())
}
