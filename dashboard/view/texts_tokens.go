package view

// tokenTexts are the words of the pages about access tokens.
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

var arabicTokens = tokenTexts{
	Intro:   "رمز الوصول يثبت أن الطلب من مؤسستك، ويُرسل في كل طلب مع مفتاح التطبيق. يصلح الرمز لكل تطبيقات المؤسسة، والمفتاح يعرّف التطبيق.",
	Replace: "لاستبدال رمز: أنشئ رمزًا جديدًا، وضعه في خوادمك، ثم ألغِ القديم حين لا يعود يُستعمل. هكذا لا يُرفض طلب واحد.",
	None:    "لا رموز بعد. أنشئ الأول لترسل الطلبات.",
	New:     "رمز وصول جديد", Create: "أنشئ الرمز", Name: "الاسم", NameHint: "أين يُستعمل، مثل «خادم المتجر». يظهر في هذه القائمة وفي سجل التدقيق.",
	Expires: "ينتهي في", ExpiresHint: "اختياري، بتوقيت ليبيا. إن تركته فارغًا بقي الرمز يعمل إلى أن تلغيه.", NoExpiry: "لا ينتهي",
	ExpiryBad: "اكتب يومًا ووقتًا، أو اترك الحقل فارغًا.", ExpiryPast: "هذا الوقت مضى.",
	Created: "أُنشئ رمز الوصول", Keep: "احفظه الآن. لن يظهر مرة أخرى، ولا نستطيع استرجاعه.",
	UseIt: "أرسله في كل طلب في الترويسة Authorization، وقبله كلمة Bearer ومسافة.", ToList: "إلى قائمة الرموز",
	Value: "رمز الوصول", Ends: "ينتهي بـ", MadeAt: "أُنشئ", InForce: "يعمل", Expired: "انتهت مدته",
	Revoked: "ملغى", RevokedAt: "أُلغي", LastUsed: "آخر استعمال", Never: "لم يُستعمل بعد", From: "من",
	Revoke:       "إلغاء…",
	RevokeWhat:   "يتوقف هذا الرمز فورًا وإلى الأبد: كل خادم يستعمله يُرفض طلبه بالرمز 401.",
	RevokeUnused: "لم يُستعمل قط، فلن يتعطّل شيء نعرفه.",
	RevokeDo:     "ألغِ الرمز الآن",
}

var englishTokens = tokenTexts{
	Intro:   "An access token shows that a request comes from your organisation. It is sent with the application's key in every request. A token is good for all applications of the organisation; the key says which one it is.",
	Replace: "To replace a token: create a new one, put it into your servers, and revoke the old one once it is no longer used. That way no request is refused.",
	None:    "There are no tokens yet. Create the first to send requests.",
	New:     "New access token", Create: "Create the token", Name: "Name", NameHint: "Where it is used, such as “shop server”. It appears in this list and in the audit trail.",
	Expires: "Expires", ExpiresHint: "Optional, in Tripoli time. Left empty, the token works until you revoke it.", NoExpiry: "Does not expire",
	ExpiryBad: "Write a day and a time, or leave the field empty.", ExpiryPast: "This time has passed.",
	Created: "The access token was created", Keep: "Save it now. It is not shown again, and we cannot recover it.",
	UseIt: "Send it in every request in the Authorization header, after the word Bearer and a space.", ToList: "To the list of tokens",
	Value: "Access token", Ends: "Ends in", MadeAt: "Created", InForce: "In force", Expired: "Expired",
	Revoked: "Revoked", RevokedAt: "Revoked", LastUsed: "Last used", Never: "Never used", From: "from",
	Revoke:       "Revoke…",
	RevokeWhat:   "This token stops at once and for good: every server that uses it gets 401.",
	RevokeUnused: "It was never used, so nothing that we know of will break.",
	RevokeDo:     "Revoke the token now",
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
