package fake

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"strconv"
)

//go:embed app.html
var appSource string

var appTemplate = template.Must(template.New("app").Parse(appSource))

// app has the values of app.html. Outcome is its data-outcome: empty at first, a transfer's status,
// wrong-code or unreadable.
type app struct {
	Payload, Payer, Amount string
	Outcome                string
	Transfers              []Made
}

// showApp answers GET /app. The parameter payload fills the code in.
func (*Fake) showApp(w http.ResponseWriter, r *http.Request) {
	render(w, http.StatusOK, app{Payload: r.URL.Query().Get("payload")})
}

func (f *Fake) useApp(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	shown := app{
		Payload: r.PostFormValue("payload"), Payer: r.PostFormValue("payer"), Amount: r.PostFormValue("amount"),
	}
	scan := Scan{Payload: shown.Payload, Payer: shown.Payer, Code: r.PostFormValue("code")}
	if scan.Code == "" {
		scan.Code = "none"
	}
	if shown.Amount != "" {
		dirham, err := strconv.ParseInt(shown.Amount, 10, 64)
		if err != nil || dirham <= 0 {
			shown.Outcome = "unreadable"
			render(w, http.StatusUnprocessableEntity, shown)
			return
		}
		scan.Amount = dirham
	}
	made, err := f.Scan(scan)
	switch {
	case errors.Is(err, errWrongCode):
		shown.Outcome = "wrong-code"
		render(w, http.StatusUnprocessableEntity, shown)
	case err != nil:
		shown.Outcome = "unreadable"
		render(w, http.StatusUnprocessableEntity, shown)
	default:
		shown.Outcome, shown.Transfers = made[len(made)-1].Status, made
		render(w, http.StatusOK, shown)
	}
}

func render(w http.ResponseWriter, status int, shown app) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "+
			"frame-ancestors 'none'; base-uri 'none'")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A browser that has gone away needs no page.
	_ = appTemplate.Execute(w, shown)
}
