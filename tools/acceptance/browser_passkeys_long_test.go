//go:build long

package acceptance_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/acceptance/programtest"
)

// A person creates a passkey, signs in with it alone, requires it after the password, fails to be
// recognised, and loses it, in a browser with a virtual authenticator.
func TestLongPasskeysInABrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	listen := address(t)
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		t.Fatal(err)
	}
	site := "http://localhost:" + port // where browsers allow passkeys without TLS
	s := serveAt(t, programtest.Daftar(t), listen, address(t), db.ServiceURL(), "DAFTAR_PUBLIC_URL="+site)
	type created struct{ Organization struct{ UUID string } }
	org := answer[created](t, s.env, "org", "create", "--name", "Maydan").Organization.UUID
	const email, password = "salma@maydan.example", "seven grey camels at noon"
	r := callWith(t, s.env, password+"\n", "user", "create", "--org", org, "--email", email, "--role", "owner",
		"--password-stdin")
	if r.code != 0 {
		t.Fatal(r.errors)
	}
	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	phone := b.Authenticator()
	const passkeyButton = `form[data-passkey] button`
	open := func(path string) browsertest.Page {
		t.Helper()
		return b.Navigate(site + "/dashboard" + path + "?lang=en")
	}
	is := func(p browsertest.Page, path string) {
		t.Helper()
		if !strings.HasPrefix(p.Address, site+"/dashboard"+path) {
			t.Fatalf("at %s, want %s: %+v", p.Address, path, p)
		}
	}
	givePassword := func() browsertest.Page {
		t.Helper()
		open("/sign-in")
		b.Fill("#email", email)
		b.Fill("#password", password)
		return b.Follow(`form[action^="/dashboard/sign-in?"] button:not([type=button])`)
	}
	leave := func() { t.Helper(); b.Click(menu); is(b.Follow(signOut), "/sign-in") }
	says := func() string {
		return browsertest.Evaluate[string](b, `document.querySelector("[data-cancelled]").innerText`)
	}

	is(givePassword(), "/"+org+"/overview")
	open("/account/passkeys")
	b.Fill("#name", "My phone")
	is(b.Follow(passkeyButton), "/account/passkeys?done=passkey-added")
	b.MustPassAxe()
	// The device has a passkey already and creates no second one.
	b.Click(passkeyButton)
	b.Await("the device to say so", func(browsertest.Page) bool {
		return strings.Contains(says(), "has a passkey of your account already")
	})
	leave()

	is(open("/sign-in"), "/sign-in")
	b.MustPassAxe()
	is(b.Follow(passkeyButton), "/"+org+"/overview")
	open("/account/passkeys")
	is(b.Follow(`form[action^="/dashboard/account/passkeys/require"] button`),
		"/account/passkeys?done=passkey-required")
	leave()

	is(givePassword(), "/code")
	b.MustPassAxe()
	phone.Recognise(false)
	b.Click(passkeyButton)
	b.Await("the browser to give up", func(browsertest.Page) bool {
		return strings.Contains(says(), "no passkey was used")
	})
	phone.Recognise(true)
	is(b.Follow(passkeyButton), "/"+org+"/overview")
	leave()

	// The passkey is lost: the operator removes it, and the password is enough.
	r = call(t, s.env, "user", "remove-passkeys", email)
	if r.code != 0 || !strings.Contains(r.out, "passkeys removed, all sessions ended") {
		t.Fatalf("exit %d: %s%s", r.code, r.out, r.errors)
	}
	r = call(t, s.env, "user", "remove-passkeys", email)
	if r.code != 1 || !strings.Contains(r.errors, "no such passkey") {
		t.Errorf("twice: exit %d: %s%s", r.code, r.out, r.errors)
	}
	open("/sign-in")
	is(b.Follow(passkeyButton), "/sign-in/passkey")
	if got := says(); !strings.Contains(got, "The passkey was not accepted") {
		t.Errorf("the page says %q", got)
	}
	is(givePassword(), "/"+org+"/overview")

	// Without scripts there is no button, and the password works.
	plain := browsertest.Open(t, browsertest.Options{})
	plain.Navigate(site + "/dashboard/sign-in?lang=en")
	shown := browsertest.Evaluate[bool](plain, fmt.Sprintf("!!document.querySelector(%q)?.offsetHeight",
		passkeyButton))
	if shown {
		t.Error("a button that does nothing is shown")
	}
	plain.Fill("#email", email)
	plain.Fill("#password", password)
	is(plain.Follow(formButton), "/"+org+"/overview")
}
