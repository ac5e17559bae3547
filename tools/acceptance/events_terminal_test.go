package acceptance_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"daftar/tools/acceptance/programtest"
)

// Colours are for terminals only, and only if the environment allows them.
func TestColoursAreForTerminals(t *testing.T) {
	t.Parallel()
	w := trade(t)
	for extra, coloured := range map[string]bool{"TERM=xterm": true, "NO_COLOR=1": false, "TERM=dumb": false} {
		env := append([]string{"DAFTAR_DATABASE_URL=" + w.db.ServiceURL()}, extra)
		text := onTerminal(t, env, "events", "history", w.paid)
		if got := strings.Contains(text, "\x1b["); got != coloured || !strings.Contains(text, "intent.created") {
			t.Errorf("with %s coloured is %t:\n%s", extra, got, text)
		}
	}
}

// onTerminal runs the program on a new pseudoterminal and returns its output.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	var unlocked, number int32
	for request, argument := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		_, _, code := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), request, uintptr(unsafe.Pointer(argument)))
		if code != 0 {
			t.Fatal(code)
		}
	}
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), programtest.Daftar(t), args...)
	c.Env, c.Stdout = env, side
	shown := make(chan string, 1)
	go func() {
		var text bytes.Buffer
		_, _ = text.ReadFrom(terminal) // ends with an error when the last writer has closed
		shown <- text.String()
	}()
	if err := c.Run(); err != nil {
		t.Errorf("daftar %v: %v", args, err)
	}
	if err := side.Close(); err != nil {
		t.Fatal(err)
	}
	return <-shown
}
