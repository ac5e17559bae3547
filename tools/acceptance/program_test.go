package acceptance_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// The other tests call commands in their own process. The binary prints answers to standard output
// and errors to standard error, and exits with the documented codes.
func TestTheProgramItself(t *testing.T) {
	t.Parallel()
	database := "DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL()
	for _, c := range []struct {
		args, env, input string
		code             int
		out, errors      string
	}{
		{args: "--version", out: "daftar version " + released(t) + "\n"},
		{args: "migrate status --json", env: database, out: `"up_to_date":true`},
		{args: "app roll-key 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", env: database, code: 1,
			errors: "daftar: no such application"},
		{args: "user set-password nobody@shop.example --password-stdin", env: database, input: "a password",
			code: 1, errors: "no such user"},
		{args: "migrate up", code: 2, errors: "daftar: DAFTAR_DATABASE_URL is missing"},
		{args: "migrate up", env: "DAFTAR_DATABASE_URL=postgres://u@" + address(t) + "/daftar", code: 3,
			errors: "daftar: "},
	} {
		p := exec.CommandContext(t.Context(), programtest.Daftar(t), strings.Fields(c.args)...)
		p.Env = []string{c.env, "USER=tester"}
		p.Stdin = strings.NewReader(c.input)
		var errs strings.Builder
		p.Stderr = &errs
		out, err := p.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		code := p.ProcessState.ExitCode()
		if code != c.code || !strings.Contains(string(out), c.out) || !strings.Contains(errs.String(), c.errors) ||
			(c.out == "") != (len(out) == 0) {
			t.Errorf("daftar %s: exit %d, want %d: %s%s", c.args, code, c.code, out, errs.String())
		}
	}
}
