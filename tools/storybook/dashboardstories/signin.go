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
		{"sign-in-wrong", page{View: view.SignInPage{Email: owner, Refused: view.RefusedPassword}}},
		{"sign-in-too-often", page{View: view.SignInPage{Email: owner, Refused: view.RefusedNow, Retry: wait}}},
		{"signed-out", page{View: view.SignInPage{}, Notice: "signed-out"}},
		{"code", page{View: view.CodePage{}}},
		{"code-wrong", page{View: view.CodePage{Refused: view.RefusedCode}}},
		{"code-too-often", page{View: view.CodePage{Refused: view.RefusedNow, Retry: view.Retry{After: 8 * time.Second, At: now}}}},
		{"confirm", inside(view.SectionNone, view.ConfirmPage{Email: owner})},
		{"confirm-with-code", inside(view.SectionNone, view.ConfirmPage{Email: owner, Factor: true, Refused: view.RefusedCode})},
		{"confirm-wrong", inside(view.SectionNone, view.ConfirmPage{Email: owner, Refused: view.RefusedPassword})},
	}
}
