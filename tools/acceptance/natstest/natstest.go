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

// startLimit is longer than a server takes to read back its files on a busy machine.
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

// Start starts a server with more arguments, which must hold neither address nor
// store. It fails the test where there is no nats-server.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := New(t, args...)
	s.Start()
	return s
}

// New is a Server that is not running yet, with a port that nobody else has.
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

// Address is URL for a user, USER:PASSWORD.
func (s *Server) Address(user string) string {
	if user != "" {
		user += "@"
	}
	return s.scheme + "://" + user + s.address
}

// requestLimit only ends a hang: a busy machine takes seconds to delete the files of a
// stream, and the client's own limit is five.
const requestLimit = time.Minute

// JetStream is a connection of the test's own, which ends with the test, to address:
// URL, or Address for a user.
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

// Start starts the server and waits until it takes messages.
func (s *Server) Start() {
	s.t.Helper()
	s.command = exec.Command(program(),
		s.args...) //nolint:gosec,noctx // Debian's, on this machine; ended by Kill
	s.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	says, err := s.command.StderrPipe()
	if err != nil {
		s.t.Fatalf("natstest: %v", err)
	}
	started, ready := make(chan error, 1), make(chan string, 1)
	s.ended = make(chan struct{})
	ended, command := s.ended, s.command
	go func() {
		// The end of the thread that forked is the end of the parent to the kernel.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := command.Start()
		started <- err
		if err == nil {
			listen(says, ready)
			_ = command.Wait() // it is killed
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

// program is nats-server, which Debian keeps where the PATH of a user may not lead.
func program() string {
	if _, err := exec.LookPath("nats-server"); err != nil {
		return "/usr/sbin/nats-server"
	}
	return "nats-server"
}

// listen reads what the server says to its end, and tells when it is ready, or
// what it said where it never was.
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

// Pause lets the server stand still, connections and all, until it is killed.
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
	_ = s.command.Process.Kill() // ended already
	<-s.ended
	s.command = nil
}
