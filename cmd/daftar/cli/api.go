package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/config"
	"daftar/httpapi"
)

// Client asks the API as a merchant's server does: with an application's two
// credentials, and without a database.
type Client struct {
	*Program

	base  string
	key   string
	token string
	HTTP  *http.Client
}

// apiLimit bounds one request to the API, which may wait on purpose, and one to
// the developer's server.
const apiLimit = 20 * time.Second

// Client is one that its flags and the environment configure.
func (p *Program) Client() Client {
	return Client{Program: p, HTTP: &http.Client{
		Timeout: apiLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a form is answered by a redirect, and a key is sent nowhere else
		},
	}}
}

// CredentialsHelp is what the long help of the commands with such a client says.
const CredentialsHelp = `It needs no database, only the API's base address and the application's two
credentials: DAFTAR_API_URL (http://127.0.0.1:8080/api/v1), DAFTAR_API_KEY and
DAFTAR_ACCESS_TOKEN, or the flags of those names.`

// Flags declares the flags for the API's address and the application's credentials.
func (a *Client) Flags(c *cobra.Command) {
	c.Flags().StringVar(&a.base, "api-url", "", "base address of the API, with /api/v1")
	c.Flags().StringVar(&a.key, "api-key", "",
		"the application's X-API-Key; better by environment, where nobody sees it")
	c.Flags().StringVar(&a.token, "access-token", "",
		"the organisation's access token; better by environment")
}

// Configure fills in from the environment what no flag said.
func (a *Client) Configure(variables map[string]string, problems *config.Problems) {
	problems.ReadFiles(variables, "DAFTAR_API_KEY", "DAFTAR_ACCESS_TOKEN")
	for into, name := range map[*string]string{
		&a.base: "DAFTAR_API_URL", &a.key: "DAFTAR_API_KEY", &a.token: "DAFTAR_ACCESS_TOKEN",
	} {
		if *into == "" {
			*into = variables[name]
		}
	}
	if a.base == "" {
		a.base = "http://127.0.0.1:8080" + httpapi.Prefix
	}
	a.base = strings.TrimRight(a.base, "/")
	if !config.IsWebAddress(a.base) {
		problems.Addf("DAFTAR_API_URL: %q is no http or https address", a.base)
	}
	if a.key == "" {
		problems.Addf("DAFTAR_API_KEY is missing: the application's X-API-Key")
	}
	if a.token == "" {
		problems.Addf("DAFTAR_ACCESS_TOKEN is missing: an access token of the organisation")
	}
}

// ErrRefused says that the API does not let the request through: trying again would not
// help.
var ErrRefused = errors.New("the API refuses")

// Ask sends a request, with a JSON body unless it is nil, and reads the answer. The error
// wraps ErrRefused where the API's answer would be the same again.
func (a *Client) Ask(ctx context.Context, method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("ask the API: %w", err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, content)
	if err != nil {
		return fmt.Errorf("ask the API: %w", err)
	}
	request.Header = http.Header{
		"Accept":        {"application/json"},
		"X-Api-Key":     {a.key},
		"Authorization": {"Bearer " + a.token},
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	code, answer, err := a.Send(request)
	switch {
	case err != nil:
		return fmt.Errorf("ask the API: %w", err)
	case code == http.StatusOK, code == http.StatusCreated:
	case code == http.StatusTooManyRequests, code >= http.StatusInternalServerError:
		return fmt.Errorf("the API answers %d: %s", code, Sentence(answer))
	default:
		return fmt.Errorf("%w with %d: %s", ErrRefused, code, Sentence(answer))
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read the API's answer: %w", err)
	}
	return nil
}

// Send returns the status and the body of the answer.
func (a *Client) Send(request *http.Request) (code int, body []byte, err error) {
	response, err := a.HTTP.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(response.Body, 8<<20))
	return response.StatusCode, body, err
}

// maxSentence bounds what is shown of an answer that is not the API's: a proxy's page.
const maxSentence = 200

// Sentence is what an error's body says.
func Sentence(body []byte) string {
	var e struct{ Message, Error string }
	if json.Unmarshal(body, &e) == nil && e.Message+e.Error != "" {
		return e.Message + e.Error
	}
	return string(body[:min(len(body), maxSentence)])
}
