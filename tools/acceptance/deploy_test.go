package acceptance_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"daftar/internal/postgres/pgtest"
)

var (
	metricForm   = regexp.MustCompile(`\b(?:daftar|go|process)_[a-z0-9_]+`)
	exportedForm = regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`)
)

// exported returns the names of a running server's metrics, including the parts of histograms.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_SANDBOX_URL="+hangingUp(t).URL,
		"DAFTAR_SANDBOX_SECRET="+sandboxSecret,
		"DAFTAR_CHECKPOINT_URL=http://127.0.0.1:1", "DAFTAR_NATS_URL=nats://127.0.0.1:1",
		// Nothing listens there: the failures are counted.
		"DAFTAR_SMTP_SERVER=127.0.0.1:1", "DAFTAR_SMTP_FROM=no-reply@pay.example")
	pay(t, s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("metrics")).data.CheckoutURL)
	text := ""
	pgtest.WaitFor(t, "a failure to publish, and a look at the groups", func() bool {
		text = fetch(t, s.ops+"/metrics")
		return strings.Contains(text, "daftar_transparency_publish_failures_total{") &&
			strings.Contains(text, "daftar_feed_halted{")
	})
	names := map[string]bool{}
	for _, m := range exportedForm.FindAllStringSubmatch(text, -1) {
		if m[2] != "histogram" && m[2] != "summary" {
			names[m[1]] = true
			continue
		}
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			names[m[1]+part] = true
		}
	}
	return names
}

type alert struct {
	Alert       string
	Expr        string
	Labels      map[string]string
	Annotations map[string]string
}

func alerts(t *testing.T) []alert {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []alert }
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../deploy/alerts.yml")), &file); err != nil {
		t.Fatal(err)
	}
	return file.Groups[0].Rules
}

// Every metric that the dashboard and the alerts use exists, and every metric of ours is on the
// dashboard.
func TestDashboardAndAlertsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	names := exported(t)
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "../../deploy/grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	shown, ids := map[string]bool{}, map[int]bool{}
	check := func(where, expr string) {
		used := metricForm.FindAllString(expr, -1)
		if len(used) == 0 && !strings.HasPrefix(expr, "up{") {
			t.Errorf("%s asks for no metric: %s", where, expr)
		}
		if strings.Count(expr, "(") != strings.Count(expr, ")") ||
			strings.Count(expr, "{") != strings.Count(expr, "}") {
			t.Errorf("%s: brackets do not match: %s", where, expr)
		}
		for _, name := range used {
			shown[name] = true
			if !names[name] {
				t.Errorf("%s asks for %s, which no server has", where, name)
			}
		}
	}
	for _, p := range dashboard.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			check("panel "+p.Title, target.Expr)
		}
	}
	for _, a := range alerts(t) {
		check(a.Alert, a.Expr)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		if strings.HasPrefix(name, "daftar_") && !shown[name] && !shown[base+"_bucket"] && !shown[base+"_sum"] {
			t.Errorf("%s is on no panel and in no alert", name)
		}
	}
}

// Each alert has a page and each page an alert.
func TestEveryAlertHasItsPage(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/runbook/Daftar*.md")
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, page := range pages {
		left[strings.TrimPrefix(page, "../../")] = true
	}
	for _, a := range alerts(t) {
		page := a.Annotations["runbook"]
		if page != "docs/runbook/"+a.Alert+".md" || !left[page] {
			t.Errorf("%s has no page, or one under another name: %q", a.Alert, page)
			continue
		}
		delete(left, page)
		if s := a.Labels["severity"]; (s != "page" && s != "ticket") || a.Annotations["summary"] == "" {
			t.Errorf("%s has severity %q and summary %q", a.Alert, s, a.Annotations["summary"])
		}
		text := read(t, "../../"+page)
		for _, part := range []string{"# " + a.Alert + "\n", "## Look at\n", "## Do\n", "## Do not\n"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q", page, part)
			}
		}
	}
	for page := range left {
		t.Errorf("%s is about no alert", page)
	}
}

var (
	commandForm = regexp.MustCompile("`daftar ([a-z][^`]*)`")
	linkForm    = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

// Commands that the runbook tells people to type exist, and its links lead
// somewhere.
func TestRunbookIsTrue(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/runbook/*.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]bool{}
	for _, page := range pages {
		text := read(t, page)
		for _, m := range commandForm.FindAllStringSubmatch(text, -1) {
			commands[m[1]] = true
		}
		for _, m := range linkForm.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
	if len(commands) < 10 {
		t.Errorf("the runbook has %d commands; were they moved where this test does not look?", len(commands))
	}
	for command := range commands {
		var words []string
		for word := range strings.FieldsSeq(command) {
			if strings.ToLower(word) != word || strings.HasPrefix(word, "-") {
				break
			}
			words = append(words, word)
		}
		r := call(t, nil, append(words, "--help")...)
		_, usage, _ := strings.Cut(r.out, "Usage:\n  daftar ")
		for n, want := range words {
			got := strings.Fields(usage)
			if len(got) <= n || got[n] != want && !(words[0] == "projections" && n == 2) {
				t.Errorf("there is no command daftar %s", command)
				break
			}
		}
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(command, -1) {
			if !strings.Contains(r.out, flag) {
				t.Errorf("daftar %s: there is no flag %s", command, flag)
			}
		}
	}
}

// The compose files, the units and their settings name no variable that the program does not read.
func TestComposeSetsWhatIsRead(t *testing.T) {
	t.Parallel()
	source := read(t, "../../cmd/daftar/config/config.go")
	for path, wanted := range map[string][]string{
		"../../deploy/compose.yml": {"postgres", "migrate", "sandbox", "daftar"},
		"../../deploy/cluster/compose.yml": {
			"etcd", "postgres-a", "postgres-b", "roles", "migrate", "daftar-a", "daftar-b", "haproxy",
		},
	} {
		var file struct {
			Services map[string]struct{ Environment map[string]string }
		}
		if err := yaml.Unmarshal([]byte(read(t, path)), &file); err != nil {
			t.Fatal(err)
		}
		for _, name := range wanted {
			if _, ok := file.Services[name]; !ok {
				t.Errorf("%s has no service %s", path, name)
			}
		}
		for name, s := range file.Services {
			for variable := range s.Environment {
				if strings.HasPrefix(variable, "DAFTAR_") && !strings.Contains(source, `env:"`+variable+`"`) {
					t.Errorf("%s of %s sets %s, which no program reads", name, path, variable)
				}
			}
		}
	}
	for _, path := range []string{
		"../../deploy/daftar.service", "../../deploy/daftar.env", "../../deploy/daftar-sandbox.service",
		"../../deploy/sandbox.env",
	} {
		for _, variable := range regexp.MustCompile(`DAFTAR_\w+?(?:_FILE)?=`).FindAllString(read(t, path), -1) {
			name := strings.TrimSuffix(strings.TrimSuffix(variable, "="), "_FILE")
			if !strings.Contains(source, `env:"`+name+`"`) {
				t.Errorf("%s sets %s, which no program reads", path, variable)
			}
		}
	}
}

// Everybody may send requests to the sandbox: its unit confines it as the server's does, and gives it
// none of the server's secrets.
func TestSandboxUnitGetsNoSecretsOfTheServer(t *testing.T) {
	t.Parallel()
	server, sandbox := read(t, "../../deploy/daftar.service"), read(t, "../../deploy/daftar-sandbox.service")
	_, confined, _ := strings.Cut(server, "\nDynamicUser=yes\n")
	if confined == "" || !strings.HasSuffix(sandbox, "\nDynamicUser=yes\n"+confined) {
		t.Error("the units are confined in different ways")
	}
	files := regexp.MustCompile(`(?m)^(?:EnvironmentFile|LoadCredential|Environment)=(.*)$`)
	got := files.FindAllString(sandbox, -1)
	if want := []string{"EnvironmentFile=/etc/daftar/sandbox.env"}; !slices.Equal(got, want) {
		t.Errorf("the sandbox gets %q, want %q", got, want)
	}
	// Installations without the sandbox do not have the file.
	if !strings.Contains(server, "\nEnvironmentFile=-/etc/daftar/sandbox.env\n") {
		t.Error("the server does not read the settings of the sandbox, or needs them")
	}
	for line := range strings.Lines(read(t, "../../deploy/sandbox.env")) {
		if line != "\n" && !strings.HasPrefix(line, "#") {
			t.Errorf("the example turns the sandbox on: %s", line)
		}
	}
}

// A server that runs stays ready when the next version migrates the schema.
func TestReadyOnANewerSchema(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	_, err := db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO goose_db_version (version_id, is_applied)
		VALUES (99999, true)`)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.status("/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	if r := call(t, s.env, "serve"); r.code != 1 || !strings.Contains(r.errors, "newer") {
		t.Errorf("a start on a newer schema: exit %d, %s", r.code, r.errors)
	}
}
