package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
)

func auditStories() []Story {
	at := func(v view.Content) page { return inside(view.SectionAudit, v) }
	const request = "3f0c7a52-6f0e-4a51-9c1d-0b7e6c1e9a52"
	record := func(n int, actor string, action accounts.Action, outcome accounts.Outcome,
		detail map[string]any) accounts.AuditRecord {
		return accounts.AuditRecord{
			Position: int64(100 - n), At: now.Add(-time.Duration(n) * 37 * time.Minute), Actor: actor, Action: action,
			Outcome: outcome, Detail: detail, Address: "41.252.16.9", RequestID: request,
		}
	}
	records := []accounts.AuditRecord{
		record(0, ownerIdentity.Email, accounts.ActionRollAPIKey, accounts.Done,
			map[string]any{"name": "المتجر", "api_key_ending": "02fe"}),
		record(1, ownerIdentity.Email, people.ActionSignIn, accounts.Done,
			map[string]any{"second_factor": "authenticator"}),
		record(2, viewerIdentity.Email, accounts.ActionAccess, accounts.Denied,
			map[string]any{"permission": string(accounts.SeeCredentials)}),
		record(3, "unknown", people.ActionSignIn, accounts.Failed,
			map[string]any{"email": ownerIdentity.Email}),
		record(4, ownerIdentity.Email, people.ActionChangeRole, accounts.Done, map[string]any{
			"email": developerIdentity.Email, "from": "viewer", "to": "developer",
		}),
		record(5, developerIdentity.Email, settings.ActionOfferMethods, accounts.Done, map[string]any{
			"name": "المتجر", "acquirer": "plutu", "methods": []any{"adfali", "cards"},
		}),
		{
			Position: 1, At: now.AddDate(0, -9, 0), Actor: "operator:root", Action: accounts.ActionCreateOrganization,
			Outcome: accounts.Done, Detail: map[string]any{"name": "مقهى الميدان"},
		},
	}
	return []Story{
		{"audit", at(view.AuditPage{Records: records, Older: 1})},
		{"audit-filtered", at(view.AuditPage{
			Records: records[3:4], Later: true,
			Filter: view.AuditFilter{Action: "sign_in", Outcome: "failed", Since: "2026-11-01"},
		})},
		{"audit-nothing", at(view.AuditPage{Filter: view.AuditFilter{Actor: "nobody@maydan.example"}})},
		{"audit-bad-day", at(view.AuditPage{FormErrors: view.BadDay("since", "2026-13-01")})},
	}
}
