package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"daftar/cmd/daftar/config"
)

const aboutVariables = `# Variables

<!-- Written by go generate ./docs from cmd/daftar/config and the descriptions of acquirers; change those. -->

Every setting of ` + "`daftar`" + ` is a variable of the environment;
[deploy/daftar.env](../../deploy/daftar.env) is an example. Where variables are wrong or missing, all of them
are named at once, and the exit code is 2. ` + "`daftar doctor`" + ` checks them against the database.
` + "`daftar serve --help`" + ` has this list, too.

The value of a variable marked \* may be in a file instead: ` + "`DAFTAR_SECRET_KEY_FILE`" + ` has the path
of the file with the value of ` + "`DAFTAR_SECRET_KEY`" + `. Line ends at the end of a value are ignored.

[` + "`daftar listen`" + `](commands.md#daftar-listen) and
[` + "`daftar-dev trigger`" + `](commands.md#daftar-dev-trigger) need no database: they read where the API is,
and the credentials for it.
`

// variables returns the text of docs/operate/variables.md.
func variables() string {
	var b strings.Builder
	b.WriteString(aboutVariables)
	for _, s := range config.Sections() {
		fmt.Fprintf(&b, "\n## %s\n\n| variable | default | meaning |\n|---|---|---|\n", s.Title)
		for _, v := range s.Variables {
			name, value := "`"+v.Name+"`", ""
			if v.Secret {
				name += ` \*`
			}
			if v.Default != "" {
				value = "`" + v.Default + "`"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, value, linked(v.Meaning))
		}
	}
	return b.String()
}

var documentForm = regexp.MustCompile(`((?:docs/[\w./-]*)?\w+\.md)(#[\w-]+)?`)

// linked turns the names of documents into links, relative to docs/operate.
func linked(meaning string) string {
	return documentForm.ReplaceAllStringFunc(meaning, func(name string) string {
		parts := documentForm.FindStringSubmatch(name)
		way, err := filepath.Rel("docs/operate", parts[1])
		if err != nil {
			panic(err) // cannot fail: both are relative
		}
		return fmt.Sprintf("[%s](%s%s)", strings.TrimPrefix(parts[1], "docs/"), filepath.ToSlash(way), parts[2])
	})
}
