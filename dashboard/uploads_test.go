package dashboard_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/dashboard"
)

const hangLimit = time.Minute // ends a test that hangs

// slowUpload is an upload that stops after a part.
type slowUpload struct {
	t    *testing.T
	conn net.Conn
	read *bufio.Reader
}

// beginUpload sends the beginning of a form, after the server has begun to read it and has
// answered "100 Continue".
func (c *client) beginUpload(path, body, kind string) *slowUpload {
	c.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.w.server.URL, "http://"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.w.server.URL+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(request.URL) {
		request.AddCookie(cookie)
	}
	s := &slowUpload{c.t, conn, bufio.NewReader(conn)}
	s.send(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n"+
		"Sec-Fetch-Site: same-origin\r\nContent-Type: %s\r\nContent-Length: %d\r\n"+
		"Expect: 100-continue\r\n\r\n",
		path, request.URL.Host, request.Header.Get("Cookie"), kind, len(body)+1<<20))
	if err := conn.SetReadDeadline(time.Now().Add(hangLimit)); err != nil {
		c.t.Fatal(err)
	}
	if line, err := s.read.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		c.t.Fatalf("%q, %v, want to be asked for the body", line, err)
	}
	if _, err := s.read.ReadString('\n'); err != nil {
		c.t.Fatal(err)
	}
	s.send(body)
	return s
}

func (s *slowUpload) send(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, text); err != nil {
		s.t.Fatal(err)
	}
}

// answer is the final answer of the server.
func (s *slowUpload) answer() answer {
	s.t.Helper()
	response, err := http.ReadResponse(s.read, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// beginning is a form up to the middle of its file, with size bytes of the file.
func beginning(t *testing.T, size int, fields ...string) (body, kind string) {
	t.Helper()
	body, kind = multipartForm(t, "id,amount,taken_at\n"+strings.Repeat("\n", size), fields...)
	return body[:len(body)-100], kind
}

// A slow client blocks nobody: a slot for a comparison is taken after the file has arrived.
func TestSlowUploadsKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.other, 0, nil, paid(attemptC, 5000)...)
	ours, theirs := w.viewer(t), w.as(t, w.other.email(accounts.RoleViewer))
	ours.http.Timeout, theirs.http.Timeout = hangLimit, hangLimit
	path := w.ours.path("reconcile") + "?lang=en"
	body, kind := beginning(t, 500_000, "acquirer", "sandbox") // sent at once, so that the rate allows some 50 s
	var slow []*slowUpload
	for range 2 {
		slow = append(slow, ours.beginUpload(path, body, kind))
	}
	statement := w.statement(string(attemptC) + ",5000")
	theirs.upload(w.other.path("reconcile")+"?lang=en", statement, "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "The statement and the ledger agree.")
	// Further uploads of the organisation are refused at once, and the form keeps what was typed.
	busy := ours.upload(path, statement, "acquirer", "sandbox", "from", "2026-11-20").
		is(t, http.StatusUnprocessableEntity).has(t, "Other files", "Try again in a minute.")
	if got := busy.form(t, "/reconcile").Get("from"); got != "2026-11-20" {
		t.Errorf("the form forgets what was typed: %q", got)
	}
	ours.upload(w.ours.path("reconcile"), statement, "acquirer", "sandbox").
		is(t, http.StatusUnprocessableEntity).has(t, "أعد المحاولة بعد دقيقة")
	if n := len(w.trail(t, w.ours, "statement.reconcile")); n != 0 {
		t.Errorf("%d records of comparisons that were not made", n)
	}
	for _, s := range slow { // a broken connection releases its slot
		_ = s.conn.Close()
	}
}

// A stalled upload, also of a logo, ends with a page.
func TestAStalledUploadIsEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	brand := w.ours.path("applications/" + w.ours.apps[0].ID.String() + "/brand")
	c := w.owner(t)
	var ended sync.WaitGroup
	defer ended.Wait()
	for n, row := range []struct{ path, says string }{
		{w.ours.path("reconcile") + "?lang=en", "came so slowly"}, {brand, "ببطء شديد"},
	} {
		who := c
		if n > 0 {
			who = w.developer(t)
		}
		body, kind := beginning(t, 1000, "acquirer", "moamalat", "name_en", "Maydan")
		slow := who.beginUpload(row.path, body, kind)
		ended.Go(func() {
			page := slow.answer()
			if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.text(), row.says) {
				t.Errorf("%s: status %d: %s", row.path, page.status, page.text())
			}
			if _, err := slow.read.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: %v, want the connection closed", row.path, err)
			}
		})
	}
}

// Nothing of a file stays on the disk, and without a writable disk it is kept in memory.
func TestUploadsLeaveNothing(t *testing.T) {
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	good := w.statement(string(attemptA) + ",5000")
	dir := t.TempDir()
	for _, place := range []string{dir, dir + "/not-there"} {
		t.Setenv("TMPDIR", place)
		c.upload(path, good, "acquirer", "sandbox").is(t, http.StatusOK).
			has(t, "The statement and the ledger agree.")
		c.upload(path, "id\n", "acquirer", "sandbox").is(t, http.StatusUnprocessableEntity)
		c.upload(path, good, "acquirer", "nobody").is(t, http.StatusUnprocessableEntity)
		c.upload(path, strings.Repeat("x", 33<<20), "acquirer", "sandbox").is(t, http.StatusUnprocessableEntity).
			has(t, "larger than 32 MiB")
		body, kind := beginning(t, 100, "acquirer", "sandbox")
		c.uploadAs(path, body, kind).is(t, http.StatusUnprocessableEntity).has(t, "did not arrive as a whole")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
