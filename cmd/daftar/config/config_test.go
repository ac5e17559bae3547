package config_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/cmd/daftar/config"
	"daftar/domain"
	"daftar/internal/tracing"
	"daftar/payments/acquirer/registry"
)

// Pages begin at the root of a host: a public address with a path is refused, and the error says
// what to set. Addresses to which paths are appended may have one.
func TestPublicURLIsARoot(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://shop.example":        "https://shop.example",
		"https://shop.example/":       "https://shop.example",
		"http://127.0.0.1:8080":       "http://127.0.0.1:8080",
		"https://[2001:db8::1]:8443/": "https://[2001:db8::1]:8443",
		"":                            "http://127.0.0.1:8080",
	} {
		if c, err := config.Read([]string{"DAFTAR_PUBLIC_URL=" + given}); err != nil || c.PublicURL != want {
			t.Errorf("%q: %q, %v", given, c.PublicURL, err)
		}
	}
	for given, named := range map[string]string{
		"https://shop.example/pay":      "a path",
		"https://shop.example/pay/":     "a path",
		"https://shop.example//":        "a path",
		"https://shop.example/%2F":      "a path",
		"https://shop.example?x=1":      "a query",
		"https://shop.example/?":        "a query",
		"https://shop.example/#pay":     "a fragment",
		"https://shop.example#":         "a fragment",
		"https://u:hidden@shop.example": "a user",
	} {
		_, err := config.Read([]string{"DAFTAR_PUBLIC_URL=" + given})
		if _, misuse := errors.AsType[config.Error](err); !misuse || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v", given, err)
			continue
		}
		for _, part := range []string{"DAFTAR_PUBLIC_URL", named, "set https://shop.example,"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %v lacks %q", given, err, part)
			}
		}
	}
	for _, given := range []string{
		"shop.example", "ftp://shop.example", "https://", "https://:8080",
		"https://shop.example:", "https://shop.example:99999", "https:// shop.example",
	} {
		_, err := config.Read([]string{"DAFTAR_PUBLIC_URL=" + given})
		if err == nil || !strings.Contains(err.Error(), "DAFTAR_PUBLIC_URL") {
			t.Errorf("%q: %v", given, err)
		}
	}
	for _, name := range []string{
		"DAFTAR_SANDBOX_URL", "DAFTAR_PLUTU_URL", "DAFTAR_MOAMALAT_URL",
		"DAFTAR_MOAMALAT_LIGHTBOX_URL", "DAFTAR_LYPAY_URL",
	} {
		for path, fine := range map[string]bool{
			"/api/v1": true, "/api/": true, "?": false, "#": false, "/api?key=1": false,
		} {
			_, err := config.Read([]string{
				name + "=https://bank.example" + path,
				"DAFTAR_SANDBOX_SECRET=" + strings.Repeat("s", 32),
			})
			if (err == nil) != fine || err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("%s with %s: %v", name, path, err)
			}
		}
	}
}

// A line end at the end of any variable is cut, as in files; everything else belongs to the value.
func TestLineEndsOfVariablesAreCut(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("0f", 32)
	for _, end := range []string{"\n", "\r\n", "\n\n", "\r"} {
		c, err := config.Read([]string{
			"DAFTAR_DATABASE_URL=postgres://u:p@127.0.0.1/daftar" + end,
			"DAFTAR_SECRET_KEY=" + key + end,
			"DAFTAR_PUBLIC_URL=https://pay.example" + end,
			"DAFTAR_LOG_LEVEL=warn" + end,
			"DAFTAR_MAX_APPLICATIONS=7" + end,
			"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true" + end,
			"DAFTAR_DRAIN_DELAY=3s" + end,
			"DAFTAR_SMTP_SERVER=mail.example:587" + end,
			"DAFTAR_SMTP_FROM=a@b.example" + end,
			"DAFTAR_SMTP_USER=u" + end,
			"DAFTAR_SMTP_PASSWORD=ends with a blank " + end,
			"DAFTAR_NATS_SUBJECTS=log" + end,
			"DAFTAR_SANDBOX_SECRET=" + key + end,
			"DAFTAR_TRUSTED_PROXIES=192.0.2.1" + end,
			"OTEL_EXPORTER_OTLP_ENDPOINT=" + end,
		}, "DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY")
		if err != nil {
			t.Errorf("%q: %v", end, err)
		}
		if c.Mail.Password != "ends with a blank " || c.DatabaseURL != "postgres://u:p@127.0.0.1/daftar" ||
			c.PublicURL != "https://pay.example" || c.MaxApplications != 7 || c.SandboxSecret != key ||
			c.NATS.Subjects != "log" || c.Tracing {
			t.Errorf("%q: %+v", end, c)
		}
	}
	_, err := config.Read([]string{"DAFTAR_DATABASE_URL=\n"}, "DAFTAR_DATABASE_URL")
	if err == nil || !strings.Contains(err.Error(), "DAFTAR_DATABASE_URL is missing") {
		t.Errorf("nothing but a line end: %v", err)
	}
	got := config.Variables([]string{"DAFTAR_API_KEY=key\r\n", "OTEL_SERVICE_NAME=daftar\n"})
	if got["DAFTAR_API_KEY"] != "key" || got["OTEL_SERVICE_NAME"] != "daftar" {
		t.Errorf("%q", got)
	}
}

// Each variable that is read is explained, and no other. On a terminal no line is too long.
func TestVariablesAreExplained(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("config.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{tracing.Variable}
	for _, tag := range regexp.MustCompile(`env:"(\w+)"`).FindAllSubmatch(source, -1) {
		want = append(want, string(tag[1]))
	}
	for _, a := range registry.All() {
		for _, v := range a.Variables {
			want = append(want, v.Name)
		}
	}
	var got []string
	help := config.Help()
	for _, s := range config.Sections() {
		for _, v := range s.Variables {
			got = append(got, v.Name)
			if v.Meaning == "" || !strings.Contains(help, "    "+v.Name) || !strings.Contains(help, v.Default) {
				t.Errorf("serve --help does not explain %+v", v)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-read +explained):\n%s", diff)
	}
	for line := range strings.Lines(help) {
		if len(line) > 81 || strings.Contains(line, "`") {
			t.Errorf("not for a terminal: %s", line)
		}
	}
}

// The error of a missing variable says what belongs into it.
func TestMissingVariablesAreExplained(t *testing.T) {
	t.Parallel()
	_, err := config.Read(nil, "DAFTAR_SECRET_KEY")
	const want = "DAFTAR_SECRET_KEY is missing: 64 hexadecimal characters that encrypt " +
		"the secrets in the database (openssl rand -hex 32)"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// What visitors may do is off unless it can work: a demonstration is paid at the sandbox, and who signs
// up gets a mail.
func TestTheFrontDoorIsChecked(t *testing.T) {
	t.Parallel()
	const app = "8f14e45f-ceea-467f-a0e6-2f4a3c5b9d10"
	sandbox := []string{"DAFTAR_SANDBOX_URL=http://127.0.0.1:8090", "DAFTAR_SANDBOX_SECRET=s"}
	mail := []string{"DAFTAR_SMTP_SERVER=mail.example:587", "DAFTAR_SMTP_FROM=a@b.example"}
	c, err := config.Read(nil)
	if err != nil || c.SignUp || c.DemoApplication != (domain.ApplicationID{}) {
		t.Errorf("nothing is set: %+v, %v", c, err)
	}
	c, err = config.Read(append(append(sandbox, mail...), "DAFTAR_DEMO_APPLICATION="+app, "DAFTAR_SIGN_UP=test"))
	if err != nil || !c.SignUp || c.DemoApplication.String() != app {
		t.Errorf("both: %t, %s, %v", c.SignUp, c.DemoApplication, err)
	}
	for named, environ := range map[string][]string{
		"without the sandbox":           {"DAFTAR_DEMO_APPLICATION=" + app},
		"DAFTAR_DEMO_APPLICATION: ":     append(sandbox, "DAFTAR_DEMO_APPLICATION=demo"),
		"neither off nor test":          append(mail, "DAFTAR_SIGN_UP=live"),
		"DAFTAR_SMTP_SERVER is missing": {"DAFTAR_SIGN_UP=test"},
	} {
		if _, err := config.Read(environ); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%v: %v", environ, err)
		}
	}
}

// The servers of an acquirer's pages are named in a policy that browsers read: each is a scheme and a host.
func TestPagesAreServers(t *testing.T) {
	t.Parallel()
	c, err := config.Read([]string{"DAFTAR_PLUTU_PAGES=https://pay.example, https://cards.example:8443/"})
	got, want := c.Addresses["DAFTAR_PLUTU_PAGES"], "https://pay.example,https://cards.example:8443"
	if err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, wrong := range []string{
		"pay.example", "https://pay.example/path", "https://pay.example,",
		"https://*.example", "https://a.example;x", "https://u@a.example",
	} {
		_, err := config.Read([]string{"DAFTAR_PLUTU_PAGES=" + wrong})
		if err == nil || !strings.Contains(err.Error(), "DAFTAR_PLUTU_PAGES") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
