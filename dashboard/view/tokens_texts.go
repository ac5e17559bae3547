package view

import "daftar/internal/locale"

// tokenTexts are the texts of the pages about access tokens.
type tokenTexts struct {
	Intro, Replace, None           string
	New, Create, Name, NameHint    string
	Expires, ExpiresHint, NoExpiry string
	ExpiryBad, ExpiryPast          string
	Created, Keep, UseIt, ToList   string
	Value, Ends, MadeAt            string
	InForce, Expired               string
	Revoked, RevokedAt             string
	LastUsed, Never, From          string
	Revoke, RevokeWhat, RevokeDo   string
	RevokeUnused                   string
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
			"Optional, in Tripoli time. Left empty, the token works until you revoke it."),
		NoExpiry: say("لا ينتهي", "Does not expire"),
		ExpiryBad: say("اكتب يومًا ووقتًا، أو اترك الحقل فارغًا.",
			"Write a day and a time, or leave the field empty."),
		ExpiryPast: say("هذا الوقت مضى.", "This time has passed."),
		Created:    say("أُنشئ رمز الوصول", "The access token was created"),
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
		From: say("من", "from"), Revoke: say("إلغاء…", "Revoke…"),
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
