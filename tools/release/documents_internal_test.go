package main

import (
	"testing"
)

// Links lead to released files; other links and pictures become text.
func TestLinksLeadToWhatIsReleased(t *testing.T) {
	t.Parallel()
	placed := map[string]string{
		"README.md": "README.md.gz", "docs/deploy.md": "docs/deploy.md", "logo.png": "logo.png",
	}
	for text, want := range map[string]string{
		"[deploy](docs/deploy.md#https)": "[deploy](docs/deploy.md#https)",
		"see [the code](cmd/main.go)":    "see the code",
		"![a page](tools/page.png)":      "a page",
		"![a logo](logo.png)":            "![a logo](logo.png)",
		"[elsewhere](https://a.example)": "[elsewhere](https://a.example)",
	} {
		if got := string(places(placed).relink("README.md", []byte(text))); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}
