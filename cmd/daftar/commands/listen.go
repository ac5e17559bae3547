package commands

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/httpapi"
	"daftar/internal/worker"
)

// listener forwards an application's webhooks to an address on the developer's
// machine.
type listener struct {
	cli.Client

	forwardTo string
}

// retryEvery is how soon an API that does not answer, or is busy, is asked again.
const retryEvery = 2 * time.Second

func (p *program) listen() *cobra.Command {
	l := &listener{Client: p.Client()}
	c := cli.Command("listen --forward-to URL",
		"Forward an application's webhooks to this machine, without a public address",
		func(ctx context.Context, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			return l.run(ctx)
		})
	c.Long = `Forward an application's webhooks to this machine, without a public address.
What the application's own endpoint gets is not changed.

` + cli.CredentialsHelp
	c.Flags().StringVar(&l.forwardTo, "forward-to", "",
		"where to send the webhooks, such as http://localhost:3000/webhooks")
	l.Flags(c)
	return c
}

func (l *listener) check() error {
	var problems config.Problems
	l.Configure(config.Variables(l.Call.Environ), &problems)
	u, err := url.Parse(l.forwardTo)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		problems.Addf("--forward-to: %q is no http or https address", l.forwardTo)
	}
	return problems.Err()
}

func (l *listener) run(ctx context.Context) error {
	cursor, away := "", false
	for {
		page, err := l.next(ctx, cursor)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // Ctrl-C is how listening ends
		case errors.Is(err, cli.ErrRefused):
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

// next asks for the webhooks after a cursor. Without a cursor it gets one that begins now.
func (l *listener) next(ctx context.Context, cursor string) (page httpapi.Deliveries, err error) {
	query := ""
	if cursor != "" {
		query = "?after=" + url.QueryEscape(cursor)
	}
	err = l.Ask(ctx, http.MethodGet, "/webhook-deliveries"+query, nil, &page)
	return page, err
}

// forward sends one webhook on and prints the result. It does not try again: the developer
// sees the result and can trigger another webhook.
func (l *listener) forward(ctx context.Context, d httpapi.Delivery) {
	outcome := "no answer"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.forwardTo,
		bytes.NewReader([]byte(d.Body)))
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
		for name, value := range d.Headers {
			request.Header.Set(name, value)
		}
		var response *http.Response
		if response, err = l.HTTP.Do(request); err == nil {
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
	}{time.Now().Format(time.TimeOnly), d.Type, d.ID, outcome}) // the webhook was sent even if this fails
}
