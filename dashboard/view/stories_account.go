package view

import (
	"strings"
	"time"

	"daftar/accounts"
)

// storyURI is what an authenticator app would scan. Its secret opens nothing.
const storyURI = "otpauth://totp/Daftar:owner%40maydan.example?algorithm=SHA1&digits=6&issuer=Daftar&period=30&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

func accountStories() []story {
	at := func(v Content) Page { return inside(SectionAccount, v) }
	user := accounts.User{Email: storyOwner.Email, SecondFactor: true, RecoveryCodes: 9, Memberships: []accounts.Membership{
		{Organization: storyOrganization.ID, Name: storyOrganization.Name, Role: accounts.RoleOwner},
		{Organization: accounts.OrganizationID(storyUUID(2)), Name: "Tripoli Books", Role: accounts.RoleViewer},
	}}
	fresh := user
	fresh.SecondFactor = false
	signIns := []accounts.AuditRecord{
		{At: storyTime, Address: "41.252.16.9", Outcome: accounts.Done},
		{At: storyTime.Add(-26 * time.Hour), Address: "2001:db8:85a3::8a2e:370:7334", Outcome: accounts.Failed},
		{At: storyTime.Add(-27 * time.Hour), Address: "41.252.16.9", Outcome: accounts.Done},
	}
	codes := strings.Fields(strings.Repeat("JBSW-Y3DP-EHPK-3PXP ", 10))
	wait := Retry{After: 2 * time.Minute, At: storyTime.Add(2 * time.Minute)}
	changed := at(AccountPage{User: user, SignIns: signIns})
	changed.Notice = "password-changed"
	return []story{
		{"account", at(AccountPage{User: user, SignIns: signIns})},
		{"account-password-changed", changed},
		{"account-new", at(AccountPage{User: fresh})},
		{"password", at(PasswordPage{Email: user.Email})},
		{"password-wrong", at(PasswordPage{Email: user.Email, Refused: RefusedPassword})},
		{"password-common", at(PasswordPage{Email: user.Email, New: accounts.PasswordCommon})},
		{"password-differs", at(PasswordPage{Email: user.Email, Differ: true})},
		{"password-too-often", at(PasswordPage{Email: user.Email, Refused: RefusedNow, Retry: wait})},
		{"second-factor-off", at(SecondFactorPage{})},
		{"second-factor-on", at(SecondFactorPage{On: true, Codes: 9})},
		{"enrol", at(EnrolPage{URI: storyURI})},
		{"enrol-wrong", at(EnrolPage{URI: storyURI, Replace: true, Refused: RefusedCode})},
		{"recovery-codes", at(RecoveryCodesPage{Codes: codes, Enrolled: true})},
		{"recovery-codes-new", at(RecoveryCodesPage{Codes: codes})},
	}
}
