package storybook_test

import (
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
)

// A password can be read while it is typed, and is hidden again before it is sent.
func TestPasswordIsShown(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Scripts: true})
	for l, words := range map[locale.Lang][]string{
		locale.Arabic: {
			"إظهار كلمة المرور", "كلمة المرور ظاهرة الآن.", "إخفاء كلمة المرور", "كلمة المرور مخفية.",
		},
		locale.English: {
			"Show Password", "The password can be seen.", "Hide Password", "The password is hidden.",
		},
	} {
		b.Navigate(address + dashboardPage("sign-in", l))
		b.Fill("#password", "صحيح horse")
		is := func(when, kind, name, said string) {
			t.Helper()
			got := browsertest.Evaluate[[]string](b, `[
				document.getElementById("password").type,
				document.querySelector("[data-reveals]").innerText.replace(/\s+/g, " "),
				document.getElementById("status").textContent,
				document.getElementById("password").value,
			]`)
			if got[0] != kind || got[1] != name || got[2] != said || got[3] != "صحيح horse" {
				t.Errorf("%s, %s: %q", l, when, got)
			}
		}
		is("at first", "password", words[0], "")
		b.Click("[data-reveals]")
		is("pressed", "text", words[2], words[1])
		b.Click("[data-reveals]")
		is("pressed twice", "password", words[0], words[3])
		b.Click("[data-reveals]")
		sent := browsertest.Evaluate[string](b, `(function () {
			var sent = "nothing";
			addEventListener("submit", function (event) {
				sent = document.getElementById("password").type;
				event.preventDefault();
			});
			document.querySelector("form [type=email]").value = "a@shop.example";
			document.querySelector("form").requestSubmit();
			return sent;
		})()`)
		if sent != "password" {
			t.Errorf("%s: the field is a %s when the form is sent", l, sent)
		}
	}
}
