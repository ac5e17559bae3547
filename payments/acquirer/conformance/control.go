package conformance

import (
	"net/http"
	"strings"
	"testing"
)

// checkControl checks that control serves this machine only. Payers on other machines can reach the
// fake, but no other machine and no web page may read its books or take money with it.
func checkControl(t *testing.T, a Adapter) {
	t.Helper()
	w := subject{a, a.Capabilities[0]}.world(t, 0)
	for _, address := range a.Control {
		method, path, _ := strings.Cut(address, " ")
		got := w.control(method, path, "", "")
		if got == http.StatusForbidden || got == http.StatusMethodNotAllowed {
			t.Errorf("%s from this machine: %d", address, got)
		}
		headers := map[string]string{
			"X-Forwarded-For": "192.0.2.1",
			"Forwarded":       "for=192.0.2.1",
			"X-Real-Ip":       "192.0.2.1",
		}
		if method == http.MethodPost { // a page cannot read the answer of a GET
			headers["Origin"], headers["Sec-Fetch-Site"] = "https://elsewhere.example", "cross-site"
		}
		for name, value := range headers {
			if got := w.control(method, path, name, value); got != http.StatusForbidden {
				t.Errorf("%s with %s: %d, want %d", address, name, got, http.StatusForbidden)
			}
		}
	}
	if len(a.Control) == 0 {
		t.Error("the adapter lists no control addresses")
	}
}

// control sends an empty object with a header to control and returns the status.
func (w *World) control(method, path, header, value string) int {
	w.T.Helper()
	address := w.Server.URL + "/control/" + path
	req, err := http.NewRequestWithContext(w.T.Context(), method, address, strings.NewReader("{}"))
	if err != nil {
		w.T.Fatal(err)
	}
	if header != "" {
		req.Header.Set(header, value)
	}
	res, err := w.Server.Client().Do(req)
	if err != nil {
		w.T.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}
