package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"daftar/eventstore"
	"daftar/transparency"
)

// transparencyConfig is what the environment says about the transparency log.
type transparencyConfig struct {
	key     transparency.Key // zero: the service makes one
	sealing transparency.SealingKey
	origin  string // of a key that the service makes
	dir     string
	url     string
}

func (e environment) checkTransparency(problems []string) (transparencyConfig, []string) {
	c := transparencyConfig{origin: e.Listen, dir: e.CheckpointDir, url: e.CheckpointURL}
	if u, err := url.Parse(e.PublicURL); err == nil && u.Host != "" {
		c.origin = u.Host
	}
	var err error
	if e.SecretKey != "" {
		// A bad one has been named already.
		c.sealing, _ = transparency.ParseSealingKey(e.SecretKey)
	}
	if e.SecretKeyOld != "" {
		old, _ := transparency.ParseSealingKey(e.SecretKeyOld) // as above
		c.sealing = c.sealing.AndOld(old)
	}
	if e.TransparencyKey != "" {
		if c.key, err = transparency.ParseKey(e.TransparencyKey); err != nil {
			problems = append(problems, fmt.Sprintf("DAFTAR_TRANSPARENCY_KEY: %v", err))
		}
	}
	if e.CheckpointURL != "" && !takesCheckpoints(e.CheckpointURL) {
		problems = append(problems, "DAFTAR_CHECKPOINT_URL: it is no https address (plain http goes to this machine only)")
	}
	return c, problems
}

func takesCheckpoints(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" {
		return false
	}
	if u.Scheme == "https" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || (err == nil && ip.IsLoopback()))
}

// openTransparency makes what signs and shows checkpoints. It refuses a log that
// lacks what was published.
func (s *server) openTransparency(ctx context.Context, c transparencyConfig, clock *eventstore.Clock) (http.Handler, error) {
	if c.dir != "" {
		if info, err := os.Stat(c.dir); err != nil || !info.IsDir() {
			return nil, misusef("DAFTAR_CHECKPOINT_DIR: %q is no folder", c.dir)
		}
	}
	key := c.key
	if key.IsZero() {
		var err error
		if key, err = transparency.LoadKey(ctx, s.work, c.sealing, originOf(c.origin), clock.WallTime()); err != nil {
			return nil, err
		}
	}
	var err error
	s.notary, err = transparency.New(ctx, transparency.Config{
		Pool: s.work, Key: key, Now: clock.WallTime, Dir: c.dir, URL: c.url, Log: s.log, Registerer: s.registry,
	})
	if err != nil {
		return nil, err
	}
	if err := s.notary.CheckPublished(ctx); err != nil {
		return nil, err
	}
	return transparency.Handler(s.reads, key, s.log), nil
}

// originOf makes the name of a log of a host; a name has neither spaces nor plus
// signs.
func originOf(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil && (port == "443" || port == "80") {
		host = name
	}
	return strings.NewReplacer(" ", "-", "+", "-").Replace(host)
}

// beside gives the transparency log its paths and the others the rest.
func beside(proofs, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, transparency.Prefix) {
			proofs.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}
