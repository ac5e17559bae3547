package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
)

// Report is the result of a run.
type Report struct {
	OK      bool    `json:"ok"`
	Seed    uint64  `json:"seed"`
	Minutes float64 `json:"minutes"`
	// Promotions and Creates are those of the Config.
	Promotions int               `json:"promotions,omitempty"`
	Creates    int64             `json:"creates,omitempty"`
	Started    time.Time         `json:"started"`
	Machine    string            `json:"machine"`
	Dir        string            `json:"dir,omitempty"` // where logs are kept; empty: they were removed
	Verdicts   []checker.Verdict `json:"verdicts"`
	Figures    []Figure          `json:"figures"`
	Counters   map[string]int64  `json:"counters"`
	Faults     []history.Fault   `json:"faults"`
	NoDisk     bool              `json:"f8_left_out"`
}

func (n *nemesis) report(verdicts []checker.Verdict, figures []Figure) Report {
	run := n.recorder.Run()
	r := Report{
		OK: true, Seed: n.Seed, Minutes: n.Length.Minutes(),
		Promotions: n.Promotions, Creates: n.Creates,
		Started: run.Started.UTC(), Machine: machine(), Dir: n.dir,
		Verdicts: verdicts, Figures: figures, Counters: run.Counters, Faults: run.Faults,
		NoDisk: n.wal == nil && n.Promotions == 0,
	}
	for _, v := range verdicts {
		r.OK = r.OK && v.OK
	}
	for _, f := range figures {
		r.OK = r.OK && (f.Passed || !n.Marks)
	}
	return r
}

func (r Report) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// machine describes the hardware and the software of the run.
func machine() string {
	model := "unknown processor"
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%d cores of %s, %s, %s", runtime.NumCPU(), model, runtime.GOOS, runtime.Version())
}

// Print writes the report for people.
func (r Report) Print(to io.Writer) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	for _, v := range r.Verdicts {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", mark(v.OK), v.ID, v.Name, v.Looked, shown(v))
	}
	fmt.Fprintln(w)
	for _, f := range r.Figures {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", mark(f.Passed), f.Name, f.Value, f.Mark)
	}
	fmt.Fprintln(w)
	for _, name := range slices.Sorted(maps.Keys(r.Counters)) {
		fmt.Fprintf(w, "\t%s\t%d\n", name, r.Counters[name])
	}
	_ = w.Flush()
	if r.NoDisk {
		fmt.Fprintln(to, "\nF8 (no room on the disk) was left out: only root can mount a small one.")
	}
	if r.Dir != "" {
		fmt.Fprintf(to, "\nLogs, the database and report.json are in %s.\n", r.Dir)
	}
	word := "every promise was kept"
	if !r.OK {
		word = "A PROMISE WAS BROKEN, or nothing was proved"
	}
	fmt.Fprintf(to, "\n%s. Again: %s\n", word, r.again())
}

// again is the command that repeats the run.
func (r Report) again() string {
	text := fmt.Sprintf("make torture SEED=%d MINUTES=%.4g", r.Seed, r.Minutes)
	if r.Promotions > 0 {
		text += fmt.Sprintf(" TORTURE='-promotions %d -creates %d'", r.Promotions, r.Creates)
	}
	return text
}

func mark(ok bool) string {
	if ok {
		return "ok "
	}
	return "BAD"
}

// shown is the detail of a verdict on one line, shortened.
func shown(v checker.Verdict) string {
	const most = 2000
	text := strings.ReplaceAll(strings.ReplaceAll(v.Detail, "\n", " "), "\t", " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	return text
}

// Markdown is the report as a section of a document.
func (r Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s, seed %d, %.4g minutes", r.Started.Format("2006-01-02"), r.Seed, r.Minutes)
	if r.Promotions > 0 {
		fmt.Fprintf(&b, ", %d promotions", r.Promotions)
	}
	fmt.Fprintf(&b, "\n\n%s; version %s. Repeat it with `%s`.\n\n", r.Machine, commit(), r.again())
	if r.NoDisk {
		b.WriteString("F8 was left out: not run as root.\n\n")
	}
	b.WriteString("| | invariant | looked at | |\n|---|---|---:|---|\n")
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", v.ID, cell(v.Name), v.Looked, verdictCell(v))
	}
	b.WriteString("\n| measured | | mark |\n|---|---|---|\n")
	for _, f := range r.Figures {
		missed := ""
		if !f.Passed {
			missed = " **missed**"
		}
		fmt.Fprintf(&b, "| %s | %s%s | %s |\n", cell(f.Name), cell(f.Value), missed, cell(f.Mark))
	}
	b.WriteString("\n| happened | times |\n|---|---:|\n")
	for _, name := range slices.Sorted(maps.Keys(r.Counters)) {
		fmt.Fprintf(&b, "| %s | %d |\n", cell(name), r.Counters[name])
	}
	return b.String()
}

func verdictCell(v checker.Verdict) string {
	if v.OK {
		return "ok"
	}
	return "**broken**: " + cell(shown(v))
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// commit is the version of the working copy; "unknown" if that is not a repository.
func commit() string {
	c := exec.Command("git", "describe", "--tags", "--always", "--dirty") //nolint:noctx // it reads local files
	text, err := c.Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
