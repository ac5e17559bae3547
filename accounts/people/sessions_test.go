package people_test

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"daftar/accounts"
	"daftar/accounts/people"
)

// Sessions as scs uses them, over HTTP: every server knows them, their tokens are hashed, and a
// session that has ended is gone.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := func() *httptest.Server {
		m := scs.New()
		m.Store, m.HashTokenInStore = w.PeopleWith(people.Options{}).NewSessions(), true
		mux := http.NewServeMux()
		mux.HandleFunc("/put", func(_ http.ResponseWriter, r *http.Request) {
			m.Put(r.Context(), "user", "salma")
		})
		mux.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("User", m.GetString(r.Context(), "user"))
		})
		mux.HandleFunc("/end", func(w http.ResponseWriter, r *http.Request) {
			if err := m.Destroy(r.Context()); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
		s := httptest.NewServer(m.LoadAndSave(mux))
		t.Cleanup(s.Close)
		return s
	}
	one, two := server(), server()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	request := func(url string) string {
		t.Helper()
		reply, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", url, reply.Status)
		}
		return reply.Header.Get("User")
	}
	request(one.URL + "/put")
	if got := request(two.URL + "/get"); got != "salma" { // cookies ignore the port
		t.Errorf("on another server: %q", got)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, one.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := jar.Cookies(r.URL)[0].Value
	if n := w.Count(`SELECT count(*) FROM sessions WHERE token = $1`, token); n != 0 {
		t.Error("the token is in clear")
	}
	request(two.URL + "/end")
	if got := request(one.URL + "/get"); got != "" {
		t.Errorf("after the end: %q", got)
	}
}

func TestSessionsEndByThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.People.NewSessions()
	for token, end := range map[string]time.Time{
		"ended": time.Now().Add(-time.Second), "open": time.Now().Add(time.Hour),
	} {
		if err := s.Commit(token, []byte(token), end); err != nil {
			t.Fatal(err)
		}
	}
	check := func(token string, want bool) {
		t.Helper()
		data, found, err := s.Find(token)
		if err != nil || found != want || found && string(data) != token {
			t.Errorf("%s: %q, found %t, %v", token, data, found, err)
		}
	}
	check("ended", false)
	check("open", true)
	check("never", false)
	w.WantSignIn("a failure", people.ErrBadCredentials, "x@shop.example", "wrong password", home)
	w.Later(2 * time.Hour)
	if err := errors.Join(w.People.Sweep(t.Context()), w.Accounts.Sweep(t.Context())); err != nil {
		t.Fatal(err)
	}
	n, failures := w.Count(`SELECT count(*) FROM sessions`), w.Count(`SELECT count(*) FROM sign_in_failures`)
	if n != 1 || failures != 0 {
		t.Errorf("%d sessions and %d failures are left, want 1 and 0", n, failures)
	}
	check("open", true)
	if err := s.Delete("open"); err != nil {
		t.Fatal(err)
	}
	check("open", false)
	if err := s.Delete("open"); err != nil {
		t.Errorf("deleted twice: %v", err)
	}
}

// A request that was under way while the session ended does not bring it back.
func TestEndedSessionsStayEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	end := time.Now().Add(time.Hour)
	if err := w.People.NewSessions().Commit("open", []byte("began"), end); err != nil {
		t.Fatal(err)
	}
	s := w.People.Sessions()
	if err := s.Commit("open", []byte("later"), end); err != nil {
		t.Fatal(err)
	}
	if data, found, err := s.Find("open"); err != nil || !found || string(data) != "later" {
		t.Errorf("%q, found %t, %v", data, found, err)
	}
	if err := s.Delete("open"); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit("open", []byte("too late"), end); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("after the end: %v", err)
	}
	if _, found, err := s.Find("open"); err != nil || found {
		t.Errorf("the session is back: %v", err)
	}
}
