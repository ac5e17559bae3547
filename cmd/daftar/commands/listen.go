package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/config"
	"daftar/httpapi"
	"daftar/internal/worker"
)

// listener forwards an application's webhooks to an address on the developer's
// machine. It needs the application's key and token and no database.
type listener struct {
	*program
	api       string
	key       string
	token     string
	forwardTo string
	client    *http.Client
}

// listenLimit bounds one request to the API, which waits on purpose, and one to
// the developer's server.
const listenLimit = 20 * time.Second

// retryEvery is how soon an API that does not answer, or is busy, is asked again.
const retryEvery = 2 * time.Second

func (p *program) webhookListen() *cobra.Command {
	l := &listener{program: p, client: &http.Client{Timeout: listenLimit}}
	c := command("listen --forward-to URL", "Forward an application's webhooks to this machine, without a public address",
		func(ctx context.Context, _ []string) error {
			if err := l.configure(); err != nil {
				return err
			}
			return l.listen(ctx)
		})
	c.Long = `Forward an application's webhooks to this machine, without a public address.

It needs no database, only the API's base address and the application's two
credentials: DAFTAR_API_URL (http://127.0.0.1:8080/api/v1), DAFTAR_API_KEY and
DAFTAR_ACCESS_TOKEN, or the flags of those names. What the application's own
endpoint gets is not changed.`
	c.Flags().StringVar(&l.forwardTo, "forward-to", "", "where to send the webhooks, such as http://localhost:3000/webhooks")
	c.Flags().StringVar(&l.api, "api-url", "", "base address of the API, with /api/v1")
	c.Flags().StringVar(&l.key, "api-key", "", "the application's X-API-Key; better by environment, where nobody sees it")
	c.Flags().StringVar(&l.token, "access-token", "", "the organisation's access token; better by environment")
	return c
}

// configure fills in from the environment what no flag said.
func (l *listener) configure() error {
	var problems config.Problems
	variables := config.Variables(l.call.Environ)
	problems.ReadFiles(variables, "DAFTAR_API_KEY", "DAFTAR_ACCESS_TOKEN")
	for into, name := range map[*string]string{&l.api: "DAFTAR_API_URL", &l.key: "DAFTAR_API_KEY", &l.token: "DAFTAR_ACCESS_TOKEN"} {
		if *into == "" {
			*into = variables[name]
		}
	}
	if l.api == "" {
		l.api = "http://127.0.0.1:8080" + httpapi.Prefix
	}
	l.api = strings.TrimRight(l.api, "/")
	if !config.IsWebAddress(l.api) {
		problems.Addf("DAFTAR_API_URL: %q is no http or https address", l.api)
	}
	if u, err := url.Parse(l.forwardTo); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		problems.Addf("--forward-to: %q is no http or https address", l.forwardTo)
	}
	if l.key == "" {
		problems.Addf("DAFTAR_API_KEY is missing: the application's X-API-Key")
	}
	if l.token == "" {
		problems.Addf("DAFTAR_ACCESS_TOKEN is missing: an access token of the organisation")
	}
	return problems.Err()
}

// errRefused says that the API does not let the credentials in: trying again
// would not help.
var errRefused = errors.New("the API refuses")

func (l *listener) listen(ctx context.Context) error {
	cursor, away := "", false
	for {
		page, err := l.next(ctx, cursor)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // Ctrl-C is how listening ends
		case errors.Is(err, errRefused):
			return err
		case err != nil:
			if !away {
				l.Notef("No webhooks can be had at the moment, trying again: %v", err)
			}
			away = true
			worker.Sleep(ctx, retryEvery)
			continue
		case cursor == "":
			l.Notef("Listening. Webhooks from now on go to %s; Ctrl-C ends it.", l.forwardTo)
		case away:
			l.Notef("The API answers again.")
		}
		away = false
		for _, d := range page.Data {
			l.forward(ctx, d)
		}
		cursor = page.Next
	}
}

// next asks for the webhooks after a cursor; for none, where now is.
func (l *listener) next(ctx context.Context, cursor string) (httpapi.Deliveries, error) {
	var page httpapi.Deliveries
	query := ""
	if cursor != "" {
		query = "?after=" + url.QueryEscape(cursor)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.api+"/webhook-deliveries"+query, nil)
	if err != nil {
		return page, fmt.Errorf("ask for webhooks: %w", err)
	}
	request.Header = http.Header{"Accept": {"application/json"}, "X-Api-Key": {l.key}, "Authorization": {"Bearer " + l.token}}
	response, err := l.client.Do(request)
	if err != nil {
		return page, fmt.Errorf("ask for webhooks: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, 8<<20))
	if err != nil {
		return page, fmt.Errorf("ask for webhooks: %w", err)
	}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
	case code == http.StatusTooManyRequests, code >= http.StatusInternalServerError:
		return page, fmt.Errorf("the API answers %d: %s", code, sentence(body))
	default:
		return page, fmt.Errorf("%w with %d: %s", errRefused, code, sentence(body))
	}
	if err := json.Unmarshal(body, &page); err != nil {
		return page, fmt.Errorf("read webhooks: %w", err)
	}
	return page, nil
}

// maxSentence bounds what is shown of an answer that is not the API's: a proxy's page.
const maxSentence = 200

// sentence is what an error's body says.
func sentence(body []byte) string {
	var e struct{ Message, Error string }
	if json.Unmarshal(body, &e) == nil && e.Message+e.Error != "" {
		return e.Message + e.Error
	}
	return string(body[:min(len(body), maxSentence)])
}

// forward sends one webhook on and says what came of it. It is not tried again:
// the developer sees it and can trigger another.
func (l *listener) forward(ctx context.Context, d httpapi.Delivery) {
	outcome := "no answer"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.forwardTo, bytes.NewReader([]byte(d.Body)))
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
		for name, value := range d.Headers {
			request.Header.Set(name, value)
		}
		var response *http.Response
		if response, err = l.client.Do(request); err == nil {
			outcome = response.Status
			_ = response.Body.Close()
		}
	}
	if err != nil {
		outcome = err.Error()
	}
	_ = l.Row(struct {
		At      string `json:"-"       label:""`
		Type    string `json:"type"    label:"" width:"31"`
		ID      string `json:"id"      label:""`
		Outcome string `json:"outcome" label:""`
	}{time.Now().Format(time.TimeOnly), d.Type, d.ID, outcome}) // who reads along sees it; the webhook was sent
}
