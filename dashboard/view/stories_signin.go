package view

import "time"

func signInStories() []story {
	wait := Retry{After: 4 * time.Minute, At: storyTime.Add(4 * time.Minute)}
	owner := storyOwner.Email
	return []story{
		{"sign-in", Page{Sandbox: true, View: SignInPage{}}},
		{"sign-in-wrong", Page{View: SignInPage{Email: owner, Refused: RefusedPassword}}},
		{"sign-in-too-often", Page{View: SignInPage{Email: owner, Refused: RefusedNow, Retry: wait}}},
		{"signed-out", Page{View: SignInPage{}, Notice: "signed-out"}},
		{"code", Page{View: CodePage{}}},
		{"code-wrong", Page{View: CodePage{Refused: RefusedCode}}},
		{"code-too-often", Page{View: CodePage{Refused: RefusedNow, Retry: Retry{After: 8 * time.Second, At: storyTime}}}},
		{"confirm", inside(SectionNone, ConfirmPage{Email: owner})},
		{"confirm-with-code", inside(SectionNone, ConfirmPage{Email: owner, Factor: true, Refused: RefusedCode})},
		{"confirm-wrong", inside(SectionNone, ConfirmPage{Email: owner, Refused: RefusedPassword})},
	}
}
