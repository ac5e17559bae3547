package dashboard

import (
	"strings"
	"time"

	"daftar/accounts"
)

// storyURI is what an authenticator app would scan. Its secret opens nothing.
const storyURI = "otpauth://totp/Daftar:owner%40maydan.example?algorithm=SHA1&digits=6&issuer=Daftar&period=30&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

func accountStories() []story {
	at := func(v view) page { return inside(sectionAccount, v) }
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
	wait := retry{After: 2 * time.Minute, At: storyTime.Add(2 * time.Minute)}
	changed := at(accountView{User: user, SignIns: signIns})
	changed.Notice = "password-changed"
	return []story{
		{"account", at(accountView{User: user, SignIns: signIns})},
		{"account-password-changed", changed},
		{"account-new", at(accountView{User: fresh})},
		{"password", at(passwordView{Email: user.Email})},
		{"password-wrong", at(passwordView{Email: user.Email, Refused: refusedPassword})},
		{"password-common", at(passwordView{Email: user.Email, New: accounts.PasswordCommon})},
		{"password-differs", at(passwordView{Email: user.Email, Differ: true})},
		{"password-too-often", at(passwordView{Email: user.Email, Refused: refusedNow, Retry: wait})},
		{"second-factor-off", at(secondFactorView{})},
		{"second-factor-on", at(secondFactorView{On: true, Codes: 9})},
		{"enrol", at(enrolView{URI: storyURI})},
		{"enrol-wrong", at(enrolView{URI: storyURI, Replace: true, Refused: refusedCode})},
		{"recovery-codes", at(recoveryCodesView{Codes: codes, Enrolled: true})},
		{"recovery-codes-new", at(recoveryCodesView{Codes: codes})},
	}
}
