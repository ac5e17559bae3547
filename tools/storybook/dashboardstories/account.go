package dashboardstories

import (
	"strings"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

// totpURI is what an authenticator app would scan. Its secret belongs to no account.
const totpURI = "otpauth://totp/Daftar:owner%40maydan.example" +
	"?algorithm=SHA1&digits=6&issuer=Daftar&period=30&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

func accountStories() []Story {
	at := func(v view.Content) page { return inside(view.SectionAccount, v) }
	user := people.User{
		Email: ownerIdentity.Email, SecondFactor: true, RecoveryCodes: 9,
		Memberships: []people.Membership{
			{Organization: organization.ID, Name: organization.Name, Role: accounts.RoleOwner},
			{
				Organization: accounts.OrganizationID(fixedUUID(2)), Name: "Tripoli Books",
				Role: accounts.RoleViewer,
			},
		},
	}
	fresh := user
	fresh.SecondFactor = false
	signIns := []accounts.AuditRecord{
		{At: now, Address: "41.252.16.9", Outcome: accounts.Done},
		{At: now.Add(-26 * time.Hour), Address: "2001:db8:85a3::8a2e:370:7334", Outcome: accounts.Failed},
		{At: now.Add(-27 * time.Hour), Address: "41.252.16.9", Outcome: accounts.Done},
	}
	codes := strings.Fields(strings.Repeat("JBSW-Y3DP-EHPK-3PXP ", 10))
	wait := view.Retry{After: 2 * time.Minute, At: now.Add(2 * time.Minute)}
	sessions := []people.OpenSession{
		{
			ID: fixedUUID(81), BeganAt: now.Add(-3 * time.Hour), SeenAt: now, Address: "41.252.16.9", Current: true,
			Agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36" +
				" (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
		},
		{
			ID: fixedUUID(82), BeganAt: now.Add(-9 * time.Hour), SeenAt: now.Add(-40 * time.Minute),
			Address: "2001:db8:85a3::8a2e:370:7334",
			Agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15" +
				" (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
		},
		{
			ID: fixedUUID(83), BeganAt: now.Add(-10 * time.Hour), SeenAt: now.Add(-9 * time.Hour),
			Address: "102.69.1.20", Agent: "curl/8.5.0",
		},
	}
	used := now.Add(-3 * time.Hour)
	keys := view.PasskeysPage{
		PasskeyForm: passkey("/account/passkeys"), Asks: true, Factor: true, Agent: sessions[1].Agent,
		Passkeys: []people.Passkey{
			{ID: fixedUUID(91), Name: "هاتفي", CreatedAt: now.AddDate(0, -2, 0), LastUsedAt: &used},
			{
				ID: fixedUUID(92), Name: "Security key in the drawer of the office in Misrata",
				CreatedAt: now.AddDate(0, 0, -1),
			},
		},
	}
	full := keys
	full.Full, full.Asks, full.Factor = true, false, false
	changed := at(view.AccountPage{User: user, SignIns: signIns})
	changed.Notice = "password-changed"
	return []Story{
		{"account", at(view.AccountPage{User: user, SignIns: signIns, Sessions: sessions, Passkeys: true})},
		{"account-password-changed", changed},
		{"account-new", at(view.AccountPage{User: fresh})},
		{"password", at(view.PasswordPage{Email: user.Email})},
		{"password-wrong", at(view.PasswordPage{
			Email: user.Email, Refusal: view.Refusal{FormErrors: view.WrongOwnPassword("present")},
		})},
		{"password-common", at(view.PasswordPage{
			Email: user.Email, Refusal: view.Refusal{FormErrors: view.BadPassword(people.PasswordCommon)},
		})},
		{"password-differs", at(view.PasswordPage{
			Email: user.Email, Refusal: view.Refusal{FormErrors: view.PasswordsDiffer},
		})},
		{"password-too-often", at(view.PasswordPage{Email: user.Email, Refusal: view.Refusal{Retry: wait}})},
		{"second-factor-off", at(view.SecondFactorPage{})},
		{"second-factor-on", at(view.SecondFactorPage{On: true, Codes: 9})},
		{"second-factor-both", at(view.SecondFactorPage{On: true, Codes: 9, Passkey: true})},
		{"passkeys", at(keys)},
		{"passkeys-none", at(view.PasskeysPage{PasskeyForm: keys.PasskeyForm, Agent: keys.Agent})},
		{"passkeys-wrong", at(view.PasskeysPage{
			PasskeyForm: keys.PasskeyForm, Passkeys: keys.Passkeys[:1],
			Refusal: view.Refusal{FormErrors: view.KnownPasskey},
		})},
		{"passkeys-name", at(view.PasskeysPage{
			PasskeyForm: keys.PasskeyForm, Passkeys: keys.Passkeys[:1],
			Refusal: view.Refusal{FormErrors: view.BadPasskeyName},
		})},
		{"passkeys-full", at(full)},
		{"enrol", at(view.EnrolPage{URI: totpURI})},
		{"enrol-wrong", at(view.EnrolPage{
			URI: totpURI, Replace: true, Refusal: view.Refusal{FormErrors: view.WrongCode},
		})},
		{"enrol-too-often", at(view.EnrolPage{URI: totpURI, Refusal: view.Refusal{Retry: wait}})},
		{"recovery-codes", at(view.RecoveryCodesPage{Codes: codes, Enrolled: true})},
		{"recovery-codes-new", at(view.RecoveryCodesPage{Codes: codes})},
	}
}
