package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"daftar/internal/tracing"
	"daftar/payments/acquirer"
)

// Variables are the variables of an environment by name. Line ends at the end of a value are
// cut, as at the end of a file: what makes a secret of "echo … | base64" leaves one there.
func Variables(environ []string) map[string]string {
	all := env.ToMap(environ)
	for name, value := range all {
		all[name] = cutLineEnds(value)
	}
	return all
}

// cutLineEnds keeps spaces: a password may end with one.
func cutLineEnds(value string) string { return strings.TrimRight(value, "\r\n") }

// Section are the variables about one thing, for people.
type Section struct {
	Title     string
	Variables []Variable
}

// Variable is one that Read knows, as `serve --help` and docs/operate/variables.md explain it.
type Variable struct {
	Name    string
	Default string // empty: there is none, or it depends on other variables
	// Meaning begins with what belongs into the variable, up to a semicolon: the error of a missing
	// variable shows that part. Code is in backquotes; a document is named by its path in the repository.
	Meaning string
	Secret  bool // may be given by file
}

// Sections are all variables, in the order in which people read of them.
func Sections() []Section {
	defaults := map[string]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[environment]()) {
		defaults[f.Tag.Get("env")] = f.Tag.Get("envDefault")
	}
	all := slices.Clone(sections)
	for n, s := range all {
		all[n].Variables = slices.Clone(s.Variables)
		for m, v := range s.Variables {
			all[n].Variables[m].Default = cmp.Or(v.Default, defaults[v.Name])
		}
	}
	return all
}

// sections have no defaults but those of acquirers: the others are in the tags of environment.
var sections = []Section{
	{"Database and secrets", []Variable{
		{Name: "DAFTAR_DATABASE_URL", Secret: true, Meaning: "the address of a PostgreSQL 15 or newer, " +
			"`postgres://USER:PASSWORD@HOST:PORT/DATABASE`; required. Of several hosts " +
			"(`postgres://USER:PASSWORD@a,b,c/daftar`) the primary is found, also after a promotion " +
			"(docs/runbook/standby.md)"},
		{Name: "DAFTAR_DATABASE_READ_URL", Secret: true, Meaning: "the address of a standby, for reads " +
			"that may be a moment late; those are the dashboard's lists, figures and exports, `events " +
			"export`, `audit verify` and `projections verify`. Not set: the primary"},
		{Name: "DAFTAR_SECRET_KEY", Secret: true, Meaning: "64 hexadecimal characters that encrypt the " +
			"secrets in the database (`openssl rand -hex 32`); required by `serve` and by commands that " +
			"read or write such a secret. Keep a copy elsewhere: without the key the secrets cannot be read"},
		{Name: "DAFTAR_SECRET_KEY_OLD", Secret: true, Meaning: "the secret key that is being replaced; it " +
			"opens what is still encrypted under it until `daftar rekey` has run " +
			"(SECURITY.md#replace-the-secret-key)"},
	}},
	{"Addresses and connections", []Variable{
		{Name: "DAFTAR_LISTEN", Meaning: "`HOST:PORT` of the API, the checkout and the dashboard"},
		{Name: "DAFTAR_PUBLIC_URL", Meaning: "the address that customers and merchants see, scheme and " +
			"host without a path; not set: `http://` and `DAFTAR_LISTEN`"},
		{Name: "DAFTAR_OPS_LISTEN", Meaning: "`HOST:PORT` of `/healthz`, `/readyz`, `/metrics` and " +
			"`/debug/pprof`; keep it private"},
		{Name: "DAFTAR_TRUSTED_PROXIES", Meaning: "addresses and networks, separated by commas, of the " +
			"proxies whose `X-Forwarded-For` is believed; networks wider than `/8`, of IPv6 `/16`, are " +
			"refused unless they are private. Not set: only proxies on this machine"},
		{Name: "DAFTAR_IDLE_TIMEOUT", Meaning: "how long a proxy may keep a connection without a request; " +
			"it has to be longer than the proxy keeps it (docs/deploy.md#what-a-proxy-has-to-do). Other " +
			"clients have a minute at most"},
		{Name: "DAFTAR_DRAIN_DELAY", Meaning: "how long `/readyz` fails before a server that stops takes " +
			"no more connections; it has to be longer than a load balancer needs to notice " +
			"(docs/runbook/cluster.md), and comes before the eight seconds of draining"},
	}},
	{"What is served", []Variable{
		{Name: "DAFTAR_RATE_LIMIT", Meaning: "how many API requests each application may send to one " +
			"server, such as `50/s`, `3000/m` or `50/s,burst=200`; `off`: any number. Not set: `" +
			defaultRate + "`"},
		{Name: "DAFTAR_MAX_APPLICATIONS", Meaning: "how many applications an organisation may have"},
		{Name: "DAFTAR_WEBHOOK_ALLOW_PRIVATE", Meaning: "`true` lets webhooks go to private addresses and " +
			"plain http"},
		{Name: "DAFTAR_SUPPORT_EMAIL", Meaning: "where merchants' developers may ask; the documentation " +
			"and the OpenAPI document show it. Not set: no address is shown"},
		{Name: "DAFTAR_LOG_LEVEL", Meaning: "`trace`, `debug`, `info`, `warn` or `error`; the log is JSON, " +
			"or lines for people on a terminal"},
	}},
	{"The front door", []Variable{
		{Name: "DAFTAR_DEMO_APPLICATION", Meaning: "the uuid of a test application, with which visitors of " +
			"`/` try a payment of 5.000 LYD; it needs the sandbox, and its name is what they see. Not set: " +
			"there is no demonstration"},
		{Name: "DAFTAR_SIGN_UP", Meaning: "`test` lets people open an organisation with a link that goes to " +
			"them by mail; it has test applications only, until `daftar org make-live` (it needs " +
			"`DAFTAR_SMTP_SERVER`)"},
	}},
	{"Acquirers", append([]Variable{
		{Name: "DAFTAR_ACQUIRERS", Meaning: "who takes payments in addition to the accounts of applications " +
			"(docs/acquirers.md); only `sandbox` is possible, for test applications. Not set: `sandbox` where " +
			"`DAFTAR_SANDBOX_URL` is set"},
		{Name: "DAFTAR_SANDBOX_URL", Meaning: "the address of the sandbox acquirer"},
		{Name: "DAFTAR_SANDBOX_SECRET", Secret: true, Meaning: "the secret that the sandbox acquirer " +
			"shares with the server"},
		{Name: "DAFTAR_SANDBOX_LISTEN", Meaning: "`HOST:PORT` of `daftar sandbox-acquirer`"},
	}, explained(acquirerVariables())...)},
	{"Mail", []Variable{
		{Name: "DAFTAR_SMTP_SERVER", Meaning: "`HOST:PORT` of the server that sends mail, such as the " +
			"links of invitations and of forgotten passwords; over STARTTLS (on this machine also " +
			"without), or TLS from the first byte on the ports 465 and 2465 and with `smtps://HOST:PORT`. " +
			"Not set: the inviter is shown the link and hands it over, `user set-password` sets " +
			"passwords, and members are told nothing by mail"},
		{Name: "DAFTAR_SMTP_FROM", Meaning: "the address that mail comes from, such as " +
			"`Daftar <no-reply@pay.example>`"},
		{Name: "DAFTAR_SMTP_USER", Meaning: "the user that signs in to the mail server; not set: nobody " +
			"signs in"},
		{Name: "DAFTAR_SMTP_PASSWORD", Secret: true, Meaning: "that user's password"},
	}},
	{"Checkpoints of the log", []Variable{
		{Name: "DAFTAR_TRANSPARENCY_KEY", Secret: true, Meaning: "the key that signs checkpoints " +
			"(`daftar audit new-key`); not set: the service makes one and keeps it in the database"},
		{Name: "DAFTAR_CHECKPOINT_DIR", Meaning: "a folder that gets every checkpoint; best one in which " +
			"the service cannot overwrite files later"},
		{Name: "DAFTAR_CHECKPOINT_URL", Meaning: "an https address to which checkpoints are posted"},
		{Name: "DAFTAR_WITNESSES", Meaning: "the witnesses that cosign each checkpoint " +
			"(docs/transparency.md#witnesses)"},
	}},
	{"Export and traces", []Variable{
		{Name: "DAFTAR_NATS_URL", Secret: true, Meaning: "NATS servers to whose JetStream the log is " +
			"exported (docs/export.md); not set: it is not exported"},
		{Name: "DAFTAR_NATS_STREAM", Meaning: "the stream in JetStream"},
		{Name: "DAFTAR_NATS_SUBJECTS", Meaning: "what its subjects begin with"},
		{Name: "DAFTAR_NATS_CREDENTIALS", Meaning: "a `.creds` file; not set: nobody signs in"},
		{Name: "DAFTAR_NATS_CA", Meaning: "a file with the certificates that vouch for the servers; not " +
			"set: the machine's"},
		{Name: tracing.Variable, Meaning: "the collector that gets traces by OTLP " +
			"(docs/runbook/README.md); not set: nothing is traced"},
	}},
	{"Trying things out", []Variable{
		{Name: "DAFTAR_CLOCK_OFFSET", Meaning: "shifts the clock, to try expiry with play money, such as " +
			"`48h`; refused next to accounts with acquirers at real addresses"},
	}},
}

// explained are the variables of acquirers as those of the service.
func explained(ofAcquirers []acquirer.Variable) (all []Variable) {
	for _, v := range ofAcquirers {
		all = append(all, Variable{Name: v.Name, Default: v.Default, Meaning: v.Meaning})
	}
	return all
}

// secrets are the variables that may be given by file.
func secrets() (names []string) {
	for _, s := range sections {
		for _, v := range s.Variables {
			if v.Secret {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// missing names a variable that is required, and what belongs into it.
func (p *Problems) missing(name string) {
	for _, s := range sections {
		for _, v := range s.Variables {
			if v.Name == name {
				needed, _, _ := strings.Cut(v.Meaning, "; ")
				p.Addf("%s is missing: %s", name, strings.ReplaceAll(needed, "`", ""))
			}
		}
	}
}

// Help lists the variables, for people at a terminal.
func Help() string {
	var b strings.Builder
	for _, s := range Sections() {
		fmt.Fprintf(&b, "  %s\n\n", s.Title)
		for _, v := range s.Variables {
			name, meaning := v.Name, strings.ReplaceAll(v.Meaning, "`", "")
			if v.Secret {
				name += " *"
			}
			if v.Default != "" {
				meaning += " (" + v.Default + ")"
			}
			fmt.Fprintf(&b, "    %s\n%s", name, indented(meaning))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// indented breaks a text into lines of 80 columns, with eight blanks at the beginning.
func indented(text string) string {
	const indent, columns = "       ", 80
	var b strings.Builder
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > columns && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
