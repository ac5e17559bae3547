package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/export"
	"daftar/httpapi"
	"daftar/internal/mail"
	"daftar/internal/postgres"
	"daftar/internal/tracing"
	"daftar/internal/web"
	"daftar/payments/acquirer"
	"daftar/transparency"
)

// environment is the text of the variables: that of Config's text fields, and that which
// check parses.
type environment struct {
	Config

	SecretKey           string `env:"DAFTAR_SECRET_KEY"`
	SecretKeyOld        string `env:"DAFTAR_SECRET_KEY_OLD"`
	LogLevel            string `env:"DAFTAR_LOG_LEVEL"             envDefault:"info"`
	WebhookAllowPrivate string `env:"DAFTAR_WEBHOOK_ALLOW_PRIVATE" envDefault:"false"`
	Acquirers           string `env:"DAFTAR_ACQUIRERS"`
	ClockOffset         string `env:"DAFTAR_CLOCK_OFFSET"          envDefault:"0s"`
	DrainDelay          string `env:"DAFTAR_DRAIN_DELAY"           envDefault:"0s"`
	IdleTimeout         string `env:"DAFTAR_IDLE_TIMEOUT"          envDefault:"620s"`
	TransparencyKey     string `env:"DAFTAR_TRANSPARENCY_KEY"`
	RateLimit           string `env:"DAFTAR_RATE_LIMIT"`
	TrustedProxies      string `env:"DAFTAR_TRUSTED_PROXIES"`
	CheckpointDir       string `env:"DAFTAR_CHECKPOINT_DIR"`
	CheckpointURL       string `env:"DAFTAR_CHECKPOINT_URL"`
	Witnesses           string `env:"DAFTAR_WITNESSES"`
	NATSURL             string `env:"DAFTAR_NATS_URL"`
	NATSStream          string `env:"DAFTAR_NATS_STREAM"           envDefault:"DAFTAR"`
	NATSSubjects        string `env:"DAFTAR_NATS_SUBJECTS"         envDefault:"daftar.events"`
	NATSCredentials     string `env:"DAFTAR_NATS_CREDENTIALS"`
	NATSCA              string `env:"DAFTAR_NATS_CA"`
	SMTPServer          string `env:"DAFTAR_SMTP_SERVER"`
	SMTPUser            string `env:"DAFTAR_SMTP_USER"`
	SMTPPassword        string `env:"DAFTAR_SMTP_PASSWORD"`
	SMTPFrom            string `env:"DAFTAR_SMTP_FROM"`
	DemoApplication     string `env:"DAFTAR_DEMO_APPLICATION"`
	SignUp              string `env:"DAFTAR_SIGN_UP"               envDefault:"off"`
}

// Config is what the environment says, checked.
type Config struct {
	DatabaseURL   string `env:"DAFTAR_DATABASE_URL"`
	ReadURL       string `env:"DAFTAR_DATABASE_READ_URL"` // of a standby, for late reads; empty: none
	Listen        string `env:"DAFTAR_LISTEN"         envDefault:"127.0.0.1:8080"`
	PublicURL     string `env:"DAFTAR_PUBLIC_URL"`
	OpsListen     string `env:"DAFTAR_OPS_LISTEN"     envDefault:"127.0.0.1:9090"`
	OwnDatabase   bool   // no other program uses the database, as in the demo
	SecretKey     accounts.SecretKey
	LogLevel      zerolog.Level
	Acquirers     []string
	SandboxURL    string             `env:"DAFTAR_SANDBOX_URL"`
	SandboxSecret string             `env:"DAFTAR_SANDBOX_SECRET"`
	SandboxListen string             `env:"DAFTAR_SANDBOX_LISTEN" envDefault:"127.0.0.1:8090"`
	Addresses     acquirer.Addresses // of acquirers
	ClockOffset   time.Duration
	DrainDelay    time.Duration // for which /readyz fails before a stopping server refuses connections
	IdleTimeout   time.Duration // for which a proxy may keep a connection without a request
	AllowPrivate  bool          // webhooks may go to private addresses
	Rate          httpapi.Rate
	Proxies       web.Proxies
	Transparency  Transparency
	// MaxApplications is how many applications an organisation may have.
	MaxApplications int    `env:"DAFTAR_MAX_APPLICATIONS" envDefault:"100"`
	SupportEmail    string `env:"DAFTAR_SUPPORT_EMAIL"` // for merchants' developers; empty: none is shown

	NATS export.Config // no servers: nothing is exported
	Mail mail.Settings // off: the links of invitations are shown to the inviter
	// DemoApplication is the test application of the front door's demonstration; zero: there is none.
	DemoApplication domain.ApplicationID
	SignUp          bool // people may open an organisation for tests
	Tracing         bool

	weakKey bool
}

// defaultRate lets a shop sell a hundred orders a second, and keeps one that is out of
// control from taking the service away from others.
const defaultRate = "100/s,burst=200"

// Sandbox is the name of the sandbox acquirer among Config.Acquirers.
const Sandbox = "sandbox"

// Read reads an environment. The variables that are required must be there.
func Read(environ []string, required ...string) (Config, error) {
	var problems Problems
	variables := Variables(environ)
	problems.ReadFiles(variables, secrets()...)
	var e environment
	if err := env.ParseWithOptions(&e, env.Options{Environment: variables}); err != nil {
		return Config{}, Errorf("%w", err)
	}
	for _, name := range required {
		if variables[name] == "" {
			problems.missing(name)
		}
	}
	c := e.check(&problems)
	c.Addresses = acquirerAddresses(&problems, variables)
	c.Tracing = variables[tracing.Variable] != ""
	return c, problems.Err()
}

// check turns the text of the variables into values.
func (e environment) check(problems *Problems) Config {
	c := e.Config
	c.PublicURL = strings.TrimSuffix(cmp.Or(c.PublicURL, "http://"+c.Listen), "/")
	c.SandboxURL = strings.TrimRight(c.SandboxURL, "/")
	c.AllowPrivate = e.WebhookAllowPrivate == "true"
	var err error
	c.SupportEmail = parsed(problems, "DAFTAR_SUPPORT_EMAIL", e.SupportEmail, people.NormalizeEmail)
	parsed(problems, "DAFTAR_DATABASE_URL", e.DatabaseURL, postgres.ParseURL)
	parsed(problems, "DAFTAR_DATABASE_READ_URL", e.ReadURL, postgres.ParseURL)
	for name, address := range map[string]string{
		"DAFTAR_LISTEN":         e.Listen,
		"DAFTAR_OPS_LISTEN":     e.OpsListen,
		"DAFTAR_SANDBOX_LISTEN": e.SandboxListen,
	} {
		if _, _, err := net.SplitHostPort(address); err != nil {
			problems.Addf("%s: %q is no HOST:PORT", name, address)
		}
	}
	if e.PublicURL != "" {
		problems.checkRoot("DAFTAR_PUBLIC_URL", e.PublicURL)
	}
	c.SecretKey = parsed(problems, "DAFTAR_SECRET_KEY", e.SecretKey, accounts.ParseSecretKey)
	c.weakKey = repeats([]byte(strings.ToLower(e.SecretKey)))
	if e.SecretKeyOld != "" {
		old := parsed(problems, "DAFTAR_SECRET_KEY_OLD", e.SecretKeyOld, accounts.ParseSecretKey)
		c.SecretKey = c.SecretKey.AndOld(old)
	}
	if c.LogLevel, err = zerolog.ParseLevel(e.LogLevel); err != nil || e.LogLevel == "" {
		problems.Addf("DAFTAR_LOG_LEVEL: %q is none of trace, debug, info, warn, error, fatal, panic, disabled",
			e.LogLevel)
	}
	if e.WebhookAllowPrivate != "true" && e.WebhookAllowPrivate != "false" {
		problems.Addf("DAFTAR_WEBHOOK_ALLOW_PRIVATE: %q is neither true nor false", e.WebhookAllowPrivate)
	}
	if c.ClockOffset, err = time.ParseDuration(e.ClockOffset); err != nil {
		problems.Addf("DAFTAR_CLOCK_OFFSET: %q is no duration such as 48h or -5m", e.ClockOffset)
	}
	c.DrainDelay, err = time.ParseDuration(e.DrainDelay)
	if err != nil || c.DrainDelay < 0 || c.DrainDelay > time.Minute {
		problems.Addf("DAFTAR_DRAIN_DELAY: %q is no duration from 0s to 1m", e.DrainDelay)
	}
	c.IdleTimeout, err = time.ParseDuration(e.IdleTimeout)
	if err != nil || c.IdleTimeout < time.Second || c.IdleTimeout > 2*time.Hour {
		problems.Addf("DAFTAR_IDLE_TIMEOUT: %q is no duration from 1s to 2h", e.IdleTimeout)
	}
	if c.Rate, err = httpapi.ParseRate(cmp.Or(e.RateLimit, defaultRate)); err != nil {
		problems.Addf("DAFTAR_RATE_LIMIT: %q %v", e.RateLimit, err)
	}
	c.Proxies = parsed(problems, "DAFTAR_TRUSTED_PROXIES", e.TrustedProxies, web.ParseProxies)
	c.Transparency = e.checkTransparency(problems)
	c.NATS = e.checkNATS(problems)
	c.Mail = e.checkMail(problems)
	c.Acquirers = e.checkAcquirers(problems)
	e.checkFrontDoor(&c, problems)
	return c
}

func (e environment) checkAcquirers(problems *Problems) []string {
	if e.SandboxURL != "" {
		problems.checkWebAddress("DAFTAR_SANDBOX_URL", strings.TrimRight(e.SandboxURL, "/"))
		if e.Acquirers == "" {
			e.Acquirers = Sandbox
		}
	}
	var known []string
	for name := range strings.SplitSeq(e.Acquirers, ",") {
		switch name = strings.TrimSpace(name); name {
		case "":
		case Sandbox:
			known = append(known, name)
			if e.SandboxURL == "" {
				problems.missing("DAFTAR_SANDBOX_URL")
			}
			if e.SandboxSecret == "" {
				problems.missing("DAFTAR_SANDBOX_SECRET")
			}
		default:
			problems.Addf("DAFTAR_ACQUIRERS: there is no acquirer %q; known: %s", name, Sandbox)
		}
	}
	return known
}

// checkFrontDoor reads what the front door offers to people without an account.
func (e environment) checkFrontDoor(c *Config, problems *Problems) {
	const demo = "DAFTAR_DEMO_APPLICATION"
	c.DemoApplication = parsed(problems, demo, e.DemoApplication, accounts.ParseApplicationID)
	if e.DemoApplication != "" && !slices.Contains(c.Acquirers, Sandbox) {
		problems.Addf("%s: nobody can pay a demonstration without the sandbox; set DAFTAR_SANDBOX_URL", demo)
	}
	c.SignUp = e.SignUp == "test"
	if e.SignUp != "off" && !c.SignUp {
		problems.Addf("DAFTAR_SIGN_UP: %q is neither off nor test", e.SignUp)
	}
	if c.SignUp && !c.Mail.On() {
		problems.missing("DAFTAR_SMTP_SERVER")
	}
}

// checkNATS reads where the log is exported to. Without an address it is not exported.
func (e environment) checkNATS(problems *Problems) export.Config {
	c := export.Config{
		Stream: e.NATSStream, Subjects: e.NATSSubjects, Credentials: e.NATSCredentials, CA: e.NATSCA,
	}
	if e.NATSURL == "" {
		return c
	}
	c.Servers = parsed(problems, "DAFTAR_NATS_URL", e.NATSURL, export.ParseServers)
	problems.wrong("DAFTAR_NATS_STREAM", export.CheckStream(c.Stream))
	problems.wrong("DAFTAR_NATS_SUBJECTS", export.CheckSubjects(c.Subjects))
	problems.wrong("DAFTAR_NATS_CREDENTIALS", export.CheckFile(c.Credentials))
	problems.wrong("DAFTAR_NATS_CA", export.CheckFile(c.CA))
	return c
}

// checkMail reads how mail is sent. Without a server none is sent.
func (e environment) checkMail(problems *Problems) mail.Settings {
	s := mail.Settings{
		Server:   parsed(problems, "DAFTAR_SMTP_SERVER", e.SMTPServer, mail.ParseServer),
		User:     e.SMTPUser,
		Password: e.SMTPPassword,
		From:     parsed(problems, "DAFTAR_SMTP_FROM", e.SMTPFrom, mail.ParseFrom),
		InClear:  mail.IsLocal(e.SMTPServer),
	}
	if e.SMTPServer == "" && e.SMTPUser+e.SMTPPassword+e.SMTPFrom != "" {
		problems.missing("DAFTAR_SMTP_SERVER")
	}
	if e.SMTPServer != "" && e.SMTPFrom == "" {
		problems.missing("DAFTAR_SMTP_FROM")
	}
	if (e.SMTPUser == "") != (e.SMTPPassword == "") {
		problems.Addf("DAFTAR_SMTP_USER and DAFTAR_SMTP_PASSWORD: one is set without the other")
	}
	return s
}

// parsed is the value of a variable; zero where the variable is not set.
func parsed[T any](problems *Problems, name, text string, parse func(string) (T, error)) (value T) {
	if text != "" {
		var err error
		value, err = parse(text)
		problems.wrong(name, err)
	}
	return value
}

func (p *Problems) wrong(name string, err error) {
	if err != nil {
		*p = append(*p, fmt.Sprintf("%s: %v", name, err))
	}
}

// Transparency is what the environment says about the transparency log.
type Transparency struct {
	Key       transparency.Key // zero: the service makes one
	Origin    string           // the host by which a key that the service makes is named
	Dir       string
	URL       string
	Witnesses []transparency.Witness
}

func (e environment) checkTransparency(problems *Problems) Transparency {
	c := Transparency{Origin: e.Listen, Dir: e.CheckpointDir, URL: e.CheckpointURL}
	if u, err := url.Parse(e.PublicURL); err == nil && u.Host != "" {
		c.Origin = u.Host
	}
	c.Origin = originOf(c.Origin)
	c.Key = parsed(problems, "DAFTAR_TRANSPARENCY_KEY", e.TransparencyKey, transparency.ParseKey)
	c.Witnesses = parsed(problems, "DAFTAR_WITNESSES", e.Witnesses, transparency.ParseWitnesses)
	if e.CheckpointURL != "" && !transparency.TakesCheckpoints(e.CheckpointURL) {
		problems.Addf("DAFTAR_CHECKPOINT_URL: it is no https address (plain http goes to this machine only)")
	}
	return c
}

// originOf turns a host into the name of a log, which has neither spaces nor plus signs.
func originOf(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil && (port == "443" || port == "80") {
		host = name
	}
	return strings.NewReplacer(" ", "-", "+", "-").Replace(host)
}

// Error is a mistake in how the program was called or set up.
type Error struct{ error }

// Unwrap returns the mistake itself.
func (e Error) Unwrap() error { return e.error }

// Errorf makes an Error.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Problems are all mistakes that were found.
type Problems []string

// Addf adds a mistake.
func (p *Problems) Addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// Err names all problems, a line each; nil where there are none.
func (p *Problems) Err() error {
	if len(*p) == 0 {
		return nil
	}
	slices.Sort(*p)
	return Errorf("%s", strings.Join(slices.Compact(*p), "\n"))
}

// ReadFiles fills in the variables that are given by file, in the variable whose name ends
// with _FILE.
func (p *Problems) ReadFiles(variables map[string]string, names ...string) {
	for _, name := range names {
		path := variables[name+"_FILE"]
		switch {
		case path == "":
		case variables[name] != "":
			p.Addf("%s and %s_FILE are both set; keep one", name, name)
		default:
			variables[name] = p.readSecret(name+"_FILE", path)
		}
	}
}
