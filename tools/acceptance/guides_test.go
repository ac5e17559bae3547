package acceptance_test

import (
	"path/filepath"
	"strings"
)

// guides does what the other guides say, each in a terminal of its own: the commands run,
// and print each line that the guide shows as theirs.
func (q *quickStart) guides() {
	q.t.Helper()
	files, err := filepath.Glob("../../docs/*.ar.md") // each has an English edition with the same code
	if err != nil {
		q.t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ar.md")
		if name == "quickstart" || name == "webhooks" { // TestQuickStart and tools/docs/verifiers run theirs
			continue
		}
		script, shown := q.setup, ""
		for _, s := range snippetsOf(read(q.t, "../../docs/"+name+".md")) {
			switch s.language {
			case "sh":
				script += s.source
				ran++
			case "text":
				shown += s.source
			case "", "sql": // a picture, and a statement that sample shops have
			default:
				q.t.Errorf("%s.md has a piece of %s that nothing runs", name, s.language)
			}
		}
		if script == q.setup {
			continue
		}
		printed := q.run(script)
		for line := range strings.Lines(shown) {
			if line = strings.TrimSpace(line); !strings.Contains(printed, line) {
				q.t.Errorf("%s.md shows %q, and its commands print\n%s", name, line, printed)
			}
		}
	}
	if ran < 9 {
		q.t.Errorf("only %d pieces of the guides were run", ran)
	}
}
