package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"daftar/tools/acceptance/browsertest"
)

// A page may ask its server until the tab is closed, so that comes before the server's end, also where the
// test started the server after it had opened the tab.
func TestTabIsClosedBeforeTheServer(t *testing.T) {
	t.Parallel()
	w := &witness{TB: t}
	b := browsertest.Open(w, browsertest.Options{Scripts: true})
	asked, closed := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/state" {
			close(asked)
			<-r.Context().Done()
			close(closed)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>x</title><link rel="icon" href="data:,"><main></main>`)
	}))
	w.Cleanup(func() {
		select {
		case <-closed:
		case <-time.After(5 * time.Second):
			t.Error("the server ends while the tab is open")
		}
		s.CloseClientConnections()
		s.Close()
	})
	b.Navigate(s.URL)
	browsertest.Evaluate[int](b, `(fetch("/state").catch(() => 0), 0)`)
	<-asked
	if found := w.end(); len(found) > 0 {
		t.Errorf("the tab's faults: %v", found)
	}
}
