package acceptance_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/acceptance/smtptest"
)

var signUpInMail = regexp.MustCompile(`http://\S+/dashboard/sign-up/[\w-]{40,}`)

// testApplication is what `app create` answers.
type testApplication struct {
	Application struct{ UUID, Mode string }
}

// From the front door a visitor comes to a paid test payment without a terminal: by the demonstration,
// and in an organisation of their own, opened by a mailed link. That has no live application until the
// operator makes it live.
func TestFrontDoorLeadsToAPayment(t *testing.T) {
	t.Parallel()
	post := smtptest.Start(t, smtptest.Options{})
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	type created struct{ Organization struct{ UUID string } }
	org := answer[created](t, env, "org", "create", "--name", "دفتر").Organization.UUID
	app := answer[testApplication](t, env, "app", "create", "--org", org, "--name", "تجربة", "--mode", "test")
	s := serve(t, db.ServiceURL(),
		"DAFTAR_SANDBOX_URL="+newBank(t), "DAFTAR_SANDBOX_SECRET="+sandboxSecret,
		"DAFTAR_SMTP_SERVER="+post.Address, "DAFTAR_SMTP_FROM=Daftar <no-reply@pay.example>",
		"DAFTAR_DEMO_APPLICATION="+app.Application.UUID, "DAFTAR_SIGN_UP=test")
	door := strings.TrimSuffix(s.base, "/api/v1") + "/"
	b := browsertest.Open(t, browsertest.Options{Width: 360, Height: 640, Scripts: true})
	b.Allow(strings.TrimSuffix(strings.TrimPrefix(door, "http://"), "/"))
	pay := func(p browsertest.Page, what string) {
		t.Helper()
		if p.State != "pay" || p.Status != 200 {
			t.Fatalf("%s leads to %+v", what, p)
		}
		b.Click(wallet)
		b.Fill(phoneField, "0912345678")
		b.Follow(payButton)
		if p = enter(b, rightCode); p.State != "receipt" {
			t.Fatalf("%s: receipt %+v", what, p)
		}
	}

	began := time.Now()
	b.Navigate(door)
	b.MustPassAxe()
	pay(b.Follow(`form[action="/demo"] button`), "the demonstration")
	if back := b.Attribute(wayBack, "href"); back != door {
		t.Errorf("the receipt leads back to %s", back)
	}
	t.Logf("the demonstration took %s", time.Since(began))

	began = time.Now()
	b.Navigate(door)
	b.Follow(`a[href="/dashboard/sign-up"]`)
	b.Fill("#email", "nuri@new.example")
	b.Follow("main form button")
	letter := post.Next()
	link := signUpInMail.FindString(letter.Text)
	if link == "" || letter.To[0] != "nuri@new.example" {
		t.Fatalf("the mail to %s:\n%s", letter.To, letter.Text)
	}
	b.Navigate(link)
	b.Fill("#name", "متجر نوري")
	b.Fill("#password", ownersPassword)
	b.Fill("#again", ownersPassword)
	p := b.Follow("main form button:not([type])")
	if !strings.Contains(p.Address, "/test/overview") {
		t.Fatalf("the link leads to %+v", p)
	}
	theirs := strings.Split(strings.TrimPrefix(p.Address, door), "/")[1]
	b.Navigate(strings.Replace(p.Address, "/overview", "/links/new", 1))
	b.Fill("#amount", "5")
	b.Fill("#description", "قهوة")
	b.Follow("main form button")
	pay(b.Navigate(browsertest.Evaluate[string](b, `document.querySelector("#link").value`)), "the link")
	t.Logf("from / to the receipt took %s", time.Since(began))

	for _, secret := range []string{link[strings.LastIndex(link, "/")+1:], ownersPassword} {
		if strings.Contains(s.Logged(), secret) {
			t.Errorf("a secret is in the log:\n%s", s.Logged())
		}
	}
	live := []string{"app", "create", "--org", theirs, "--name", "live"}
	if r := call(t, env, live...); r.code != 1 || !strings.Contains(r.errors, "daftar org make-live") {
		t.Errorf("a live application: exit %d, %s", r.code, r.errors)
	}
	if r := call(t, env, "org", "make-live", theirs); r.code != 0 {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
	if made := answer[testApplication](t, env, live...); made.Application.Mode != "live" {
		t.Errorf("made %+v", made)
	}
	r := call(t, env, "org", "audit-trail", theirs)
	if !strings.Contains(r.out, "organization.make_live") || !strings.Contains(r.out, "nuri@new.example") {
		t.Errorf("the trail: %s%s", r.out, r.errors)
	}
}

// A server does not start with a demonstration that would take money, or of nothing; the doctor says
// what there is.
func TestDemonstrationIsChecked(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey,
		"DAFTAR_SANDBOX_URL=" + newBank(t), "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
		"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t),
	}
	type created struct{ Organization struct{ UUID string } }
	org := answer[created](t, env, "org", "create", "--name", "دفتر").Organization.UUID
	apps := map[string]string{"no such application": "8f14e45f-ceea-467f-a0e6-2f4a3c5b9d10"}
	for what, mode := range map[string]string{"it is a live application": "live", "": "test"} {
		apps[what] = answer[testApplication](t, env, "app", "create", "--org", org, "--name", "demo", "--mode",
			mode).Application.UUID
	}
	for wrong, app := range apps {
		with := append(slices.Clone(env), "DAFTAR_DEMO_APPLICATION="+app)
		f := examined(t, with, "front door")
		if f.OK != (wrong == "") || !strings.Contains(f.Detail, wrong) {
			t.Errorf("of %q the doctor says %+v", wrong, f)
		}
		if wrong == "" {
			continue
		}
		r := call(t, with, "serve")
		if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_DEMO_APPLICATION: "+wrong) {
			t.Errorf("%s: exit %d: %s", wrong, r.code, r.errors)
		}
	}
}
