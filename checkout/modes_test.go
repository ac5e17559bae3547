package checkout_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"daftar/domain"
)

// Beyond this machine the checkout of a live application has no method of the sandbox, on its
// page or by any form; that of a test application has them alone, and says that no money moves.
func TestTheSandboxIsForTestApplications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	live := w.create()
	w.makeApplication(domain.ModeTest)
	test := w.create()
	for _, server := range []struct {
		public string
		of     domain.Intent
		wanted []string // methods
		banner bool
	}{
		{"https://pay.example", live, nil, false},
		{"https://pay.example", test, []string{"wallet", "card"}, true},
		{w.url, live, []string{"wallet", "card"}, true},
		{w.url, test, []string{"wallet", "card"}, true},
	} {
		c := w.config(w.acquirer)
		c.PublicURL = server.public
		w.serve(serverOf(c).Handler())
		page := w.want(w.visit(path(server.of)), http.StatusOK, "pay")
		var methods []string
		for _, input := range page.document.all("input") {
			if input.attr("name") == "method" {
				methods = append(methods, input.attr("value"))
			}
		}
		if !slices.Equal(methods, server.wanted) {
			t.Errorf("%s offers %q, want %q", server.public, methods, server.wanted)
		}
		if banner := strings.Contains(page.body, `class="test"`); banner != server.banner {
			t.Errorf("%s: banner %v with methods %q", server.public, banner, methods)
		}
	}

	c := w.config(w.acquirer)
	c.PublicURL = "https://pay.example"
	w.serve(serverOf(c).Handler())
	for name, form := range map[string]map[string][]string{
		"wallet": wallet("0912345678"), "card": card(), "acquirer": {"method": {"sandbox"}},
		"both": {"method": {"card", "wallet"}, "acquirer": {"sandbox"}, "phone": {"0912345678"}},
	} {
		if answer := w.post(path(live)+"/attempts", form); answer.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: a form of the sandbox's for a live application is %d", name, answer.status)
		}
	}
	if i := w.load(live.ID); len(i.Attempts) > 0 {
		t.Errorf("attempts to pay a live application at the sandbox: %+v", i.Attempts)
	}
	paid := w.submit(w.submit(w.visit(path(test)), wallet("0912345678")), code("111111"))
	for _, a := range w.want(paid, http.StatusOK, "receipt").document.all("a") {
		if address, ours := strings.CutPrefix(a.attr("href"), c.PublicURL); ours {
			proof := w.want(w.visit(address), http.StatusOK, "proof")
			if !strings.Contains(proof.body, `class="test"`) {
				t.Error("the proof of a test payment does not say that no money moved")
			}
			return
		}
	}
	t.Errorf("the receipt leads to no proof:\n%s", paid.text())
}

// A test application has the sandbox alone, also where another acquirer takes payments of all.
func TestATestApplicationHasNoOtherAcquirer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.makeApplication(domain.ModeTest)
	i := w.create()
	w.serve(w.newServer(named{w.acquirer, "bank"}).Handler())
	if page := w.visit(path(i)); strings.Contains(page.body, `name="method"`) {
		t.Error("the checkout of a test application offers an acquirer that is not the sandbox")
	}
}
