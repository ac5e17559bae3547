package acceptance_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"daftar/tools/acceptance/programtest"
)

// demonstration is a running `daftar-dev demo`, known only through its output.
type demonstration struct {
	process
	base, key, authorization, curl, sandbox string
	dashboard, email, password, secret      string

	// closely makes tests check each page for accessibility, and run everything with and without
	// scripts, as the long tests do. Pictures are tools/storybook's.
	closely bool
}

var (
	baseLine   = regexp.MustCompile(`base_url\s+(http://\S+/api/v1)`)
	keyLine    = regexp.MustCompile(`X-API-Key: (pk_[0-9a-f]{64})\n`)
	tokenLine  = regexp.MustCompile(`Authorization: (Bearer at_\w{36})\n`)
	pageLine   = regexp.MustCompile(`dashboard\s+(http://\S+/dashboard)\n`)
	secretLine = regexp.MustCompile(`webhook secret (whsec_\S+)\n`)
	emailLine  = regexp.MustCompile(`email\s+(\S+@\S+)\n`)
	passLine   = regexp.MustCompile(`password\s+(\S+)\n`)
	curlLines  = regexp.MustCompile(`(?s)  (curl .*?)\n\n`)
)

// demo starts the demo on free ports and parses its output.
func demo(t *testing.T, dir string, env ...string) *demonstration {
	t.Helper()
	return demoOf(t, dir, env)
}

// demoOf is demo with flags.
func demoOf(t *testing.T, dir string, env []string, flags ...string) *demonstration {
	t.Helper()
	sandbox := address(t)
	env = append([]string{
		"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t), "DAFTAR_SANDBOX_LISTEN=" + sandbox,
	}, env...)
	p, out := startProgram(t, programtest.Dev(t), dir, env, append([]string{"demo"}, flags...)...)
	d := &demonstration{process: p, sandbox: "http://" + sandbox}
	printed := make(chan string, 1)
	go func() {
		var text strings.Builder
		for lines := bufio.NewScanner(out); lines.Scan(); {
			text.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "Ctrl-C") {
				printed <- text.String() + "\n"
				_, _ = io.Copy(io.Discard, out)
			}
		}
		close(printed)
	}()
	select {
	case text, ok := <-printed:
		if !ok {
			t.Fatal("the demo ended before it was ready")
		}
		for into, form := range map[*string]*regexp.Regexp{&d.base: baseLine, &d.key: keyLine,
			&d.authorization: tokenLine, &d.curl: curlLines,
			&d.dashboard: pageLine, &d.email: emailLine, &d.password: passLine, &d.secret: secretLine} {
			found := form.FindStringSubmatch(text)
			if found == nil {
				t.Fatalf("the demo did not print %s:\n%s", form, text)
			}
			*into = found[1]
		}
	case <-time.After(patience):
		t.Fatal("the demo was not ready within a minute")
	}
	return d
}

// get retrieves an intent's status with the printed credentials.
func (d *demonstration) get(t *testing.T, uuid string) string {
	t.Helper()
	var body struct{ Data struct{ Status string } }
	d.fetch(t, d.base+"/payment-intents/"+uuid, &body)
	return body.Data.Status
}

func (d *demonstration) fetch(t *testing.T, url string, into any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"X-Api-Key": {d.key}, "Authorization": {d.authorization},
		"Accept": {"application/json"}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", url, response.StatusCode, err)
	}
}

// signIn signs in to the dashboard with the printed login, and arrives at the organisation's first
// page.
func (d *demonstration) signIn(t *testing.T) (client *http.Client, home string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client = &http.Client{Jar: jar}
	d.leads(t, client, strings.TrimSuffix(d.dashboard, "/dashboard")+"/", "/")
	d.leads(t, client, d.dashboard, "/dashboard/sign-in")
	form := url.Values{"email": {d.email}, "password": {d.password}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.dashboard+"/sign-in?lang=en",
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), d.email) || !strings.HasSuffix(response.Request.URL.Path, "/overview") {
		t.Errorf("signing in led to %s (%d)", response.Request.URL.Path, response.StatusCode)
	}
	at := response.Request.URL
	return client, at.Scheme + "://" + at.Host + strings.TrimSuffix(at.Path, "/overview")
}

// leads opens an address and fails unless it leads to the path.
func (d *demonstration) leads(t *testing.T, c *http.Client, address, to string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if got := response.Request.URL.Path; got != to || response.StatusCode != http.StatusOK {
		t.Errorf("%s leads to %s (%d), want %s", address, got, response.StatusCode, to)
	}
}

// order runs the printed curl with another reference, and parses the answer.
func (d *demonstration) order(t *testing.T, reference string, fields string) (uuid, checkoutURL string) {
	t.Helper()
	command := strings.Replace(d.curl, `"merchant_reference":"order-1"`,
		fmt.Sprintf(`"merchant_reference":%q%s`, reference, fields), 1)
	out, err := exec.CommandContext(t.Context(), "bash", "-c", command).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	var body struct {
		Data struct {
			UUID        string `json:"uuid"`
			CheckoutURL string `json:"checkout_url"`
		}
	}
	if err := json.Unmarshal(out, &body); err != nil || body.Data.UUID == "" {
		t.Fatalf("the printed curl answered %s", out)
	}
	return body.Data.UUID, body.Data.CheckoutURL
}
