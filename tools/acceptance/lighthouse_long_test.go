//go:build long

package acceptance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
	"daftar/tools/docs/npmtest"
)

// The limits for the first view of the payment page: the time from the tap on the link until its
// largest text is shown, in milliseconds at 1.6 Mbit/s and 150 ms on a slow phone, and the bytes
// that it loads, the font included.
const (
	firstViewLimit = 1200
	firstViewBytes = 60_000
	firstViewAsks  = 4
)

// lighthouseReport is Lighthouse's report of a page.
type lighthouseReport struct {
	Address  string
	Scores   map[string]int
	Failed   []string
	LCP      int
	Requests []string
	Bytes    int
}

// lighthouse runs Lighthouse in a separate browser, on a network with the limits of its method.
func lighthouse(t *testing.T, method string, addresses ...string) (all []lighthouseReport) {
	t.Helper()
	browser, stop, err := browsertest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	u, err := url.Parse(browser)
	if err != nil {
		t.Fatal(err)
	}
	tools := npmtest.Open(t, "testdata/lighthouse")
	said := tools.RunNode(nil, append([]string{tools.Path("audit.mjs"), u.Port(), method}, addresses...)...)
	if said.Exit != 0 {
		t.Fatalf("lighthouse: exit %d\n%s%s", said.Exit, said.Output, said.Errors)
	}
	for line := range strings.Lines(said.Output) {
		var j lighthouseReport
		if err := json.Unmarshal([]byte(line), &j); err != nil {
			t.Fatalf("lighthouse: %v: %s", err, line)
		}
		all = append(all, j)
	}
	if len(all) != len(addresses) {
		t.Fatalf("lighthouse looked at %d of %d pages", len(all), len(addresses))
	}
	return all
}

// The payment page on a phone, plain and with a merchant's logo and colour, in both languages:
// Lighthouse has nothing to improve.
func TestLongMeasuredFirstView(t *testing.T) {
	s := openStorefront(t, demo(t, t.TempDir()))
	_, plain := s.sell(t, "plain")
	checkFirstView(t, localised(plain, "ar"), localised(plain, "en"))
	s.setBrand(t)
	_, branded := s.sell(t, "branded")
	checkFirstView(t, localised(branded, "ar"), localised(branded, "en"))
}

// looksAtMost is the maximum number of measurements of a slow page. Other processes make a page
// slower and never faster, so the best measurement counts.
const looksAtMost = 6

func checkFirstView(t *testing.T, addresses ...string) {
	t.Helper()
	for look := 1; len(addresses) > 0; look++ {
		var slow []string
		for _, j := range lighthouse(t, "simulate", addresses...) {
			t.Logf("%s: %v, largest text after %d ms, %d requests, %d bytes",
				j.Address, j.Scores, j.LCP, len(j.Requests), j.Bytes)
			if (j.Scores["performance"] != 100 || j.LCP > firstViewLimit) && look < looksAtMost {
				slow = append(slow, j.Address)
				continue
			}
			j.check(t)
		}
		addresses = slow
	}
}

func (j lighthouseReport) check(t *testing.T) {
	t.Helper()
	for _, category := range []string{"performance", "accessibility", "best-practices"} {
		if j.Scores[category] != 100 {
			t.Errorf("%s: %s is %d: %s", j.Address, category, j.Scores[category],
				strings.Join(j.Failed, "\n"))
		}
	}
	if j.LCP <= 0 || j.LCP > firstViewLimit {
		t.Errorf("%s: the largest text comes after %d ms, want %d", j.Address, j.LCP, firstViewLimit)
	}
	if j.Bytes < 10_000 || j.Bytes > firstViewBytes || len(j.Requests) > firstViewAsks {
		t.Errorf("%s loads %d bytes, want %d, in %d requests, want %d:\n%s", j.Address, j.Bytes,
			firstViewBytes, len(j.Requests), firstViewAsks, strings.Join(j.Requests, "\n"))
	}
}

var anApplication = regexp.MustCompile(`/applications/([0-9a-f-]{36})`)

// setBrand gives the demo's shop a name in both languages, a colour and a logo of many colours,
// which takes more bytes than others.
func (s *storefront) setBrand(t *testing.T) {
	t.Helper()
	client, home := s.signIn(t)
	list, err := client.Get(home + "/applications")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Body.Close() }()
	page, err := io.ReadAll(list.Body)
	if err != nil {
		t.Fatal(err)
	}
	application := anApplication.FindSubmatch(page)
	if application == nil {
		t.Fatalf("no application in %s", page)
	}
	logo := image.NewNRGBA(image.Rect(0, 0, 300, 300))
	for x := range 300 {
		for y := range 300 {
			logo.Set(x, y, color.NRGBA{uint8(x * y / 350), uint8(x / 2), uint8(255 - y/2), 255})
		}
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"name_ar": "مقهى الميدان", "name_en": "Maydan Coffee",
		"accent": "#7a1f3d", "phone": "021 333 4444", "whatsapp": "091 234 5678"} {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("file", "logo.png")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(file, logo), form.Close()); err != nil {
		t.Fatal(err)
	}
	saved, err := client.Post(home+"/applications/"+string(application[1])+"/brand",
		form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = saved.Body.Close() }()
	if !strings.Contains(saved.Request.URL.RawQuery, "done=brand-set") {
		t.Fatalf("setting the brand led to %s (%d)", saved.Request.URL, saved.StatusCode)
	}
}
