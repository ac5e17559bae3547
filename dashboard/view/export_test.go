package view

import (
	"fmt"

	"daftar/accounts"
	"daftar/internal/locale"
	"daftar/reconcile"
	"daftar/webhooks"
)

// TextsIn are all texts in a language, for tests by reflection: the shared ones, and those of single
// pages.
func TextsIn(l locale.Lang) any {
	all := []any{*textsIn(l)}
	for _, of := range own {
		all = append(all, of(l))
	}
	return all
}

// Unnamed are the values of each kind for which a page has no text in a language.
func Unnamed(l locale.Lang) (missing []string) {
	t := textsIn(l)
	want := func(words string, value any) {
		if words == "" {
			missing = append(missing, fmt.Sprintf("%T %v", value, value))
		}
	}
	for _, r := range accounts.Roles {
		want(t.Roles[r], r)
		want(t.People.Allowed[r], r)
	}
	for s := StepApplication; s <= StepLink; s++ {
		want(t.Developers.Asks[s], s)
	}
	for _, s := range spans {
		want(t.Money.SpanNames[s], s)
	}
	return missing
}

// ActionIn is the audit trail's name of an action.
func ActionIn(l locale.Lang, a accounts.Action) string { return textsIn(l).Audit.Actions[a] }

// PermissionIn is the audit trail's name of a permission.
func PermissionIn(l locale.Lang, p accounts.Permission) string {
	return textsIn(l).Audit.Permissions[p]
}

// KindIn and ProblemIn are the texts of a finding and of a problem on the page of a comparison.
func KindIn(l locale.Lang, k reconcile.Kind) string { return textsIn(l).Reconcile.Kinds[k].Name }

func ProblemIn(l locale.Lang, p reconcile.Problem) string { return textsIn(l).Reconcile.Problems[p] }

// AcquirerIn is an acquirer's name.
func AcquirerIn(l locale.Lang, name string) string { return textsIn(l).Acquirers.Name(name) }

// OutcomeIn is the text of the outcome of a try to send a webhook.
func OutcomeIn(l locale.Lang, r webhooks.Try) string { return textsIn(l).Applications.Outcome(r) }

// ChangeOf is the pill of a change.
func ChangeOf(now, before int64) (text, class string) {
	p := rendering{}.Change(now, before)
	return p.Text, p.Class
}
