package dashboard

import "time"

func signInStories() []story {
	wait := retry{After: 4 * time.Minute, At: storyTime.Add(4 * time.Minute)}
	owner := storyOwner.Email
	return []story{
		{"sign-in", page{Sandbox: true, View: signInView{}}},
		{"sign-in-wrong", page{View: signInView{Email: owner, Refused: refusedPassword}}},
		{"sign-in-too-often", page{View: signInView{Email: owner, Refused: refusedNow, Retry: wait}}},
		{"signed-out", page{View: signInView{}, Notice: "signed-out"}},
		{"code", page{View: codeView{}}},
		{"code-wrong", page{View: codeView{Refused: refusedCode}}},
		{"code-too-often", page{View: codeView{Refused: refusedNow, Retry: retry{After: 8 * time.Second, At: storyTime}}}},
		{"confirm", inside(sectionNone, confirmView{Email: owner})},
		{"confirm-with-code", inside(sectionNone, confirmView{Email: owner, Factor: true, Refused: refusedCode})},
		{"confirm-wrong", inside(sectionNone, confirmView{Email: owner, Refused: refusedPassword})},
	}
}
