package dashboardstories

import (
	"time"

	"daftar/accounts/people"
	"daftar/dashboard/view"
)

func signInStories() []Story {
	wait := view.Retry{After: 4 * time.Minute, At: now.Add(4 * time.Minute)}
	owner := ownerIdentity.Email
	const token = "Zm9yLXRoZS1zdG9yeWJvb2stb25seS1ub3QtYS10b2tlbg"
	resetting := view.ResetPage{
		Reset:  people.PasswordReset{Email: owner, ExpiresAt: now.Add(time.Hour)},
		Action: view.ResetPath(token),
	}
	wrong := resetting
	wrong.FormErrors = view.BadPassword(people.PasswordTooShort)
	opening := view.OpenPage{
		SignUp: people.SignUp{Email: owner, ExpiresAt: now.Add(people.SignUpLasts)},
		Action: view.SignUpLinkPath(token),
	}
	unnamed := opening
	unnamed.Name = "مقهى الميدان"
	unnamed.FormErrors = view.BadPassword(people.PasswordTooShort)
	return []Story{
		{"sign-in", page{Sandbox: true, View: view.SignInPage{}}},
		{"sign-in-passkey", page{View: view.SignInPage{PasskeyForm: passkey("/sign-in/passkey")}}},
		{"sign-in-passkey-wrong", page{View: view.SignInPage{
			PasskeyForm: passkey("/sign-in/passkey"), Refusal: view.Refusal{FormErrors: view.WrongPasskey},
		}}},
		{"sign-in-chosen", page{View: view.SignInPage{
			Email: "new@maydan.example", Next: "/dashboard/invitations/x", Chosen: true,
		}}},
		{"sign-in-wrong", page{View: view.SignInPage{
			Email: owner, Refusal: view.Refusal{FormErrors: view.WrongPassword},
		}}},
		{"sign-in-too-often", page{View: view.SignInPage{Email: owner, Refusal: view.Refusal{Retry: wait}}}},
		{"sign-in-busy", page{View: view.SignInPage{
			Email: owner, Refusal: view.Refusal{Retry: view.Retry{After: 5 * time.Second, At: now, Busy: true}},
		}}},
		{"sign-in-by-mail", page{View: view.SignInPage{ByMail: true}}},
		{"forgotten", page{View: view.ForgottenPage{}}},
		{"forgotten-wrong", page{View: view.ForgottenPage{
			Email: "nobody", Refusal: view.Refusal{FormErrors: view.BadEmail},
		}}},
		{"forgotten-too-often", page{View: view.ForgottenPage{Email: owner, Refusal: view.Refusal{Retry: wait}}}},
		{"reset-sent", page{View: view.ResetSentPage{Email: owner}}},
		{"reset", page{View: resetting}},
		{"reset-short", page{View: wrong}},
		{"reset-over", page{View: view.ResetOver{CanAsk: true}}},
		{"reset-over-without-mail", page{View: view.ResetOver{}}},
		{"reset-done", page{View: view.SignInPage{ByMail: true}, Notice: "password-reset"}},
		{"sign-in-sign-up", page{View: view.SignInPage{ByMail: true, SignUp: true}}},
		{"sign-up", page{View: view.SignUpPage{}}},
		{"sign-up-wrong", page{View: view.SignUpPage{
			Email: "nobody", Refusal: view.Refusal{FormErrors: view.BadEmail},
		}}},
		{"sign-up-too-often", page{View: view.SignUpPage{Email: owner, Refusal: view.Refusal{Retry: wait}}}},
		{"sign-up-sent", page{View: view.ResetSentPage{Email: owner, SignUp: true}}},
		{"open", page{View: opening}},
		{"open-short", page{View: unnamed}},
		{"sign-up-over", page{View: view.ResetOver{CanAsk: true, SignUp: true}}},
		{"signed-out", page{View: view.SignInPage{}, Notice: "signed-out"}},
		{"code", page{View: view.CodePage{Code: true}}},
		{"code-or-passkey", page{View: view.CodePage{Code: true, PasskeyForm: passkey("/code/passkey")}}},
		{"code-passkey", page{View: view.CodePage{PasskeyForm: passkey("/code/passkey")}}},
		{"code-passkey-late", page{View: view.CodePage{
			PasskeyForm: passkey("/code/passkey"), Refusal: view.Refusal{FormErrors: view.LatePasskey},
		}}},
		{"code-wrong", page{View: view.CodePage{Code: true, Refusal: view.Refusal{FormErrors: view.WrongCode}}}},
		{"code-too-often", page{View: view.CodePage{
			Code: true, Refusal: view.Refusal{Retry: view.Retry{After: 8 * time.Second, At: now}},
		}}},
		{"confirm", inside(view.SectionNone, view.ConfirmPage{Email: owner})},
		{"confirm-with-code", inside(view.SectionNone,
			view.ConfirmPage{Email: owner, Factor: true, Refusal: view.Refusal{FormErrors: view.WrongCode}})},
		{"confirm-passkey", inside(view.SectionNone,
			view.ConfirmPage{Email: owner, Passkey: true, PasskeyForm: passkey("/confirm/passkey")})},
		{"confirm-or-passkey", inside(view.SectionNone,
			view.ConfirmPage{Email: owner, PasskeyForm: passkey("/confirm/passkey")})},
		{"confirm-wrong", inside(view.SectionNone,
			view.ConfirmPage{Email: owner, Refusal: view.Refusal{FormErrors: view.WrongOwnPassword("password")}})},
	}
}

// passkey is a form for a passkey.
func passkey(path string) view.PasskeyForm { return view.PasskeyForm{PasskeyPath: view.Root + path} }
