package view

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"daftar/docs"
)

//go:embed snippets/*.tmpl
var snippetFiles embed.FS

// snippetLanguage is a programming language of the code on the page for developers.
type snippetLanguage struct {
	Name string // also in addresses, in lower case
	file string
	// fence is the guide's block with the verifier; empty: there is none.
	fence string
}

// SnippetLanguages are the languages in the order of the page.
var SnippetLanguages = []snippetLanguage{
	{"curl", "curl", ""},
	{"PHP", "php", "php"},
	{"Node", "node", "js"},
	{"Python", "python", "python"},
	{"Go", "go", "go"},
}

// Key names the language in addresses.
func (l snippetLanguage) Key() string { return strings.ToLower(l.Name) }

// LanguageByKey is the language with the key, or the first.
func LanguageByKey(key string) snippetLanguage {
	n := slices.IndexFunc(SnippetLanguages, func(l snippetLanguage) bool { return l.Key() == key })
	return SnippetLanguages[max(n, 0)]
}

// SnippetValues are the values that are inserted into the code.
type SnippetValues struct {
	BaseURL     string
	Application string // in comments
	KeyEnding   string
	Verifier    string // set by SnippetsFor
}

// snippets are pieces of code that work once the secrets are in the environment.
type snippets struct {
	Setup, Create, Retrieve, Receive string
	Verify                           string // a separate file; empty: it is in Receive
}

// snippetTemplates are parsed at start; tests check that they parse.
var snippetTemplates = func() map[string]*template.Template {
	all := make(map[string]*template.Template)
	for _, name := range []string{"setup", "curl", "php", "node", "python", "go"} {
		all[name] = template.Must(template.New(name).Option("missingkey=error").
			ParseFS(snippetFiles, "snippets/"+name+".tmpl"))
	}
	return all
}()

// SnippetsFor is the code in a language.
func SnippetsFor(l snippetLanguage, values SnippetValues) (snippets, error) {
	values.Application = inComment(values.Application)
	values.Verifier = strings.TrimSuffix(verifier(l.fence), "\n")
	var all snippets
	for _, part := range []struct {
		file, name string
		to         *string
	}{
		{"setup", "setup", &all.Setup},
		{l.file, "create", &all.Create},
		{l.file, "retrieve", &all.Retrieve},
		{l.file, "receive", &all.Receive},
		{l.file, "verify", &all.Verify},
	} {
		t := snippetTemplates[part.file].Lookup(part.name)
		if t == nil {
			continue
		}
		var out strings.Builder
		if err := t.Execute(&out, values); err != nil {
			return snippets{}, fmt.Errorf("write code in %s: %w", l.Name, err)
		}
		*part.to = strings.TrimSpace(out.String()) + "\n"
	}
	return all, nil
}

// inComment is a name made safe for a comment in any of the languages: users choose names, and
// none may end the comment.
func inComment(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == 0x85 || r == '\u2028' || r == '\u2029'
	}), " ")
	return strings.ReplaceAll(name, "?>", "?")
}

// verifier is the code that checks a signature, from the guide to webhooks.
func verifier(fence string) string {
	if fence == "" {
		return ""
	}
	code := regexp.MustCompile("(?ms)^```" + regexp.QuoteMeta(fence) + "\n(.*?)^```$")
	found := code.FindStringSubmatch(docs.Webhooks)
	if found == nil {
		panic("view: the guide to webhooks has no verifier in " + fence)
	}
	return found[1]
}
