//go:build shops

package acceptance_test

import (
	"net/http"
	"os"
	"strings"

	"daftar/tools/acceptance/browsertest"
)

// hasSettings has an administrator check the connection. It is checked for those alone who clicked, what
// the service answers is shown as text, and no secret is in the page.
func (w *wordPress) hasSettings() {
	w.t.Helper()
	b := browsertest.Open(w.t, browsertest.Options{Width: 1280, Scripts: true})
	b.Navigate(w.site.URL + "/wp-admin/tools.php")
	// No typing: a script of this page moves the focus some time after it was loaded.
	browsertest.Evaluate[string](b, `(document.querySelector("#user_login").value =
		document.querySelector("#user_pass").value = "admin")`)
	p := b.Follow("#wp-submit")
	shows := func(texts ...string) {
		w.t.Helper()
		for _, text := range texts {
			if !strings.Contains(p.Text, text) {
				w.t.Errorf("%q is not in %+v", text, p)
			}
		}
	}
	shows("دفتر في وضع التجربة: تُدفع الطلبات بمال وهمي.")
	settings := w.site.URL + "/wp-admin/admin.php?page=wc-settings&tab=checkout&section=daftar"
	p = b.Navigate(settings)
	shows("وصل آخر إشعار في ")
	p = b.Follow("#daftar_check a")
	shows("✓ دفتر يجيب، ويقبل مفتاح API ورمز الوصول.", "✓ ردّ المبالغ مسموح.")
	page := browsertest.Evaluate[string](b, "document.documentElement.outerHTML")
	for _, secret := range []string{w.who.key, w.who.token, w.who.secret} {
		if strings.Contains(page, secret) {
			w.t.Errorf("%s is in the page of the settings", secret)
		}
	}

	refuse := func(rw http.ResponseWriter, _ *http.Request) bool {
		rw.WriteHeader(http.StatusTeapot)
		_, _ = rw.Write([]byte(`{"error":"<b id=theirs>busy</b>"}`))
		return true
	}
	w.hold.Store(&refuse)
	b.Navigate(settings)
	p = b.Follow("#daftar_check a")
	shows("✗ أجاب دفتر 418: <b id=theirs>busy</b>")
	w.hold.Store(nil)
	if p = b.Navigate(settings + "&daftar_check=0123456789"); strings.ContainsAny(p.Text, "✓✗") {
		w.t.Errorf("the connection is checked without a nonce: %+v", p)
	}
	if p.Status != http.StatusOK {
		w.t.Errorf("status %d of the settings", p.Status)
	}
}

// leavesNothing deletes the plugin as WordPress does.
func (w *wordPress) leavesNothing() {
	w.t.Helper()
	var left []string
	if w.php(&left, "remove.php"); len(left) > 0 {
		w.t.Errorf("after the plugin was deleted there is still %q", left)
	}
}

// logsNothing fails for each notice that comes from the plugin, or from what it calls (watch.php). WordPress
// has others: it is older than Debian's PHP.
func (w *wordPress) logsNothing() {
	w.t.Helper()
	log, err := os.ReadFile(w.dir + ".log")
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "daftar-for-woocommerce") || strings.Contains(line, wooCommerce+"/tests/") {
			w.t.Errorf("logged: %s", line)
		}
	}
}
