package mail_test

import (
	"context"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/mail"
	"daftar/tools/acceptance/smtptest"
)

// The content of a mail comes from people: it may be in any script, and may try to inject headers.
func TestMailArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{TLS: true, User: "daftar", Password: "يا ليل"})
	s := settings(server)
	s.User, s.Password = "daftar", "يا ليل"
	const link = "https://pay.example/dashboard/invitations/Zm9yLXRoZS10ZXN0"
	sent := mail.Message{
		To: "salma@shop.example", Subject: "دعوة إلى مقهى الميدان\r\nBcc: thief@evil.example\r\n\r\n<b>",
		Text: "مرحبًا\n" + link + "\n.\nend", HTML: "<p>مرحبًا</p>",
	}
	id := w.add(sent)
	var stored string
	err := w.pool.QueryRow(t.Context(),
		`SELECT mails::text || encode(message, 'escape') FROM mails`).Scan(&stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, readable := range []string{"invitations", "salma"} {
		if strings.Contains(stored, readable) {
			t.Errorf("the queue shows %q", readable)
		}
	}
	w.run(s)
	got := server.Next()
	if got.From != "no-reply@pay.example" || len(got.To) != 1 || got.To[0] != sent.To || !got.TLS ||
		got.User != "daftar" {
		t.Errorf("from %q to %q, TLS %t, signed in as %q", got.From, got.To, got.TLS, got.User)
	}
	if got.Text != sent.Text || got.HTML != sent.HTML {
		t.Errorf("text %q, HTML %q", got.Text, got.HTML)
	}
	from, err := netmail.ParseAddress(got.Header.Get("From"))
	if err != nil || from.Name != "دفتر" || from.Address != "no-reply@pay.example" {
		t.Errorf("From %q: %v, %v", got.Header.Get("From"), from, err)
	}
	if got.Header.Get("Bcc") != "" || !strings.HasPrefix(got.Subject, "دعوة إلى مقهى الميدان") ||
		strings.Contains(string(got.Data), "\nBcc:") {
		t.Errorf("a subject has added a header:\n%s", got.Data)
	}
	for name, want := range map[string]string{
		"Message-ID": "<" + id.String() + "@pay.example>", "Auto-Submitted": "auto-generated",
		"To": "<salma@shop.example>", "User-Agent": "",
	} {
		if v := got.Header.Get(name); v != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
	if r := w.await(id, mail.Sent, 1); r.Kept || r.Error != "" {
		t.Errorf("after it was sent: %+v", r)
	}
}

// Nothing is sent in clear, or to a server without a trusted certificate.
func TestMailNeedsSTARTTLS(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plain, unknown := smtptest.Start(t, smtptest.Options{}), smtptest.Start(t, smtptest.Options{TLS: true})
	id := w.add(to("salma@shop.example"))
	s := settings(plain)
	s.InClear = false
	stop := w.run(s)
	if r := w.await(id, mail.Pending, 1); !strings.Contains(r.Error, "STARTTLS") {
		t.Errorf("to a server without STARTTLS: %+v", r)
	}
	stop()
	w.later(time.Minute)
	s = settings(unknown)
	s.Roots = nil
	stop = w.run(s)
	if r := w.await(id, mail.Pending, 2); !strings.Contains(r.Error, "certificate") {
		t.Errorf("to a server with a self-signed certificate: %+v", r)
	}
	stop()
	if plain.Waiting()+unknown.Waiting() > 0 {
		t.Error("the mail was sent")
	}
	w.later(time.Minute)
	w.run(settings(plain)) // which allow clear text
	plain.Next()
	w.await(id, mail.Sent, 3)
}

// For a server that expects TLS from the first byte, as on port 465, the sender starts with TLS and
// verifies the certificate. If the two sides disagree, the error says what to set.
func TestMailByImplicitTLS(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	implicit := smtptest.Start(t, smtptest.Options{ImplicitTLS: true, User: "daftar", Password: "secret"})
	later := smtptest.Start(t, smtptest.Options{TLS: true})
	s := settings(implicit)
	s.Server, s.User, s.Password = "smtps://"+implicit.Address, "daftar", "secret"
	id := w.add(to("salma@shop.example"))
	w.run(s)
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := implicit.Next(); !got.TLS || got.User != "daftar" {
		t.Errorf("TLS %t, signed in as %q", got.TLS, got.User)
	}
	w.await(id, mail.Sent, 1)
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}

	stranger := s
	stranger.Roots = nil
	if err := stranger.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with an untrusted certificate: %v", err)
	}
	wrong := settings(later)
	wrong.Server = "smtps://" + later.Address
	if err := wrong.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "port 587") {
		t.Errorf("of a server with STARTTLS: %v", err)
	}
	silent, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := settings(implicit).Check(silent); err == nil || !strings.Contains(err.Error(), "port 465") {
		t.Errorf("of a server that waits for TLS: %v", err)
	}
	for address, want := range map[string]string{
		"mail.example:465": "TLS from the first byte", "mail.example:2465": "TLS from the first byte",
		"smtps://mail.example:994": "TLS from the first byte",
		"mail.example:587":         "STARTTLS", "mail.example:25": "STARTTLS",
		"[::1]:465": "TLS from the first byte",
	} {
		server, err := mail.ParseServer(address)
		if err != nil || (mail.Settings{Server: server}).Security() != want {
			t.Errorf("%s: %q, %v", address, mail.Settings{Server: server}.Security(), err)
		}
	}
}

func TestMailIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{})
	s := settings(server)
	server.Stop()
	ids := map[string]uuid.UUID{}
	for _, address := range []string{"later@shop.example", "lost@shop.example", "salma@shop.example"} {
		ids[address] = w.add(to(address))
	}
	stop := w.run(s)
	for address, id := range ids {
		r := w.await(id, mail.Pending, 1)
		if !r.Kept || !r.Next.Equal(noon.Add(10*time.Second)) || !strings.Contains(r.Error, "refused") {
			t.Errorf("%s while the server is away: %+v", address, r)
		}
	}
	stop() // nothing is lost by a restart
	server.Start()
	w.run(s)
	w.later(time.Minute)
	w.await(ids["salma@shop.example"], mail.Sent, 2)
	r := w.await(ids["later@shop.example"], mail.Pending, 2)
	if !strings.Contains(r.Error, "greylisted") || r.Next.Sub(*w.now.Load()) != 20*time.Second {
		t.Errorf("after 451: %+v", r)
	}
	w.await(ids["lost@shop.example"], mail.Pending, 2)
	w.later(time.Minute)
	w.await(ids["later@shop.example"], mail.Sent, 3)
	w.await(ids["lost@shop.example"], mail.Sent, 3)
	var lost []string
	for range 4 {
		if m := server.Next(); m.To[0] == "lost@shop.example" {
			lost = append(lost, m.Header.Get("Message-ID"))
		}
	}
	if len(lost) != 2 || lost[0] != lost[1] {
		t.Errorf("the mail whose answer was lost came as %q", lost)
	}
}

func TestMailIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{})
	s := settings(server)
	never, old := w.add(to("never@shop.example")), w.add(to("later@shop.example"))
	stop := w.run(s)
	r := w.await(never, mail.Failed, 1)
	if r.Kept || !strings.Contains(r.Error, "nobody of that name") || strings.Contains(r.Error, "never@") {
		t.Errorf("after 550: %+v", r)
	}
	w.await(old, mail.Pending, 1)
	stop()
	server.Stop()
	w.later(49 * time.Hour)
	stop = w.run(s)
	if r := w.await(old, mail.Failed, 2); r.Kept {
		t.Errorf("after two days: %+v", r)
	}
	h, err := mail.CheckHealth(t.Context(), w.pool, *w.now.Load())
	if err != nil || h.Failed != 1 || h.Waiting != 0 || !strings.Contains(h.Error, "refused") {
		t.Errorf("health %+v, %v", h, err)
	}
	stop()
	w.later(31 * 24 * time.Hour)
	w.run(s)
	w.awaitNone()
}

// Mails of a server that died are sent after its lease ends, each by one of many servers.
func TestServersShareTheMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{})
	s := settings(server)
	claimed := w.add(to("claimed@shop.example"))
	const claimSQL = `UPDATE mails SET attempts = 1, next_attempt_at = $1`
	if _, err := w.pool.Exec(t.Context(), claimSQL, noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.run(s)
	}
	const many = 20
	all := map[uuid.UUID]bool{}
	for range many {
		all[w.add(to("salma@shop.example"))] = true
	}
	seen := map[string]bool{}
	for range many {
		seen[server.Next().Header.Get("Message-ID")] = true
	}
	for id := range all {
		w.await(id, mail.Sent, 1)
	}
	if len(seen) != many || server.Waiting() != 0 {
		t.Errorf("%d of %d mails came, %d more", len(seen), many, server.Waiting())
	}
	w.later(2 * time.Minute)
	w.await(claimed, mail.Sent, 2)
}

func TestMailIsWithdrawn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{})
	s := settings(server)
	gone, stays := w.add(to("gone@shop.example")), w.add(to("stays@shop.example"))
	if err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		return mail.Withdraw(t.Context(), tx, gone)
	}); err != nil {
		t.Fatal(err)
	}
	w.run(s)
	w.await(stays, mail.Sent, 1)
	if m := server.Next(); m.To[0] != "stays@shop.example" || server.Waiting() != 0 {
		t.Errorf("a mail to %s, %d more", m.To, server.Waiting())
	}
}

// A refused sign-in is for the operator to fix: the mail waits, and no text contains the password.
func TestMailSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := smtptest.Start(t, smtptest.Options{TLS: true, User: "daftar", Password: "right-password"})
	s := settings(server)
	s.User, s.Password = "daftar", "wrong-password"
	id := w.add(to("salma@shop.example"))
	stop := w.run(s)
	r := w.await(id, mail.Pending, 1)
	if !strings.Contains(r.Error, "535") || strings.Contains(r.Error+w.log.String(), "wrong-password") {
		t.Errorf("after a wrong password: %+v", r)
	}
	err := s.Check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "wrong-password") {
		t.Errorf("checked: %v", err)
	}
	stop()
	s.Password = "right-password"
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("checked: %v", err)
	}
	w.later(time.Minute)
	w.run(s)
	w.await(id, mail.Sent, 2)
}
