package people

import "daftar/accounts"

// The actions of this package in the audit trail.
const (
	ActionCreateUser          accounts.Action = "user.create"
	ActionAddMember           accounts.Action = "member.add"
	ActionChangeRole          accounts.Action = "member.change_role"
	ActionRemoveMember        accounts.Action = "member.remove"
	ActionInvite              accounts.Action = "invitation.create"
	ActionRevokeInvitation    accounts.Action = "invitation.revoke"
	ActionAcceptInvitation    accounts.Action = "invitation.accept"
	ActionChoosePassword      accounts.Action = "invitation.password" // whether it became an account's or not
	ActionSignIn              accounts.Action = "sign_in"
	ActionSignInPassword      accounts.Action = "sign_in.password" // correct; a second factor is still needed
	ActionSignInCode          accounts.Action = "sign_in.code"     // a wrong code of the second factor
	ActionSignOut             accounts.Action = "sign_out"
	ActionChangePassword      accounts.Action = "password.change"
	ActionSetPassword         accounts.Action = "password.set"
	ActionRequestReset        accounts.Action = "password.request_reset" // also where there is no such account
	ActionRequestSignUp       accounts.Action = "organization.request"   // also where there is no such account
	ActionResetPassword       accounts.Action = "password.reset"
	ActionEnableSecondFactor  accounts.Action = "second_factor.enable"
	ActionDisableSecondFactor accounts.Action = "second_factor.disable"
	ActionResetSecondFactor   accounts.Action = "second_factor.reset"
	ActionNewRecoveryCodes    accounts.Action = "recovery_codes.create"
)
