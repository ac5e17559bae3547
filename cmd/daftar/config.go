package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/export"
	"daftar/httpapi"
	"daftar/internal/ops"
	"daftar/internal/postgres"
)

// environment is what the variables say, as text.
type environment struct {
	DatabaseURL         string `env:"DAFTAR_DATABASE_URL"`
	Listen              string `env:"DAFTAR_LISTEN"                envDefault:"127.0.0.1:8080"`
	PublicURL           string `env:"DAFTAR_PUBLIC_URL"`
	OpsListen           string `env:"DAFTAR_OPS_LISTEN"            envDefault:"127.0.0.1:9090"`
	SecretKey           string `env:"DAFTAR_SECRET_KEY"`
	SecretKeyOld        string `env:"DAFTAR_SECRET_KEY_OLD"`
	LogLevel            string `env:"DAFTAR_LOG_LEVEL"             envDefault:"info"`
	WebhookAllowPrivate string `env:"DAFTAR_WEBHOOK_ALLOW_PRIVATE" envDefault:"false"`
	Acquirers           string `env:"DAFTAR_ACQUIRERS"`
	SandboxURL          string `env:"DAFTAR_SANDBOX_URL"`
	SandboxSecret       string `env:"DAFTAR_SANDBOX_SECRET"`
	SandboxListen       string `env:"DAFTAR_SANDBOX_LISTEN"        envDefault:"127.0.0.1:8090"`
	ClockOffset         string `env:"DAFTAR_CLOCK_OFFSET"          envDefault:"0s"`
	TransparencyKey     string `env:"DAFTAR_TRANSPARENCY_KEY"`
	RateLimit           string `env:"DAFTAR_RATE_LIMIT"`
	CheckpointDir       string `env:"DAFTAR_CHECKPOINT_DIR"`
	CheckpointURL       string `env:"DAFTAR_CHECKPOINT_URL"`
	NATSURL             string `env:"DAFTAR_NATS_URL"`
	NATSStream          string `env:"DAFTAR_NATS_STREAM"           envDefault:"DAFTAR"`
	NATSSubjects        string `env:"DAFTAR_NATS_SUBJECTS"         envDefault:"daftar.events"`
	NATSCredentials     string `env:"DAFTAR_NATS_CREDENTIALS"`
	NATSCA              string `env:"DAFTAR_NATS_CA"`
}

// config is what the environment says, checked.
type config struct {
	databaseURL   string
	listen        string
	publicURL     string
	opsListen     string
	secretKey     accounts.SecretKey
	level         zerolog.Level
	acquirers     []string
	sandboxURL    string
	sandboxSecret string
	sandboxListen string
	clockOffset   time.Duration
	allowPrivate  bool // webhooks may go to private addresses
	rate          httpapi.Rate
	transparency  transparencyConfig
	nats          export.Config // no servers: nothing is exported
}

const acquirerSandbox = "sandbox"

// configure reads the environment. Whatever is wrong in it, and whatever of the
// required variables is missing, is named in one error.
func (p *program) configure(required ...string) (config, error) {
	variables, problems := readFiles(p.variables(), "DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY", "DAFTAR_SECRET_KEY_OLD",
		"DAFTAR_SANDBOX_SECRET", "DAFTAR_TRANSPARENCY_KEY", "DAFTAR_NATS_URL")
	var e environment
	if err := env.ParseWithOptions(&e, env.Options{Environment: variables}); err != nil {
		return config{}, misuse{err}
	}
	for _, name := range required {
		if variables[name] == "" {
			problems = append(problems, name+" is missing: "+whatFor[name])
		}
	}
	c, wrong := e.check()
	problems = append(problems, wrong...)
	return c, complain(problems)
}

func (p *program) variables() map[string]string { return env.ToMap(p.environ) }

// complain names all problems at once; nil where there are none.
func complain(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	slices.Sort(problems)
	return misusef("%s", strings.Join(slices.Compact(problems), "\n        "))
}

// whatFor says, for a required variable, what belongs into it.
var whatFor = map[string]string{
	"DAFTAR_DATABASE_URL":   "the address of a PostgreSQL 15 or newer, postgres://USER:PASSWORD@HOST:PORT/DATABASE",
	"DAFTAR_SECRET_KEY":     "64 hexadecimal characters that encrypt webhook secrets (openssl rand -hex 32)",
	"DAFTAR_SECRET_KEY_OLD": "the secret key that is being replaced",
	"DAFTAR_SANDBOX_SECRET": "the secret that the sandbox acquirer shares with the server",
}

// readFiles fills in the secrets that are given by file: by the variable with
// _FILE behind its name.
func readFiles(variables map[string]string, secrets ...string) (map[string]string, []string) {
	var problems []string
	for _, name := range secrets {
		path := variables[name+"_FILE"]
		switch {
		case path == "":
		case variables[name] != "":
			problems = append(problems, name+" and "+name+"_FILE are both set; keep one")
		default:
			text, err := os.ReadFile(path)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s_FILE: %v", name, err))
				continue
			}
			variables[name] = strings.TrimRight(string(text), "\r\n")
		}
	}
	return variables, problems
}

// check turns the text of the variables into values and says what is wrong with
// each.
func (e environment) check() (config, []string) {
	c := config{
		databaseURL: e.DatabaseURL, listen: e.Listen, opsListen: e.OpsListen,
		sandboxURL: strings.TrimRight(e.SandboxURL, "/"), sandboxSecret: e.SandboxSecret, sandboxListen: e.SandboxListen,
	}
	var problems []string
	wrong := func(name, format string, args ...any) {
		problems = append(problems, name+": "+fmt.Sprintf(format, args...))
	}
	var err error
	if e.DatabaseURL != "" {
		if _, err := postgres.ParseURL(e.DatabaseURL); err != nil {
			wrong("DAFTAR_DATABASE_URL", "%v", err)
		}
	}
	for name, address := range map[string]string{
		"DAFTAR_LISTEN": e.Listen, "DAFTAR_OPS_LISTEN": e.OpsListen, "DAFTAR_SANDBOX_LISTEN": e.SandboxListen,
	} {
		if _, _, err := net.SplitHostPort(address); err != nil {
			wrong(name, "%q is no HOST:PORT", address)
		}
	}
	c.publicURL = "http://" + e.Listen
	if e.PublicURL != "" {
		c.publicURL = strings.TrimRight(e.PublicURL, "/")
		if !isWebAddress(c.publicURL) {
			wrong("DAFTAR_PUBLIC_URL", "%q is no http or https address without query", e.PublicURL)
		}
	}
	if e.SecretKey != "" {
		if c.secretKey, err = accounts.ParseSecretKey(e.SecretKey); err != nil {
			wrong("DAFTAR_SECRET_KEY", "%v", err)
		}
	}
	if e.SecretKeyOld != "" {
		old, err := accounts.ParseSecretKey(e.SecretKeyOld)
		if err != nil {
			wrong("DAFTAR_SECRET_KEY_OLD", "%v", err)
		}
		c.secretKey = c.secretKey.AndOld(old)
	}
	if c.level, err = zerolog.ParseLevel(e.LogLevel); err != nil || e.LogLevel == "" {
		wrong("DAFTAR_LOG_LEVEL", "%q is none of trace, debug, info, warn, error, fatal, panic, disabled", e.LogLevel)
	}
	if e.WebhookAllowPrivate != "true" && e.WebhookAllowPrivate != "false" {
		wrong("DAFTAR_WEBHOOK_ALLOW_PRIVATE", "%q is neither true nor false", e.WebhookAllowPrivate)
	}
	c.allowPrivate = e.WebhookAllowPrivate == "true"
	if c.clockOffset, err = time.ParseDuration(e.ClockOffset); err != nil {
		wrong("DAFTAR_CLOCK_OFFSET", "%q is no duration such as 48h or -5m", e.ClockOffset)
	}
	if c.rate, err = httpapi.ParseRate(e.RateLimit); err != nil {
		wrong("DAFTAR_RATE_LIMIT", "%q %v", e.RateLimit, err)
	}
	c.transparency, problems = e.checkTransparency(problems)
	c.nats, problems = e.checkExport(problems)
	return e.checkAcquirers(c, problems)
}

func (e environment) checkAcquirers(c config, problems []string) (config, []string) {
	if e.SandboxURL != "" && !isWebAddress(c.sandboxURL) {
		problems = append(problems, fmt.Sprintf("DAFTAR_SANDBOX_URL: %q is no http or https address without query", e.SandboxURL))
	}
	if e.Acquirers == "" && e.SandboxURL != "" {
		e.Acquirers = acquirerSandbox
	}
	for name := range strings.SplitSeq(e.Acquirers, ",") {
		switch name = strings.TrimSpace(name); name {
		case "":
		case acquirerSandbox:
			c.acquirers = append(c.acquirers, name)
			if e.SandboxURL == "" {
				problems = append(problems, "DAFTAR_SANDBOX_URL is missing: the address of the sandbox acquirer")
			}
			if e.SandboxSecret == "" {
				problems = append(problems, "DAFTAR_SANDBOX_SECRET is missing: "+whatFor["DAFTAR_SANDBOX_SECRET"])
			}
		default:
			problems = append(problems, fmt.Sprintf("DAFTAR_ACQUIRERS: there is no acquirer %q; known: %s", name, acquirerSandbox))
		}
	}
	if c.clockOffset != 0 && slices.ContainsFunc(c.acquirers, func(name string) bool { return name != acquirerSandbox }) {
		problems = append(problems, "DAFTAR_CLOCK_OFFSET: a shifted clock is for the sandbox alone, not beside other acquirers")
	}
	return c, problems
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil &&
		u.RawQuery == "" && u.Fragment == ""
}

// log is the program's log, on standard error.
func (p *program) log(c config) zerolog.Logger { return ops.NewLog(p.errs, c.level) }
