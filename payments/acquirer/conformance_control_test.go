package acquirer_test

import (
	"net/http"
	"strings"
	"testing"
)

// controlPaths are the addresses below /control of each fake, by adapter.
var controlPaths = map[string][]string{
	"sandbox":  {"GET payments", "GET ledger", "POST payments/0123456789abcdefghjkmnpqrs/settle"},
	"plutu":    {"GET ledger", "GET codes", "POST faults", "POST errors", "POST spelling", "POST messages"},
	"moamalat": {"GET ledger", "POST faults", "POST sale", "POST notify", "POST merchant", "POST style"},
	"lypay":    {"GET ledger", "GET dialect", "POST faults", "POST dialect", "POST scan", "POST webhook", "POST transfers/LYP000000000000001"},
}

// A fake may be reached by everyone who is to pay at it, but nobody else may read its books or
// take money with it.
func TestControlIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, s := range subjects(t) {
		if tested[s.provider.name] {
			continue
		}
		tested[s.provider.name] = true
		w := s.world(t, 0)
		for _, address := range controlPaths[s.provider.name] {
			method, path, _ := strings.Cut(address, " ")
			if got := w.control(method, path, "", ""); got == http.StatusForbidden || got == http.StatusMethodNotAllowed {
				t.Errorf("%s %s from this machine: %d", s.provider.name, address, got)
			}
			headers := map[string]string{"X-Forwarded-For": "192.0.2.1", "Forwarded": "for=192.0.2.1", "X-Real-Ip": "192.0.2.1"}
			if method == http.MethodPost { // a page cannot read what it gets
				headers["Origin"], headers["Sec-Fetch-Site"] = "https://elsewhere.example", "cross-site"
			}
			for name, value := range headers {
				if got := w.control(method, path, name, value); got != http.StatusForbidden {
					t.Errorf("%s %s with %s: %d, want %d", s.provider.name, address, name, got, http.StatusForbidden)
				}
			}
		}
	}
	if len(tested) != len(controlPaths) {
		t.Errorf("of the fakes there are %v", tested)
	}
}

// control asks control with an empty object and a header; the answer is its status.
func (w *world) control(method, path, header, value string) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+"/control/"+path, strings.NewReader("{}"))
	if err != nil {
		w.t.Fatal(err)
	}
	if header != "" {
		req.Header.Set(header, value)
	}
	res, err := w.server.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}
