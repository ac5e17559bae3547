package view

import (
	"cmp"

	"daftar/accounts"
	"daftar/internal/locale"
)

// peopleTexts are the texts about members and invitations.
type peopleTexts struct {
	Intro, Member, You, Email, Role, Since, Factor, Change string
	Allowed                                                map[accounts.Role]string // what they may do
	NoRole                                                 string
	SaveRole, RoleEffect                                   string
	RemoveTitle, Remove, RemoveEffect                      string
	LeaveTitle, Leave, LeaveEffect                         string
	LastOwner                                              string

	Invite, InviteIntro, InviteEmail, InviteRole, InviteButton   string
	BadEmail, BadRole, Already                                   string
	Invited, InvitedFor, SendYourself, LinkOnce, Until, ToPeople string
	InviteByMail, SendButton, Mailed, MailedWords                string
	MailPending, MailSent, MailFailed, CheckAddress              string
	MailSubject, MailOpen, MailUnexpected                        string // of the mail itself

	Open, NoneOpen, InvitedBy, Revoke, RevokeEffect string

	Invitation, InvitesYou, As, For, Accept, AcceptAs, OtherEmail string
	HaveAccount, SignInToAccept, SignInFirst, NewAccount          string
	ChoosePassword, MakeAccount                                   string
	Over, OverWords                                               string
}

func peopleTextsIn(say locale.Say) peopleTexts {
	return peopleTexts{
		Intro: say("من يرى هذه المؤسسة، وما الذي يستطيع فعله.",
			"Who sees this organisation, and what they may do."),
		Member: say("عضو في المؤسسة", "Member of the organisation"),
		You:    say("أنت", "you"),
		Email:  say("البريد الإلكتروني", "Email address"),
		Role:   say("الدور", "Role"), Since: say("عضو منذ", "Member since"),
		Factor: say("الخطوة الثانية", "Second step"), Change: say("تغيير", "Change"),
		Allowed: map[accounts.Role]string{
			accounts.RoleOwner: say("كل شيء: الأعضاء والمفاتيح والمدفوعات.", "Everything: people, keys and payments."),
			accounts.RoleDeveloper: say("التطبيقات والمفاتيح والإشعارات البرمجية والمدفوعات، ويرى الأعضاء ولا "+
				"يغيّرهم.",
				"Applications, keys, webhooks and payments; sees the people and does not change them."),
			accounts.RoleFinance: say("يقرّر في المبالغ المتأخرة والمكررة، وينزّل الملفات، ويقارن كشوف جهات الدفع. "+
				"لا يرى المفاتيح.",
				"Decides about late and duplicate money, downloads files, compares acquirers’ statements. Sees no keys."),
			accounts.RoleSupport: say("يبحث عن المدفوعات ويكتب الملاحظات ويعيد إرسال الإشعارات البرمجية ويشارك "+
				"الإيصالات. لا يرى الإيرادات ولا المفاتيح.",
				"Finds payments, writes notes, sends webhooks again, shares receipts. Sees no revenue and no keys."),
			accounts.RoleViewer: say("يرى المدفوعات والإيرادات والإشعارات البرمجية وينزّل الملفات، ولا يغيّر شيئًا.",
				"Sees payments, revenue and webhooks, downloads files, and changes nothing."),
		},
		NoRole:   say("لا شيء هنا بعد.", "Nothing here yet."),
		SaveRole: say("غيّر الدور", "Change the role"),
		RoleEffect: say("يسري الدور الجديد فورًا، حتى في صفحات العضو المفتوحة الآن.",
			"The new role holds at once, also on pages that the member has open."),
		RemoveTitle: say("إخراج العضو من المؤسسة", "Remove from the organisation"),
		Remove:      say("أخرجه من المؤسسة", "Remove the member"),
		RemoveEffect: say("لن يرى بعدها شيئًا من هذه المؤسسة، فورًا. لكن المفاتيح ورموز الوصول التي رآها تبقى "+
			"تعمل: استبدل منها ما قد يكون حفظه.",
			"From then on the member sees nothing of this organisation. Keys and tokens that the member has "+
				"seen go on working: replace those that may have been kept."),
		LeaveTitle: say("مغادرة المؤسسة", "Leave the organisation"),
		Leave:      say("غادر المؤسسة", "Leave the organisation"),
		LeaveEffect: say("لن ترى بعدها شيئًا من هذه المؤسسة، ولا تعود إليها إلا بدعوة من مالك.",
			"From then on you see nothing of this organisation, and come back only if an owner invites you."),
		LastOwner: say("هذا هو المالك الوحيد. اجعل عضوًا آخر مالكًا أولًا: مؤسسة بلا مالك لا يديرها أحد. لم "+
			"يتغيّر شيء.",
			"This is the only owner. Make another member an owner first: no one could run an organisation "+
				"without one. Nothing was changed."),

		Invite: say("دعوة عضو", "Invite someone"),
		InviteIntro: say("ننشئ رابطًا لمرة واحدة، صالحًا سبعة أيام، وأنت ترسله.",
			"We make a link that works once, for seven days, and you send it."),
		InviteEmail:  say("بريد المدعو", "Their email address"),
		InviteRole:   say("دوره", "Their role"),
		InviteButton: say("أنشئ رابط الدعوة", "Make the link"),
		BadEmail: say("هذا ليس عنوان بريد إلكتروني. مثال: name@example.ly",
			"This is not an email address. Example: name@example.ly"),
		BadRole: say("اختر دورًا.", "Choose a role."),
		Already: say("صاحب هذا البريد عضو في المؤسسة من قبل.",
			"The person with this address is a member already."),
		Invited:    say("رابط الدعوة جاهز", "The invitation is ready"),
		InvitedFor: say("الدعوة باسم", "It is for"),
		SendYourself: say("أرسل هذا الرابط بنفسك إلى المدعو. نحن لا نرسل بريدًا.",
			"Send this link to them yourself. We send no mail."),
		LinkOnce: say("لن نعرض الرابط مرة أخرى، ومن يفتحه يستطيع قبول الدعوة.",
			"It is not shown again, and anyone who opens it can accept."),
		Until: say("صالح حتى", "Valid until"), ToPeople: say("إلى الأعضاء", "To the people"),

		InviteByMail: say("نرسل إلى بريد المدعو رابطًا لمرة واحدة، صالحًا سبعة أيام، ولا نعرضه لأحد غيره.",
			"We mail them a link that works once, for seven days. No one else sees it."),
		SendButton: say("أرسل الدعوة", "Send the invitation"),
		Mailed:     say("الدعوة في طريقها", "The invitation is on its way"),
		MailedWords: say("نرسل الرابط خلال لحظات إلى هذا البريد وحده. وفي صفحة الأعضاء ترى هل تسلّم خادم البريد "+
			"الرسالة.",
			"The link goes to this address within moments, and to no one else. The people page shows whether the "+
				"mail server has taken it."),
		MailPending: say("الرسالة تنتظر الإرسال", "The mail waits to be sent"),
		MailSent:    say("أُرسلت بالبريد", "Sent by mail"),
		MailFailed:  say("لم تُرسل الرسالة", "The mail was not sent"),
		CheckAddress: say("رفضها خادم البريد. تأكّد من العنوان، ثم اسحب الدعوة وادعُ من جديد. ردّ الخادم:",
			"The mail server refused it. Check the address, then withdraw the invitation and invite again. The "+
				"server said:"),
		MailSubject: say("دفتر: دعوة إلى مؤسسة", "Daftar: invitation to"),
		MailOpen: say("افتح هذا الرابط لتقبل الدعوة. يعمل مرة واحدة، ولا يراه أحد غيرك:",
			"Open this link to accept the invitation. It works once, and no one else has it:"),
		MailUnexpected: say("إن كنت لا تنتظر هذه الدعوة فتجاهل الرسالة، ولا تعطِ الرابط لأحد.",
			"If you did not expect this invitation, ignore this mail and give the link to no one."),

		Open:      say("دعوات لم تُقبل بعد", "Open invitations"),
		NoneOpen:  say("لا دعوات مفتوحة.", "There are no open invitations."),
		InvitedBy: say("دعاه", "Invited by"), Revoke: say("اسحب الدعوة", "Withdraw"),
		RevokeEffect: say("يتوقف الرابط عن العمل فورًا.", "The link stops working at once."),

		Invitation: say("دعوة إلى مؤسسة", "Invitation to an organisation"),
		InvitesYou: say("دعوة من", "From"), As: say("الدور", "Role"), For: say("إلى صاحب البريد", "For"),
		Accept:   say("اقبل الدعوة", "Accept the invitation"),
		AcceptAs: say("أنت داخل باسم", "You are signed in as"),
		OtherEmail: say("الدعوة لبريد آخر غير الذي دخلت به. اخرج من حسابك أولًا ثم افتح الرابط من جديد.",
			"The invitation is for another email address than the one you are signed in with. Sign out first, "+
				"then open the link again."),
		HaveAccount:    say("لديك حساب هنا؟", "You have an account here?"),
		SignInToAccept: say("سجّل الدخول به لتقبل الدعوة.", "Sign in with it to accept."),
		SignInFirst:    say("سجّل الدخول", "Sign in"),
		NewAccount:     say("ليس لديك حساب؟", "You have none yet?"),
		ChoosePassword: say("اختر كلمة مرور، ثم سجّل الدخول بها لتقبل الدعوة.",
			"Choose a password, then sign in with it to accept."),
		MakeAccount: say("احفظ كلمة المرور", "Save the password"),
		Over:        say("هذه الدعوة لم تعد تعمل", "This invitation no longer works"),
		OverWords: say("ربما قُبلت من قبل، أو سُحبت، أو مضت أيامها السبعة. اطلب دعوة جديدة ممن دعاك.",
			"It may have been accepted before or withdrawn, or its seven days are over. Ask the person who "+
				"invited you for a new one."),
	}
}

// May is the text of a role's rights; empty for a role of a later release, which may exist during an
// upgrade.
func (t peopleTexts) May(r accounts.Role) string { return cmp.Or(t.Allowed[r], t.NoRole) }
