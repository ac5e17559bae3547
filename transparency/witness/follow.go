package witness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/worker"
	"daftar/transparency"
)

const (
	fetchLimit = 10 * time.Second
	// largestAnswer is larger than a checkpoint with many signatures, or a proof, in bytes.
	largestAnswer = 256 << 10
	// cacheLimit is longer than a cache in front of the log may keep a checkpoint.
	cacheLimit = 2 * time.Second
)

// Log is where a log is served: its public address.
type Log struct {
	base   string
	client *http.Client
	again  time.Duration // after which a log that seems to have shrunk is read once more
}

// NewLog is the log of a service at its public address. The error is an address that is none.
func NewLog(address string) (Log, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" ||
		u.Fragment != "" {
		return Log{}, fmt.Errorf("%q is no http or https address without query", address)
	}
	base := strings.TrimSuffix(strings.TrimRight(address, "/"), strings.TrimRight(transparency.Prefix, "/"))
	client := &http.Client{Timeout: fetchLimit}
	return Log{base: base + transparency.Prefix, client: client, again: cacheLimit}, nil
}

func (l Log) get(ctx context.Context, path string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+path, nil)
	if err != nil {
		return "", fmt.Errorf("ask the log: %w", err)
	}
	// With an older checkpoint from a cache the log would seem to have shrunk.
	request.Header.Set("Cache-Control", "no-cache")
	response, err := l.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("ask the log: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return "", fmt.Errorf("ask the log for %s: %w", path, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("ask the log for %s: answered %s", path, response.Status)
	}
	return string(text), nil
}

// Key is the public key that the log shows.
func (l Log) Key(ctx context.Context) (string, error) {
	text, err := l.get(ctx, "key")
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(text)
	return key, transparency.CheckPublicKey(key)
}

// ReadAndCosign reads the log once and cosigns its newest checkpoint; the witness may have
// cosigned it already. Without a key of the log it trusts the one that the log shows.
// Errors: a *Finding, those of Check, or the log is out of reach.
func (w *Witness) ReadAndCosign(ctx context.Context, l Log) (transparency.Checkpoint, error) {
	if len(w.LogKeys()) == 0 {
		key, err := l.Key(ctx)
		if err == nil {
			err = w.Trust(key)
		}
		if err != nil {
			return transparency.Checkpoint{}, err
		}
	}
	// Read before the log is: a checkpoint submitted meanwhile may be newer than its answer.
	kept := w.Cosigned()
	c, err := w.fetch(ctx, l)
	if err == nil && c.Size < kept.Size && worker.Sleep(ctx, l.again) {
		c, err = w.fetch(ctx, l)
	}
	switch {
	case err != nil:
		return c, err
	case c.Size == kept.Size && c.Root == kept.Root:
		return kept, nil
	case c.Size < kept.Size:
		return c, w.convictShrunk(c, kept)
	}
	proof, err := l.proof(ctx, kept.Size, c.Size)
	if err != nil {
		return c, err
	}
	switch _, err = w.Add(c.Note, kept.Size, proof); {
	case errors.Is(err, ErrProof):
		return c, w.convictInconsistent(c, kept)
	case errors.As(err, new(errStale)): // it was submitted meanwhile
		return w.Cosigned(), nil
	}
	return w.Cosigned(), err
}

// fetch reads and checks the newest checkpoint of the log.
func (w *Witness) fetch(ctx context.Context, l Log) (transparency.Checkpoint, error) {
	text, err := l.get(ctx, "checkpoint")
	if err != nil {
		return transparency.Checkpoint{}, err
	}
	return w.Check(text)
}

// proof is the consistency proof between two sizes, as the log gives it.
func (l Log) proof(ctx context.Context, from, to int64) (tlog.TreeProof, error) {
	if from == 0 || from == to {
		return nil, nil
	}
	text, err := l.get(ctx, fmt.Sprintf("proof/consistency?from=%d&to=%d", from, to))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Hashes tlog.TreeProof `json:"hashes"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, fmt.Errorf("read consistency proof: %w", err)
	}
	return answer.Hashes, nil
}

// convictShrunk convicts a log whose newest checkpoint is older than the one that was cosigned.
func (w *Witness) convictShrunk(c, kept transparency.Checkpoint) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.convict(c, fmt.Sprintf("it has lost %d events", kept.Size-c.Size))
}

func (w *Witness) convictInconsistent(c, kept transparency.Checkpoint) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept.Size != kept.Size {
		return ErrProof // cosigned something else meanwhile
	}
	return w.convict(c, fmt.Sprintf("its proof does not lead from %d events to %d", kept.Size, c.Size))
}

// Follow calls ReadAndCosign at an interval, and report with its results, until ctx ends, which
// is no error, or until there is a *Finding, which is the error.
func (w *Witness) Follow(
	ctx context.Context, l Log, every time.Duration, report func(transparency.Checkpoint, error),
) error {
	for {
		c, err := w.ReadAndCosign(ctx, l)
		if found, ok := errors.AsType[*Finding](err); ok {
			return found
		}
		if ctx.Err() == nil {
			report(c, err)
		}
		if !worker.Sleep(ctx, every) {
			return nil
		}
	}
}
