package view

import "daftar/accounts"

// peopleTexts are the words of members and invitations.
type peopleTexts struct {
	Intro, Member, You, Email, Role, Since, Factor, Change string
	Owner, Developer, Finance, Support, Viewer, NoRole     string // what the roles may do
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

var arabicPeople = peopleTexts{
	Intro: "من يرى هذه المؤسسة، وما الذي يستطيع فعله.", Member: "عضو في المؤسسة", You: "أنت",
	Email: "البريد الإلكتروني", Role: "الدور", Since: "عضو منذ", Factor: "الخطوة الثانية", Change: "تغيير",
	Owner:     "كل شيء: الأعضاء والمفاتيح والمدفوعات.",
	Developer: "التطبيقات والمفاتيح والإشعارات والمدفوعات، ويرى الأعضاء ولا يغيّرهم.",
	Finance:   "يقرّر في المبالغ المتأخرة والمكررة، وينزّل الملفات، ويقارن كشوف جهات الدفع. لا يرى المفاتيح.",
	Support:   "يبحث عن المدفوعات ويكتب الملاحظات ويعيد إرسال الإشعارات ويشارك الإيصالات. لا يرى الإيرادات ولا المفاتيح.",
	Viewer:    "يرى المدفوعات والإيرادات والإشعارات وينزّل الملفات، ولا يغيّر شيئًا.",
	NoRole:    "لا شيء هنا بعد.",
	SaveRole:  "غيّر الدور", RoleEffect: "يسري الدور الجديد فورًا، حتى في صفحات العضو المفتوحة الآن.",
	RemoveTitle: "إخراج العضو من المؤسسة", Remove: "أخرجه من المؤسسة",
	RemoveEffect: "لن يرى بعدها شيئًا من هذه المؤسسة، فورًا. لكن المفاتيح ورموز الوصول التي رآها تبقى تعمل: استبدل منها ما قد يكون حفظه.",
	LeaveTitle:   "مغادرة المؤسسة", Leave: "غادر المؤسسة", LeaveEffect: "لن ترى بعدها شيئًا من هذه المؤسسة، ولا تعود إليها إلا بدعوة من مالك.",
	LastOwner: "هذا هو المالك الوحيد. اجعل عضوًا آخر مالكًا أولًا: مؤسسة بلا مالك لا يديرها أحد. لم يتغيّر شيء.",

	Invite: "دعوة عضو", InviteIntro: "ننشئ رابطًا لمرة واحدة، صالحًا سبعة أيام، وأنت ترسله.",
	InviteEmail: "بريد المدعو", InviteRole: "دوره", InviteButton: "أنشئ رابط الدعوة",
	BadEmail: "هذا ليس عنوان بريد إلكتروني. مثال: name@example.ly", BadRole: "اختر دورًا.", Already: "صاحب هذا البريد عضو في المؤسسة من قبل.",
	Invited: "رابط الدعوة جاهز", InvitedFor: "الدعوة باسم", SendYourself: "أرسل هذا الرابط بنفسك إلى المدعو. نحن لا نرسل بريدًا.",
	LinkOnce: "لن نعرض الرابط مرة أخرى، ومن يفتحه يستطيع قبول الدعوة.", Until: "صالح حتى", ToPeople: "إلى الأعضاء",

	InviteByMail: "نرسل إلى بريد المدعو رابطًا لمرة واحدة، صالحًا سبعة أيام، ولا نعرضه لأحد غيره.", SendButton: "أرسل الدعوة",
	Mailed: "الدعوة في طريقها", MailedWords: "نرسل الرابط خلال لحظات إلى هذا البريد وحده. وفي صفحة الأعضاء ترى هل تسلّم خادم البريد الرسالة.",
	MailPending: "الرسالة تنتظر الإرسال", MailSent: "أُرسلت بالبريد", MailFailed: "لم تُرسل الرسالة",
	CheckAddress: "رفضها خادم البريد. تأكّد من العنوان، ثم اسحب الدعوة وادعُ من جديد. ردّ الخادم:",
	MailSubject:  "دفتر: دعوة إلى مؤسسة", MailOpen: "افتح هذا الرابط لتقبل الدعوة. يعمل مرة واحدة، ولا يراه أحد غيرك:",
	MailUnexpected: "إن كنت لا تنتظر هذه الدعوة فتجاهل الرسالة، ولا تعطِ الرابط لأحد.",

	Open: "دعوات لم تُقبل بعد", NoneOpen: "لا دعوات مفتوحة.", InvitedBy: "دعاه", Revoke: "اسحب الدعوة",
	RevokeEffect: "يتوقف الرابط عن العمل فورًا.",

	Invitation: "دعوة إلى مؤسسة", InvitesYou: "دعوة من", As: "الدور", For: "إلى صاحب البريد", Accept: "اقبل الدعوة",
	AcceptAs:    "أنت داخل باسم",
	OtherEmail:  "الدعوة لبريد آخر غير الذي دخلت به. اخرج من حسابك أولًا ثم افتح الرابط من جديد.",
	HaveAccount: "لديك حساب هنا؟", SignInToAccept: "سجّل الدخول به لتقبل الدعوة.", SignInFirst: "سجّل الدخول",
	NewAccount: "ليس لديك حساب؟", ChoosePassword: "اختر كلمة مرور، ثم سجّل الدخول بها لتقبل الدعوة.", MakeAccount: "احفظ كلمة المرور",
	Over: "هذه الدعوة لم تعد تعمل", OverWords: "ربما قُبلت من قبل، أو سُحبت، أو مضت أيامها السبعة. اطلب دعوة جديدة ممن دعاك.",
}

var englishPeople = peopleTexts{
	Intro: "Who sees this organisation, and what they may do.", Member: "Member of the organisation", You: "you",
	Email: "Email address", Role: "Role", Since: "Member since", Factor: "Second step", Change: "Change",
	Owner:     "Everything: people, keys and payments.",
	Developer: "Applications, keys, webhooks and payments; sees the people and does not change them.",
	Finance:   "Decides about late and duplicate money, downloads files, compares acquirers’ statements. Sees no keys.",
	Support:   "Finds payments, writes notes, sends webhooks again, shares receipts. Sees no revenue and no keys.",
	Viewer:    "Sees payments, revenue and webhooks, downloads files, and changes nothing.",
	NoRole:    "Nothing here yet.",
	SaveRole:  "Change the role", RoleEffect: "The new role holds at once, also on pages that the member has open.",
	RemoveTitle: "Remove from the organisation", Remove: "Remove the member",
	RemoveEffect: "From then on the member sees nothing of this organisation. Keys and tokens that the member has seen go on working: replace those that may have been kept.",
	LeaveTitle:   "Leave the organisation", Leave: "Leave the organisation", LeaveEffect: "From then on you see nothing of this organisation, and come back only if an owner invites you.",
	LastOwner: "This is the only owner. Make another member an owner first: nobody could run an organisation without one. Nothing was changed.",

	Invite: "Invite somebody", InviteIntro: "We make a link that works once, for seven days, and you send it.",
	InviteEmail: "Their email address", InviteRole: "Their role", InviteButton: "Make the link",
	BadEmail: "This is not an email address. Example: name@example.ly", BadRole: "Choose a role.", Already: "The person with this address is a member already.",
	Invited: "The invitation is ready", InvitedFor: "It is for", SendYourself: "Send this link to them yourself. We send no mail.",
	LinkOnce: "It is not shown again, and anyone who opens it can accept.", Until: "Good until", ToPeople: "To the people",

	InviteByMail: "We mail them a link that works once, for seven days. Nobody else sees it.", SendButton: "Send the invitation",
	Mailed: "The invitation is on its way", MailedWords: "The link goes to this address within moments, and to nobody else. The people page says whether the mail server has taken it.",
	MailPending: "The mail waits to be sent", MailSent: "Sent by mail", MailFailed: "The mail was not sent",
	CheckAddress: "The mail server refused it. Check the address, then withdraw the invitation and invite again. The server said:",
	MailSubject:  "Daftar: invitation to", MailOpen: "Open this link to accept the invitation. It works once, and nobody else has it:",
	MailUnexpected: "If you did not expect this invitation, ignore this mail and give the link to nobody.",

	Open: "Open invitations", NoneOpen: "There are no open invitations.", InvitedBy: "Invited by", Revoke: "Withdraw",
	RevokeEffect: "The link stops working at once.",

	Invitation: "Invitation to an organisation", InvitesYou: "From", As: "Role", For: "For", Accept: "Accept the invitation",
	AcceptAs:    "You are signed in as",
	OtherEmail:  "The invitation is for another email address than the one you are signed in with. Sign out first, then open the link again.",
	HaveAccount: "You have an account here?", SignInToAccept: "Sign in with it to accept.", SignInFirst: "Sign in",
	NewAccount: "You have none yet?", ChoosePassword: "Choose a password, then sign in with it to accept.", MakeAccount: "Save the password",
	Over: "This invitation no longer works", OverWords: "It may have been accepted before or withdrawn, or its seven days are over. Ask the person who invited you for a new one.",
}

// May says what a role allows.
func (t peopleTexts) May(r accounts.Role) string {
	switch r {
	case accounts.RoleOwner:
		return t.Owner
	case accounts.RoleDeveloper:
		return t.Developer
	case accounts.RoleFinance:
		return t.Finance
	case accounts.RoleSupport:
		return t.Support
	case accounts.RoleViewer:
		return t.Viewer
	}
	return t.NoRole // of a later release, while servers of this one still run
}
