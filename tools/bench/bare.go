package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"

	"daftar/internal/freeport"
	"daftar/tools/bench/figures"
)

// A bare net/http server that sends the bytes of our answers shows the most that any
// server on that package can reach, with the same clients on the same cores. It is a
// separate process, as ours is: this program, started with bareArgument.
const bareArgument = "serve-bare-answers"

// bareAnswers is what the bare server reads from its standard input.
type bareAnswers struct {
	Address string
	Headers http.Header
	Create  []byte
	Read    []byte
}

type bareServer struct {
	cmd     *exec.Cmd
	address string
	ended   <-chan struct{}
}

func (b *bareServer) stop() {
	_ = b.cmd.Process.Kill()
	<-b.ended
}

// serveBare is the child process.
func serveBare() error {
	debug.SetGCPercent(250) // as serve does
	var answers bareAnswers
	if err := json.NewDecoder(os.Stdin).Decode(&answers); err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	handler := answers.handler()
	return http.ListenAndServe(answers.Address, handler) //nolint:gosec // no time limits: clients are local
}

func (b bareAnswers) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := http.StatusOK, b.Read
		if r.Method == http.MethodPost {
			status, body = http.StatusCreated, b.Create
			_, _ = io.Copy(io.Discard, r.Body) // a client that breaks off gets no answer anyway
		}
		header := w.Header()
		maps.Copy(header, b.Headers)
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

// theBare starts the bare server once, with a real answer of our server.
func (s *stage) theBare(ctx context.Context) error {
	if s.bare != nil {
		return nil
	}
	var answers bareAnswers
	var err error
	intent, headers, err := s.sample(ctx)
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	answers.Create, answers.Read, answers.Headers = intent, intent, headers
	if answers.Address, err = freeport.Take(ctx); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	input, err := json.Marshal(answers)
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	c := exec.CommandContext(ctx, program, bareArgument) //nolint:gosec // this program
	c.Stdin, c.Stderr = bytes.NewReader(input), os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	s.bare = &bareServer{cmd: c, address: answers.Address, ended: endOf(c)}
	return awaitAnswer(ctx, "http://"+answers.Address+"/", s.bare.ended)
}

// sample returns an answer of the server: its body, and its headers without those that
// net/http adds by itself. An intent looks the same in the answers to a create and to a
// read.
func (s *stage) sample(ctx context.Context) ([]byte, http.Header, error) {
	address := "http://" + s.servers[0].address + "/api/v1/payment-intents/" + s.anyKnown().id
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("X-API-Key", s.shop.application.APIKey)
	request.Header.Set("Authorization", "Bearer "+s.shop.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, errors.New("the server's answer is " + response.Status)
	}
	headers := response.Header.Clone()
	headers.Del("Date")
	return body, headers, nil
}

func (s *stage) bareLoad(want int, next func(k, n int) []byte) load {
	l := s.load(want, next)
	l.addresses = []string{s.bare.address}
	return l
}

func (s *stage) bareCreates(ctx context.Context) (figures.Result, error) {
	return s.drive(ctx, s.bareLoad(http.StatusCreated, s.newIntents()))
}

func (s *stage) bareReads(ctx context.Context) (figures.Result, error) {
	w := newWriter(s.shop.headers, s.clients)
	return s.drive(ctx, s.bareLoad(http.StatusOK, func(k, _ int) []byte { return w.read(k, s.anyKnown().id) }))
}
