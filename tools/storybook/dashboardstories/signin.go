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
		{"sign-in-passkey", page{View: view.SignInPage{PasskeyForm: passkey("/sign-in/passkey")}}},
		{"sign-in-passkey-wrong", page{View: view.SignInPage{PasskeyForm: passkey("/sign-in/passkey"), Refusal: view.Refusal{FormErrors: view.WrongPasskey}}}},
		{"sign-in-chosen", page{View: view.SignInPage{Email: "new@maydan.example", Next: "/dashboard/invitations/x", Chosen: true}}},
		{"sign-in-wrong", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{FormErrors: view.WrongPassword}}}},
		{"sign-in-too-often", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{Retry: wait}}}},
		{"sign-in-busy", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{Retry: view.Retry{After: 5 * time.Second, At: now, Busy: true}}}}},
		{"signed-out", page{View: view.SignInPage{}, Notice: "signed-out"}},
		{"code", page{View: view.CodePage{Code: true}}},
		{"code-or-passkey", page{View: view.CodePage{Code: true, PasskeyForm: passkey("/code/passkey")}}},
		{"code-passkey", page{View: view.CodePage{PasskeyForm: passkey("/code/passkey")}}},
		{"code-passkey-late", page{View: view.CodePage{PasskeyForm: passkey("/code/passkey"), Refusal: view.Refusal{FormErrors: view.LatePasskey}}}},
		{"code-wrong", page{View: view.CodePage{Code: true, Refusal: view.Refusal{FormErrors: view.WrongCode}}}},
		{"code-too-often", page{View: view.CodePage{Code: true, Refusal: view.Refusal{Retry: view.Retry{After: 8 * time.Second, At: now}}}}},
		{"confirm", inside(view.SectionNone, view.ConfirmPage{Email: owner})},
		{"confirm-with-code", inside(view.SectionNone, view.ConfirmPage{Email: owner, Factor: true, Refusal: view.Refusal{FormErrors: view.WrongCode}})},
		{"confirm-passkey", inside(view.SectionNone, view.ConfirmPage{Email: owner, Passkey: true, PasskeyForm: passkey("/confirm/passkey")})},
		{"confirm-or-passkey", inside(view.SectionNone, view.ConfirmPage{Email: owner, PasskeyForm: passkey("/confirm/passkey")})},
		{"confirm-wrong", inside(view.SectionNone, view.ConfirmPage{Email: owner, Refusal: view.Refusal{FormErrors: view.WrongOwnPassword("password")}})},
	}
}

// passkey is a form for a passkey.
func passkey(path string) view.PasskeyForm { return view.PasskeyForm{PasskeyPath: view.Root + path} }
