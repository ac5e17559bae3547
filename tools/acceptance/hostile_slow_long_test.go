//go:build long

package acceptance_test

import (
	"encoding/csv"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// While many clients send their headers byte by byte, a normal one is served as if
// they were not there.
func TestLongSlowHeaders(t *testing.T) { // alone: it measures
	if worst := slowHeaders(t, 1500); worst > 2*time.Second {
		t.Errorf("a normal request took %v", worst)
	}
}

// The time for a request with its body is 10 s.
func TestLongSlowBodies(t *testing.T) { // alone: it measures
	if longest := slowBodies(t); longest > 13*time.Second {
		t.Errorf("a connection was open for %v", longest)
	}
}

// slowhttptest is somebody else's idea of slow clients. In each of its modes it
// asks beside them, once a second, whether the service is there; its own table says
// what it found.
func TestLongSlowHTTPTest(t *testing.T) { // alone: it measures
	tool, err := exec.LookPath("slowhttptest")
	if err != nil {
		t.Fatal("slowhttptest is missing: make deps-test installs it")
	}
	s := serve(t, pgtest.Database(t).ServiceURL())
	page := strings.TrimPrefix(s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("slow")).data.CheckoutURL, "http://"+s.host())
	dir := t.TempDir()
	var all sync.WaitGroup
	for _, row := range []struct {
		mode, url string
		more      []string
	}{
		{"-H", "/api/v1/openapi.yaml", nil},
		{"-B", page + "/attempts", []string{"-t", "POST", "-s", "15000"}}, // without credentials the API does not wait for a body
		{"-R", "/api/v1/openapi.yaml", []string{"-t", "GET", "-a", "5", "-b", "3000"}},
		{"-X", "/api/v1/openapi.yaml", []string{"-k", "3", "-n", "3", "-w", "8", "-y", "16", "-z", "8"}},
	} {
		all.Go(func() {
			report := filepath.Join(dir, "report"+row.mode)
			arguments := append([]string{
				row.mode, "-u", "http://" + s.host() + row.url, "-c", "300", "-r", "150", "-l", "10", "-i", "2", "-p", "3", "-g", "-o", report,
			}, row.more...)
			said, err := exec.CommandContext(t.Context(), tool, arguments...).CombinedOutput()
			if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
				t.Errorf("slowhttptest %s: %v", row.mode, err)
				return
			}
			available, asked := availability(t, report+".csv")
			t.Logf("slowhttptest %s: available in %d of %d seconds", row.mode, available, asked)
			if asked < 3 || available < asked {
				t.Errorf("slowhttptest %s found the service available in %d of %d seconds:\n%s", row.mode, available, asked, said)
			}
		})
	}
	all.Wait()
	if got := s.status("/readyz"); got != http.StatusOK {
		t.Errorf("afterwards the server is not ready: %d", got)
	}
}

// availability reads slowhttptest's table: the last column is above 0 in the
// seconds in which the service answered.
func availability(t *testing.T, path string) (available, asked int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 2 {
		t.Errorf("read %s: %d rows, %v", path, len(rows), err)
		return 0, 0
	}
	for _, row := range rows[1:] {
		asked++
		if n, err := strconv.Atoi(strings.TrimSpace(row[len(row)-1])); err == nil && n > 0 {
			available++
		}
	}
	return available, asked
}
