package view

import "daftar/accounts"

// DevelopersPage is the developers' corner.
type DevelopersPage struct {
	BaseURL      string
	Steps        []Step
	Applications []accounts.Credentials
	At           *accounts.Credentials // the one that the code is for; nil: there is none yet
	Languages    []snippetLanguage
	Language     snippetLanguage
	Code         snippets
}

func (DevelopersPage) template() string { return "developers" }

func (DevelopersPage) title(t *Texts) string { return t.Sections.Developers }

// Chosen says which application the code is for.
func (p DevelopersPage) Chosen(a accounts.Credentials) bool { return p.At != nil && p.At.ID == a.ID }

// Done is how many steps are behind the developer.
func (p DevelopersPage) Done() int {
	done := 0
	for _, s := range p.Steps {
		if s.Done {
			done++
		}
	}
	return done
}

// stepName is a step towards the first payment.
type stepName uint8

// The steps, in their order.
const (
	StepApplication stepName = iota
	StepToken
	StepIntent
	StepPaid
	StepURL
	StepDelivered
)

// Step is one of the checklist; facts tick it, never the reader.
type Step struct {
	Name stepName
	Done bool
	Path string // where it is done, below the organisation; empty: not in the dashboard
}

// SandboxPage says what the sandbox does with which number and code.
type SandboxPage struct {
	On bool // payments of this installation go to the sandbox
}

func (SandboxPage) template() string { return "sandbox" }

func (SandboxPage) title(t *Texts) string { return t.Developers.Sandbox }

// sandboxRow is a number, a code or a button, and what it does.
type sandboxRow struct{ What, Does string }
