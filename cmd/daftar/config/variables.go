package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

	"daftar/internal/tracing"
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

// cutLineEnds leaves blanks: a password may end with one.
func cutLineEnds(value string) string { return strings.TrimRight(value, "\r\n") }

// secrets may be given by file.
var secrets = []string{
	"DAFTAR_DATABASE_URL", "DAFTAR_DATABASE_READ_URL", "DAFTAR_SECRET_KEY", "DAFTAR_SECRET_KEY_OLD",
	"DAFTAR_SANDBOX_SECRET", "DAFTAR_TRANSPARENCY_KEY", "DAFTAR_NATS_URL", "DAFTAR_SMTP_PASSWORD",
}

// meaning is what a variable is for. README.md says more of each.
type meaning struct{ name, text string }

// meanings are in the order in which people read of variables.
func meanings() []meaning {
	all := slices.Clone(ofServer)
	for _, v := range acquirerVariables() {
		all = append(all, meaning{v.Name, v.Meaning})
	}
	return append(all, ofOthers...)
}

// ofServer are the variables before those of acquirers, and ofOthers those after them.
var ofServer = []meaning{
	{"DAFTAR_DATABASE_URL", "the database, postgres://USER:PASSWORD@HOST:PORT/DATABASE; required"},
	{"DAFTAR_DATABASE_READ_URL", "a standby of it, for what may be a moment late; none: the primary"},
	{"DAFTAR_SECRET_KEY", "64 hexadecimal characters that encrypt secrets; required"},
	{"DAFTAR_SECRET_KEY_OLD", "the key that is being replaced (daftar rekey)"},
	{"DAFTAR_LISTEN", "HOST:PORT of the API, the checkout and the dashboard"},
	{"DAFTAR_PUBLIC_URL", "what people see: scheme and host; none: http:// and DAFTAR_LISTEN"},
	{"DAFTAR_SUPPORT_EMAIL", "where merchants' developers may ask; none: nowhere"},
	{"DAFTAR_OPS_LISTEN", "HOST:PORT of /healthz, /readyz and /metrics; keep it private"},
	{"DAFTAR_DRAIN_DELAY", "for how long /readyz fails before a server that stops closes"},
	{"DAFTAR_IDLE_TIMEOUT", "how long a proxy may keep an idle connection"},
	{"DAFTAR_TRUSTED_PROXIES", "addresses of proxies on other machines, separated by commas"},
	{"DAFTAR_LOG_LEVEL", "trace to error"},
	{"DAFTAR_RATE_LIMIT", "API requests of an application; none: " + defaultRate},
	{"DAFTAR_MAX_APPLICATIONS", "how many applications an organisation may have"},
	{"DAFTAR_WEBHOOK_ALLOW_PRIVATE", "true: webhooks may go to private addresses"},
	{"DAFTAR_ACQUIRERS", "who takes the money of all applications: sandbox, or nobody"},
	{"DAFTAR_SANDBOX_URL", "where the sandbox acquirer is"},
	{"DAFTAR_SANDBOX_SECRET", "what the sandbox acquirer shares with the server"},
	{"DAFTAR_SANDBOX_LISTEN", "HOST:PORT of daftar sandbox-acquirer"},
}

var ofOthers = []meaning{
	{"DAFTAR_SMTP_SERVER", "HOST:PORT of the server that sends mail; none: no mail is sent"},
	{"DAFTAR_SMTP_FROM", "the address that mail comes from"},
	{"DAFTAR_SMTP_USER", "who signs in to the mail server; none: nobody"},
	{"DAFTAR_SMTP_PASSWORD", "that user's password"},
	{"DAFTAR_TRANSPARENCY_KEY", "the key that signs checkpoints; none: one in the database"},
	{"DAFTAR_CHECKPOINT_DIR", "a folder that gets checkpoints; none: no folder"},
	{"DAFTAR_CHECKPOINT_URL", "an https address that gets checkpoints; none: nobody"},
	{"DAFTAR_WITNESSES", "witnesses that are to cosign checkpoints; none: nobody"},
	{"DAFTAR_NATS_URL", "NATS servers to which the log is exported; none: it is not"},
	{"DAFTAR_NATS_STREAM", "the stream in JetStream"},
	{"DAFTAR_NATS_SUBJECTS", "what its subjects begin with"},
	{"DAFTAR_NATS_CREDENTIALS", "a .creds file; none: nobody signs in"},
	{"DAFTAR_NATS_CA", "certificates that vouch for the servers; none: the machine's"},
	{"DAFTAR_CLOCK_OFFSET", "shifts the clock, for trying things out with play money"},
	{tracing.Variable, "a collector that gets traces by OTLP; none: nothing is traced"},
}

// Names are the variables that Read knows, with their defaults; empty where there is none, or one
// that depends on others.
func Names() map[string]string {
	all := map[string]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[environment]()) {
		if name := f.Tag.Get("env"); name != "" {
			all[name] = f.Tag.Get("envDefault")
		}
	}
	for _, v := range acquirerVariables() {
		all[v.Name] = v.Default
	}
	return all
}

// Help lists the variables, for people.
func Help() string {
	var b strings.Builder
	defaults := Names()
	for _, v := range meanings() {
		name, meaning := v.name, v.text
		if slices.Contains(secrets, name) {
			name += " *"
		}
		if given := defaults[v.name]; given != "" {
			meaning += " (" + given + ")"
		}
		fmt.Fprintf(&b, "    %s\n        %s\n", name, meaning)
	}
	return b.String()
}
