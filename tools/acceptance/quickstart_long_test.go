//go:build long

package acceptance_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// quickStart is the guide, and a reader who follows it.
type quickStart struct {
	t        *testing.T
	snippets []snippet
	root     string // replaces the folder of Daftar
	env      []string
	port     string
	setup    string // the first commands of each terminal
	listener *programtest.Program
}

// of returns the snippets of a step, and of a language if the step has one for each.
func (q *quickStart) of(step, part string) (all []snippet) {
	q.t.Helper()
	for _, s := range q.snippets {
		if strings.HasPrefix(s.section, "## "+step+". ") && s.part == part {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		q.t.Fatalf("step %s has nothing for %q", step, part)
	}
	return all
}

var fileName = regexp.MustCompile("`([a-z]+\\.[a-z]+)`:$")

// keepsRunning reports whether a command keeps running, in a separate terminal.
func (s snippet) keepsRunning() bool { return strings.Contains(s.before, " running") }

// do follows snippets in order, in one terminal: it saves files, runs commands to their end and
// leaves others running.
func (q *quickStart) do(all []snippet) (running []*programtest.Program) {
	q.t.Helper()
	script := q.setup
	for _, s := range all {
		switch {
		case s.language == "sh" && s.keepsRunning():
			if script != q.setup {
				q.run(script)
				script = q.setup
			}
			running = append(running, q.startInBackground(s.source))
		case s.language == "sh":
			script += s.source
		default:
			if !q.save(s) {
				q.t.Fatalf("it is not said where this belongs (%q):\n%s", s.before, s.source)
			}
		}
	}
	if script != q.setup {
		q.run(script)
	}
	return running
}

// save writes a snippet to the file that the line before it names; false: it names none.
func (q *quickStart) save(s snippet) bool {
	q.t.Helper()
	name := fileName.FindStringSubmatch(s.before)
	if name == nil {
		return false
	}
	err := os.WriteFile(filepath.Join(q.root, "var", "quickstart", name[1]), []byte(s.source), 0o600)
	if err != nil {
		q.t.Fatal(err)
	}
	return true
}

// run runs commands in a shell that stops at the first failure, and returns their output.
func (q *quickStart) run(script string) string {
	q.t.Helper()
	ctx, cancel := context.WithTimeout(q.t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	c.Dir, c.Env = q.root, q.env
	out, err := c.CombinedOutput()
	if err != nil {
		q.t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// startInBackground starts a command, which the test's end stops. exec makes the process the command itself.
func (q *quickStart) startInBackground(command string) *programtest.Program {
	q.t.Helper()
	c := exec.Command("bash", "-euc", q.setup+"exec "+command)
	c.Dir, c.Env = q.root, q.env
	return programtest.Start(q.t, c)
}

// openQuickStart runs the demo, as step 1 says, and performs the rest of that step.
func openQuickStart(t *testing.T) *quickStart {
	t.Helper()
	q := &quickStart{t: t, root: t.TempDir(), snippets: snippetsOf(read(t, "../../docs/quickstart.md"))}
	_, q.port, _ = strings.Cut(address(t), ":")
	// No step needs a network. What Go has compiled before serves here, too.
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	q.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PORT=" + q.port, "HTTPS_PROXY=http://127.0.0.1:9",
		"npm_config_proxy=http://127.0.0.1:9", "GOPROXY=off", "GOCACHE=" + strings.TrimSpace(string(cache)),
		noBytecode,
	}
	for name, target := range map[string]string{
		"sdk": inRepository(t, "sdk"), "examples": inRepository(t, "examples"),
		"bin/daftar": programtest.Daftar(t), "bin/daftar-dev": programtest.Dev(t),
	} {
		path := filepath.Join(q.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	steps := q.of("1", "")
	if len(steps) != 3 || steps[0].source != "make run\n" || steps[1].source != "make sdk\n" {
		t.Fatalf("step 1 is %+v", steps)
	}
	// `make run` starts this. The tests were built with what `make sdk` builds.
	demo(t, q.root, "DAFTAR_LOG_LEVEL=warn")
	info, err := os.Stat(filepath.Join(q.root, "var", "demo.env"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the credentials are for their owner alone: %v, %v", info, err)
	}
	q.setup = steps[2].source
	q.run(q.setup)
	q.listener = q.do(q.of("3", ""))[0]
	pgtest.WaitFor(t, "the listener", func() bool { return strings.Contains(q.listener.Logged(), "Listening") })
	return q
}

// awaitShop waits until a server listens at PORT.
func (q *quickStart) awaitShop() {
	q.t.Helper()
	pgtest.WaitFor(q.t, "the shop", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+q.port)
		return err == nil && c.Close() == nil
	})
}

// fulfils waits until a shop reports once that it fulfilled an order, and all webhooks of the order
// were forwarded.
func (q *quickStart) fulfils(shop *programtest.Program, order string, all int) {
	q.t.Helper()
	pgtest.WaitFor(q.t, order+" to be fulfilled", func() bool {
		return strings.Contains(shop.Logged(), "fulfilled "+order) &&
			strings.Count(q.listener.Logged(), "payment_intent.succeeded") == all
	})
	if n := strings.Count(shop.Logged(), "fulfilled "+order); n != 1 {
		q.t.Errorf("%s was fulfilled %d times", order, n)
	}
}

// The quick start leads to a fulfilled order in each language, and in each sample shop, judged by
// the printed output.
func TestLongQuickStart(t *testing.T) {
	t.Parallel()
	q := openQuickStart(t)
	pay, paid := q.of("5", ""), 0
	for _, language := range []struct {
		name  string
		sells []string // the parts whose programs sell
	}{
		{"PHP", []string{"PHP", "curl"}},
		{"TypeScript", []string{"TypeScript"}},
		{"Python", []string{"Python"}},
		{"Go", []string{"Go"}},
	} {
		shop := q.do(q.of("2", language.name))[0]
		q.awaitShop()
		for _, by := range language.sells {
			q.do(append(q.of("4", by), pay...))
			paid++
			q.fulfils(shop, "order-"+strings.ToLower(by), paid)
		}
		shop.Stop(t, syscall.SIGTERM)
	}
	shops := q.of("6", "")
	if len(shops) != 6 {
		t.Fatalf("step 6 has %d pieces", len(shops))
	}
	for _, programs := range [][]snippet{
		shops[:2],  // in PHP the pages and the worker
		shops[2:3], // for Node
		shops[3:4], // in Python
		shops[4:],  // in Go, which is built first
	} {
		running := q.do(programs)
		q.awaitShop()
		q.do(append([]snippet{{language: "sh", source: "CHECKOUT='" + q.buy() + "'\n"}}, pay...))
		paid++
		fulfils := running[len(running)-1] // the worker, or all in one
		q.fulfils(fulfils, "order-", paid)
		for _, p := range running {
			p.Stop(t, syscall.SIGTERM)
		}
	}
	q.guides()
}

// buy buys in the running sample shop, and returns the payment page's address.
func (q *quickStart) buy() string {
	q.t.Helper()
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := &sampleShop{t: q.t, port: q.port, client: &http.Client{CheckRedirect: noRedirect}}
	_, page, _ := s.ask(http.MethodGet, s.url("/"), nil)
	found := buyForm.FindStringSubmatch(page)
	if found == nil {
		q.t.Fatalf("the shop shows %s", page)
	}
	status, body, checkout := s.ask(http.MethodPost, s.url("/orders"),
		url.Values{"reference": {found[1]}, "product": {found[2]}})
	if status != http.StatusSeeOther {
		q.t.Fatalf("buying: %d %s", status, body)
	}
	return checkout
}

// guides follows the other guides, each in a separate terminal: the commands run, and print each
// line that the guide shows as their output.
func (q *quickStart) guides() {
	q.t.Helper()
	files, err := filepath.Glob("../../docs/*.ar.md") // each has an English edition with the same code
	if err != nil {
		q.t.Fatal(err)
	}
	integrate, err := filepath.Glob("../../docs/integrate/*.ar.md")
	if err != nil {
		q.t.Fatal(err)
	}
	ran := 0
	for _, file := range append(files, integrate...) {
		name := strings.TrimSuffix(filepath.Base(file), ".ar.md")
		// TestLongQuickStart, TestGuideToWebhooks and a test of the books run theirs.
		if slices.Contains([]string{"quickstart", "webhooks", "accounting"}, name) {
			continue
		}
		script, shown := q.setup, ""
		for _, s := range snippetsOf(read(q.t, strings.TrimSuffix(file, ".ar.md")+".md")) {
			switch s.language {
			case "sh":
				script += s.source
				ran++
			case "text":
				shown += s.source
			case "": // a picture
			case "kotlin", "swift", "dart", "tsx": // of apps, whose compilers are not here: the guide says so
			case "sql":
				succeedsOnce(q.t, s.source)
			default:
				if !q.save(s) {
					q.t.Errorf("%s.md has a piece of %s that nothing runs", name, s.language)
				}
			}
		}
		if script == q.setup {
			continue
		}
		printed := q.run(script)
		for line := range strings.Lines(shown) {
			if line = strings.TrimSpace(line); !strings.Contains(printed, line) {
				q.t.Errorf("%s.md shows %q, and its commands print\n%s", name, line, printed)
			}
		}
	}
	if ran < 17 {
		q.t.Errorf("only %d pieces of the guides were run", ran)
	}
}
