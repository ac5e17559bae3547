package dashboardstories

import (
	"daftar/dashboard/view"
	"time"
)

func signInStories() []Story {
	wait := view.Retry{After: 4 * time.Minute, At: now.Add(4 * time.Minute)}
	owner := ownerIdentity.Email
	return []Story{
		{"sign-in", page{Sandbox: true, View: view.SignInPage{}}},
		{"sign-in-chosen", page{View: view.SignInPage{Email: "new@maydan.example", Next: "/dashboard/invitations/x", Chosen: true}}},
		{"sign-in-wrong", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{FormErrors: view.WrongPassword}}}},
		{"sign-in-too-often", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{Retry: wait}}}},
		{"sign-in-busy", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{Retry: view.Retry{After: 5 * time.Second, At: now, Busy: true}}}}},
		{"signed-out", page{View: view.SignInPage{}, Notice: "signed-out"}},
		{"code", page{View: view.CodePage{}}},
		{"code-wrong", page{View: view.CodePage{Refusal: view.Refusal{FormErrors: view.WrongCode}}}},
		{"code-too-often", page{View: view.CodePage{Refusal: view.Refusal{Retry: view.Retry{After: 8 * time.Second, At: now}}}}},
		{"confirm", inside(view.SectionNone, view.ConfirmPage{Email: owner})},
		{"confirm-with-code", inside(view.SectionNone, view.ConfirmPage{Email: owner, Factor: true, Refusal: view.Refusal{FormErrors: view.WrongCode}})},
		{"confirm-wrong", inside(view.SectionNone, view.ConfirmPage{Email: owner, Refusal: view.Refusal{FormErrors: view.WrongOwnPassword("password")}})},
	}
}
