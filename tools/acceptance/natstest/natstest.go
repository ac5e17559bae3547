package natstest

import (
	"bufio"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/internal/freeport"
)

// startLimit is longer than a server takes to read its files on a busy machine.
const startLimit = time.Minute

// Server is a nats-server, running or not.
type Server struct {
	t       testing.TB
	address string
	scheme  string
	args    []string
	command *exec.Cmd
	ended   chan struct{}
}

// Start starts a server with further arguments, which must set neither the address nor the store.
// It fails the test if there is no nats-server.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := New(t, args...)
	s.Start()
	return s
}

// New returns a Server that is not running yet, with a reserved port.
func New(t testing.TB, args ...string) *Server {
	t.Helper()
	address, err := freeport.Take(t.Context())
	if err != nil {
		t.Fatalf("natstest: %v", err)
	}
	host, port, _ := strings.Cut(address, ":")
	s := &Server{t: t, address: address, scheme: "nats"}
	s.args = append([]string{"--addr", host, "--port", port, "--jetstream", "--store_dir", t.TempDir()}, args...)
	for _, a := range args {
		if a == "--tls" {
			s.scheme = "tls"
		}
	}
	t.Cleanup(s.Kill)
	return s
}

// URL is the server's address.
func (s *Server) URL() string { return s.Address("") }

// Address is URL with credentials, USER:PASSWORD.
func (s *Server) Address(user string) string {
	if user != "" {
		user += "@"
	}
	return s.scheme + "://" + user + s.address
}

// requestLimit only ends a request that hangs: a busy machine takes seconds to delete the files of
// a stream, and the client's default limit is five.
const requestLimit = time.Minute

// JetStream opens a connection to address (URL, or Address with credentials), which ends with the
// test.
func JetStream(t testing.TB, address string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(address)
	if err != nil {
		t.Fatalf("natstest: connect: %v", err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(requestLimit))
	if err != nil {
		t.Fatalf("natstest: use JetStream: %v", err)
	}
	return js
}

// Start starts the server and waits until it accepts messages.
func (s *Server) Start() {
	s.t.Helper()
	s.command = exec.Command(program(), s.args...) //nolint:gosec,noctx // Debian's own; Kill ends it
	s.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	says, err := s.command.StderrPipe()
	if err != nil {
		s.t.Fatalf("natstest: %v", err)
	}
	started, ready := make(chan error, 1), make(chan string, 1)
	s.ended = make(chan struct{})
	ended, command := s.ended, s.command
	go func() {
		// For the kernel, the parent has ended when the thread that forked ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := command.Start()
		started <- err
		if err == nil {
			listen(says, ready)
			_ = command.Wait() // it was killed
		}
	}()
	if err := <-started; err != nil {
		s.t.Fatalf("natstest: start nats-server (make deps installs it): %v", err)
	}
	select {
	case said := <-ready:
		if said != "" {
			s.t.Fatalf("natstest: nats-server ended: %s", said)
		}
	case <-time.After(startLimit):
		s.t.Fatal("natstest: nats-server is not ready")
	}
}

// program is the path of nats-server, which on Debian may be outside of a user's PATH.
func program() string {
	if _, err := exec.LookPath("nats-server"); err != nil {
		return "/usr/sbin/nats-server"
	}
	return "nats-server"
}

// listen reads the server's output to its end. It reports when the server is ready, or the output
// if it never was.
func listen(says io.Reader, ready chan<- string) {
	var all strings.Builder
	lines, said := bufio.NewScanner(says), false
	for lines.Scan() {
		if !said {
			all.WriteString(lines.Text() + "\n")
		}
		if !said && strings.Contains(lines.Text(), "Server is ready") {
			said = true
			ready <- ""
		}
	}
	if !said {
		ready <- all.String() + "(end)"
	}
}

// Pause stops the server's process without closing connections, until it is killed.
func (s *Server) Pause() {
	s.t.Helper()
	if err := s.command.Process.Signal(syscall.SIGSTOP); err != nil {
		s.t.Fatalf("natstest: pause nats-server: %v", err)
	}
}

// Kill ends the server with SIGKILL, if it runs, and waits for its end.
func (s *Server) Kill() {
	if s.command == nil || s.command.Process == nil {
		return
	}
	_ = s.command.Process.Kill() // it may have ended
	<-s.ended
	s.command = nil
}
