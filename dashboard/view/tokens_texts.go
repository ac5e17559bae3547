package view

import (
	"cmp"
	"strings"

	"daftar/accounts"
	"daftar/internal/locale"
)

// tokenTexts are the texts of the pages about access tokens.
type tokenTexts struct {
	Intro, Replace, None           string
	New, Create, Name, NameHint    string
	Expires, ExpiresHint, NoExpiry string
	ExpiryBad, ExpiryPast          string
	May, MayHint, ScopesNone       string
	From, Anywhere, NetworksHint   string
	NetworksBad, ListComma         string
	Created, Keep, UseIt, ToList   string
	Value, Ends, MadeAt            string
	InForce, Expired               string
	Revoked, RevokedAt             string
	LastUsed, Never, UsedFrom      string
	Revoke, RevokeWhat, RevokeDo   string
	RevokeUnused                   string
	Scopes                         map[accounts.Scope]scopeText
}

// scopeText is what an access token may do.
type scopeText struct{ Name, What string }

func scopeTextsIn(say locale.Say) map[accounts.Scope]scopeText {
	return map[accounts.Scope]scopeText{
		accounts.ScopeRead: {say("القراءة", "Read"), say("يقرأ المدفوعات وقائمتها وأحداثها، وتُحوَّل إليه "+
			"الإشعارات. يكفي للتقارير.",
			"Retrieves and lists payments and their events, and has webhooks forwarded. Enough for reports.")},
		accounts.ScopePayments: {say("المدفوعات", "Payments"), say("يقرأ، وينشئ المدفوعات وينهيها قبل وقتها. "+
			"هذا ما يحتاجه خادم المتجر.",
			"Reads, creates payments, and ends them before their time. What a shop’s server needs.")},
		accounts.ScopeRefunds: {say("رد المبالغ", "Refunds"), say("يقرأ، ويرد المبالغ. لا ينشئ مثل هذا الرمز "+
			"إلا مالك.",
			"Reads, and gives money back. Only owners create such a token.")},
		accounts.ScopeBooks: {say("الدفاتر", "Books"), say("يقرأ أرصدة المؤسسة كلها وقيودها، ولا شيء غيرها. "+
			"يكفي برنامج المحاسبة.",
			"Reads the balances and entries of the whole organisation, and nothing else. "+
				"Enough for accounting software.")},
	}
}

// ScopeNames are the names of scopes, in a list.
func (t tokenTexts) ScopeNames(scopes []accounts.Scope) string {
	names := make([]string, len(scopes))
	for n, s := range scopes {
		names[n] = cmp.Or(t.Scopes[s].Name, string(s)) // a later release may have others
	}
	return strings.Join(names, t.ListComma)
}

func tokenTextsIn(say locale.Say) tokenTexts {
	return tokenTexts{
		Intro: say("رمز الوصول يثبت أن الطلب من مؤسستك، ويُرسل في كل طلب مع مفتاح التطبيق. يصلح الرمز لكل "+
			"تطبيقات المؤسسة، والمفتاح يعرّف التطبيق.",
			"An access token shows that a request comes from your organisation. It is sent with the "+
				"application's key in every request. A token is good for all applications of the organisation; "+
				"the key says which one it is."),
		Replace: say("لاستبدال رمز: أنشئ رمزًا جديدًا، وضعه في خوادمك، ثم ألغِ القديم حين لا يعود يُستعمل. هكذا "+
			"لا يُرفض طلب واحد.",
			"To replace a token: create a new one, put it into your servers, and revoke the old one once it is "+
				"no longer used. That way no request is refused."),
		None: say("لا رموز بعد. أنشئ الأول لترسل الطلبات.",
			"There are no tokens yet. Create the first to send requests."),
		New: say("رمز وصول جديد", "New access token"), Create: say("أنشئ الرمز", "Create the token"),
		Name: say("الاسم", "Name"),
		NameHint: say("أين يُستعمل، مثل «خادم المتجر». يظهر في هذه القائمة وفي سجل التدقيق.",
			"Where it is used, such as “shop server”. It appears in this list and in the audit trail."),
		Expires: say("ينتهي في", "Expires"),
		ExpiresHint: say("اختياري، بتوقيت ليبيا. إن تركته فارغًا بقي الرمز يعمل إلى أن تلغيه.",
			"Optional, in Libya’s time. Left empty, the token works until you revoke it."),
		NoExpiry: say("لا ينتهي", "Does not expire"),
		ExpiryBad: say("اكتب يومًا ووقتًا، أو اترك الحقل فارغًا.",
			"Write a day and a time, or leave the field empty."),
		ExpiryPast: say("هذا الوقت مضى.", "This time has passed."),
		May:        say("ما يُسمح به", "What it may do"),
		MayHint: say("اختر أقل ما يكفي: من حصل على الرمز فعل به ما يُسمح به. ولا يتغيّر بعد الإنشاء.",
			"Choose the least that is enough: anybody who gets hold of the token can do this. It cannot be "+
				"changed later."),
		ScopesNone: say("اختر واحدًا على الأقل.", "Choose at least one."),
		From:       say("من أين", "From where"), Anywhere: say("من أي مكان", "Anywhere"),
		NetworksHint: say("اختياري: عناوين خوادمك وشبكاتها، بينها فواصل، مثل 41.252.0.0/16. من غيرها يُرفض الرمز "+
			"بالجواب 401. إن تركته فارغًا قُبل من أي مكان.",
			"Optional: addresses and networks of your servers, separated by commas, such as 41.252.0.0/16. From "+
				"elsewhere the token is refused with 401. Left empty, it works from anywhere."),
		NetworksBad: say("اكتب عناوين أو شبكات مثل 41.252.0.0/16، بينها فواصل، ولا تزد على 32. واترك الحقل فارغًا "+
			"إن أردت كل مكان.",
			"Write addresses or networks such as 41.252.0.0/16, separated by commas, at most 32. For anywhere, leave "+
				"the field empty."),
		ListComma: say("، ", ", "),
		Scopes:    scopeTextsIn(say),
		Created:   say("أُنشئ رمز الوصول", "The access token was created"),
		Keep: say("احفظه الآن. لن يظهر مرة أخرى، ولا نستطيع استرجاعه.",
			"Save it now. It is not shown again, and we cannot recover it."),
		UseIt: say("أرسله في كل طلب في الترويسة Authorization، وقبله كلمة Bearer ومسافة.",
			"Send it in every request in the Authorization header, after the word Bearer and a space."),
		ToList: say("إلى قائمة الرموز", "To the list of tokens"),
		Value:  say("رمز الوصول", "Access token"),
		Ends:   say("ينتهي بـ", "Ends in"),
		MadeAt: say("أُنشئ", "Created"), InForce: say("يعمل", "In force"), Expired: say("انتهت مدته", "Expired"),
		Revoked: say("ملغى", "Revoked"), RevokedAt: say("أُلغي", "Revoked"),
		LastUsed: say("آخر استعمال", "Last used"), Never: say("لم يُستعمل بعد", "Never used"),
		UsedFrom: say("من", "from"), Revoke: say("إلغاء…", "Revoke…"),
		RevokeWhat: say("يتوقف هذا الرمز فورًا وإلى الأبد: كل خادم يستعمله يُرفض طلبه بالرمز 401.",
			"This token stops at once and for good: every server that uses it gets 401."),
		RevokeUnused: say("لم يُستعمل قط، فلن يتعطّل شيء نعرفه.",
			"It was never used, so nothing that we know of will break."),
		RevokeDo: say("ألغِ الرمز الآن", "Revoke the token now"),
	}
}

// Pill is the state of a token.
func (t tokenTexts) Pill(r TokenRow) pill {
	switch {
	case r.RevokedAt != nil:
		return pill{t.Revoked, "off"}
	case r.Expired:
		return pill{t.Expired, "off"}
	}
	return pill{t.InForce, "ok"}
}
