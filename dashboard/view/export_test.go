package view

import (
	"daftar/accounts"
	"daftar/internal/web"
)

// TextsIn are all words in a language, to be looked through by reflection.
func TextsIn(l web.Lang) any { return *textsIn(l) }

// ActionIn is what the audit trail calls an action.
func ActionIn(l web.Lang, a accounts.Action) string { return textsIn(l).Audit.Actions[a] }

// PermissionIn is what the audit trail calls a permission.
func PermissionIn(l web.Lang, p accounts.Permission) string {
	return textsIn(l).Audit.Permissions[p]
}
