package webhooks_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"daftar/webhooks"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		want error
	}{
		{"https://8.8.8.8/hook", nil},
		{"https://[2606:4700:4700::1111]:8443/hook", nil},
		{"http://8.8.8.8/hook", webhooks.ErrNotHTTPS},
		{"ftp://8.8.8.8/hook", webhooks.ErrNotHTTPS},
		{"https:///hook", webhooks.ErrNotHTTPS},
		{"https://8.8.8.8:22/", webhooks.ErrPort},
		{"https://8.8.8.8:80/", webhooks.ErrPort},
		{"https://127.0.0.1/", webhooks.ErrPrivateAddress},
		{"https://10.1.2.3/", webhooks.ErrPrivateAddress},
		{"https://192.168.0.1/", webhooks.ErrPrivateAddress},
		{"https://100.64.0.1/", webhooks.ErrPrivateAddress},
		{"https://169.254.169.254/latest/meta-data/", webhooks.ErrPrivateAddress},
		{"https://0.0.0.0/", webhooks.ErrPrivateAddress},
		{"https://[::1]/", webhooks.ErrPrivateAddress},
		{"https://[::ffff:127.0.0.1]/", webhooks.ErrPrivateAddress},
		{"https://[::ffff:10.0.0.1]:8443/", webhooks.ErrPrivateAddress},
		{"https://[64:ff9b::7f00:1]/", webhooks.ErrPrivateAddress},
		{"https://[64:ff9b::a01:203]/", webhooks.ErrPrivateAddress},
		{"https://[64:ff9b::a9fe:a9fe]/latest/meta-data/", webhooks.ErrPrivateAddress},
		{"https://[64:ff9b::808:808]/hook", nil},
		{"https://[64:ff9b::808:808]:8443/hook", nil},
		{"https://[64:ff9b::808:808]:22/hook", webhooks.ErrPort},
		{"https://[64:ff9b:1::808:808]/", webhooks.ErrPrivateAddress},
		{"https://[64:ff9b:0:0:0:1:808:808]/", webhooks.ErrPrivateAddress},
		{"https://[2002:808:808::1]/", webhooks.ErrPrivateAddress},
		{"https://[fd00::1]/", webhooks.ErrPrivateAddress},
		{"https://localhost/", webhooks.ErrPrivateAddress},
		{"https://nobody.invalid/", webhooks.ErrUnresolved},
	} {
		if err := (webhooks.Guard{}).CheckURL(t.Context(), c.url); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.url, err, c.want)
		}
	}
	lax := webhooks.Guard{AllowPrivate: true}
	if err := lax.CheckURL(t.Context(), "http://127.0.0.1:3000/hook"); err != nil {
		t.Errorf("where private addresses are allowed: %v", err)
	}
}

// A machine with IPv6 only reaches IPv4 hosts through NAT64: the address inside decides. The
// check before saving and the one at the dial have the same result.
func TestNAT64IsJudgedByTheAddressInside(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		found []string
		want  error
	}{
		{[]string{"8.8.8.8", "64:ff9b::808:808"}, nil},
		{[]string{"64:ff9b::808:808"}, nil},
		{[]string{"8.8.8.8", "64:ff9b::7f00:1"}, webhooks.ErrPrivateAddress},
		{[]string{"64:ff9b::c0a8:1"}, webhooks.ErrPrivateAddress},
		{[]string{"64:ff9b::6440:1"}, webhooks.ErrPrivateAddress},
		{[]string{"64:ff9b::"}, webhooks.ErrPrivateAddress},
		{[]string{"64:ff9b:1::808:808"}, webhooks.ErrPrivateAddress},
	} {
		var all []netip.Addr
		var refused bool
		for _, text := range row.found {
			all = append(all, netip.MustParseAddr(text))
			err := webhooks.Control("tcp6", net.JoinHostPort(text, "443"))
			if err != nil && !webhooks.Refused(err) {
				t.Errorf("%s: %v is none of the guard's errors", text, err)
			}
			refused = refused || err != nil
		}
		guard := webhooks.Guard{}.LookingUp(func(context.Context, string, string) ([]netip.Addr, error) {
			return all, nil
		})
		err := guard.CheckURL(t.Context(), "https://shop.example/hook")
		if !errors.Is(err, row.want) || refused != (row.want != nil) {
			t.Errorf("%v: %v, refused at the dial: %t; want %v", row.found, err, refused, row.want)
		}
	}
}

// internationalHosts are hosts as people write them, and the names that are looked up.
var internationalHosts = []struct{ written, asked string }{
	{"متجر.example", "xn--pgbep1f.example"},
	{"مَتجر.example", "xn--pgbep1f0b.example"},
	{"bücher.example", "xn--bcher-kva.example"},
	{"BÜCHER.example", "xn--bcher-kva.example"},
	{"xn--bcher-kva.example", "xn--bcher-kva.example"},
	{"my_shop.example", "my_shop.example"},
}

func TestCheckURLConvertsHosts(t *testing.T) {
	t.Parallel()
	for _, host := range internationalHosts {
		var asked string
		guard := webhooks.Guard{}.LookingUp(func(_ context.Context, _, name string) ([]netip.Addr, error) {
			asked = name
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		})
		err := guard.CheckURL(t.Context(), "https://"+host.written+":8443/hook")
		if err != nil || asked != host.asked {
			t.Errorf("%s: %v, and %q is looked up; want %q", host.written, err, asked, host.asked)
		}
	}
	unasked := webhooks.Guard{}.LookingUp(func(context.Context, string, string) ([]netip.Addr, error) {
		t.Error("an invalid host name is looked up")
		return nil, nil
	})
	for _, url := range []string{
		"https://متجر\u200f.example/",
		"https://متجر shop.example/",
		"https://aمتجر.example/",
	} {
		if err := unasked.CheckURL(t.Context(), url); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}

// A webhook is sent to such a host, and the host is stored as it was written.
func TestWebhooksGoToInternationalHosts(t *testing.T) {
	t.Parallel()
	for _, host := range internationalHosts[:3] {
		w := newWorld(t)
		e := newEndpoint(t)
		named, asked := make(chan string, 1), make(chan string, 1)
		e.answers(func(_ http.ResponseWriter, r *http.Request) { named <- r.Host })
		r := w.prepare(nil)
		r.DialTo(e.Listener.Addr().String(), asked)
		r.start(t)
		s := w.shop("http://" + host.written + "/hook")
		w.wantState(w.createDelivery(s), webhooks.StateDelivered)
		if dialed, name := <-asked, <-named; dialed != host.asked+":80" || name != host.asked {
			t.Errorf("%s: dialed %s with the Host %s", host.written, dialed, name)
		}
		stored := value[string](w, `SELECT webhook_url FROM applications WHERE uuid = $1`, s.ID)
		if stored != "http://"+host.written+"/hook" {
			t.Errorf("%s is stored as %s", host.written, stored)
		}
	}
}

// Without AllowPrivate no connection is made to any of these, even if the check before saving
// was passed.
func TestNothingGoesToPrivateAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	listener, err := net.Listen("tcp", "127.0.0.1:8443")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connected := make(chan struct{}, 100)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			connected <- struct{}{}
			c.Close()
		}
	}()
	r := w.prepare(func(c *webhooks.Config) { c.AllowPrivate = false }).start(t)
	e := newEndpoint(t)
	var all []webhooks.DeliveryID
	urls := []string{
		"https://127.0.0.1:8443/",
		"https://localhost:8443/",
		"https://[::1]:8443/",
		"https://[::ffff:127.0.0.1]:8443/",
		"https://[64:ff9b::7f00:1]:8443/",
		"https://[64:ff9b:1::7f00:1]:8443/",
		"https://0.0.0.0:8443/",
		"https://10.0.0.1/",
		"https://169.254.169.254/latest/meta-data/",
		e.URL,
	}
	for _, url := range urls {
		all = append(all, w.createDelivery(w.shop(url)))
	}
	for n, id := range all {
		w.attempted(id, 1)
		if try := w.tries(id)[0]; try.Error != "refused" || try.Status != nil || try.Answer != "" {
			t.Errorf("%s: %+v", urls[n], try)
		}
	}
	r.stop()
	if len(connected) > 0 || len(e.got()) > 0 {
		t.Errorf("%d connections and %d requests were made", len(connected), len(e.got()))
	}
	if strings.Contains(w.log.String(), "PRIVATE ADDRESSES") {
		t.Error("the log warns although private addresses are refused")
	}
}

func TestAllowingPrivateAddressesIsLoud(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.dispatch().stop()
	if !strings.Contains(w.log.String(), "PRIVATE ADDRESSES") {
		t.Error("the log does not warn")
	}
}

// When a server is killed while it sends, another repeats the try under the same id, but only
// after the lease has ended.
func TestAnotherServerTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(hang)
	s := w.shop(e.URL)
	id := w.createDelivery(s)
	killed := exec.CommandContext(t.Context(), os.Args[0])
	killed.Env = append(os.Environ(), helperEnv+"="+w.db.ServiceURL())
	killed.Stderr = os.Stderr
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	w.eventually("the first server sends", func() bool { return len(e.got()) == 1 })
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	e.answers(nil)
	d := w.dispatch()
	w.idle(d)
	if got := len(e.got()); got != 1 {
		t.Errorf("%d requests while the lease lasts", got)
	}
	w.later(webhooks.Lease + time.Minute) // the killed server's clock was that of the machine
	d.Wake()
	v := w.wantState(id, webhooks.StateDelivered)
	got := e.got()
	if len(got) != 2 || got[0].id() != got[1].id() || got[0].Body != got[1].Body || v.Attempts != 1 {
		t.Errorf("%d requests, %+v", len(got), v)
	}
}
