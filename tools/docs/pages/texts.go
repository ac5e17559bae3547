package main

import "daftar/internal/locale"

// texts are the words around the descriptions. A text is a field and one entry of textsIn; # stands
// for a value.
type texts struct {
	lang locale.Lang

	Title, Description                               string // of the reference
	Base, Files, OpenAPI, Postman                    string
	OnThisPage, Code, Copy, Copied                   string
	Authentication, BothHeaders, BothAnswers         string
	Conventions, SamplesRun                          string
	Errors, ErrorsIntro, ErrorsGuide, AlsoCommon     string
	Requests, Payments, Refunds, Other               string // groups of the list
	Webhooks, WebhookTypes                           string
	WebhooksIntro, Event, Meaning                    string
	WebhookHeaders, WebhookBody, WebhookAnswers      string
	Open                                             string
	Samples, Answer, Answers                         string
	Parameters, Body, AnswerFields                   string
	MoreFields, IsObject, IsList, HasFields, Headers string
	Idempotent, IdempotencyGuide, OnlyIn             string
	Required, Optional                               string
	InPath, InQuery, InHeader                        string
	String, Integer, Boolean, Object                 string
	Array, Null, Or, Comma                           string
	UUID, Moment, URL, Always, OneOf                 string
	FromTo, AtLeast, AtMost                          string
	LengthFromTo, LengthFrom, LengthTo               string
	ItemsFrom, ItemsTo, PairsTo, PairLengths         string
	Capitals, Digits, Matches, Default               string
}

func textsIn(l locale.Lang) texts {
	say := l.Say
	return texts{
		lang:  l,
		Title: say("مرجع الواجهة", "API reference"),
		Description: say("كل مسار وحقل وجواب من واجهة «دفتر» البرمجية، بأمثلة، ومعها الإشعارات البرمجية.",
			"Every path, field and answer of Daftar's API, with examples, and the webhooks."),
		Base: say("عنوان الواجهة", "Base URL"), Files: say("ملفات", "Files"),
		OpenAPI:    say("وصف OpenAPI 3.1 (بالإنجليزية)", "OpenAPI 3.1 document"),
		Postman:    say("مجموعة Postman", "Postman collection"),
		OnThisPage: say("في هذه الصفحة", "On this page"),
		Code:       say("مثال", "Code"), Copy: say("انسخ", "Copy"), Copied: say("تم النسخ.", "Copied."),
		Authentication: say("المصادقة", "Authentication"),
		BothHeaders: say("أرسل هاتين الترويستين مع كل طلب: الأولى للمؤسسة، والثانية للتطبيق. خذهما من لوحة "+
			"التحكم، ولا تضعهما إلا في خادمك.",
			"Send both headers with each request: the first is the organisation's, the second the application's. "+
				"Get them from the dashboard, and keep them on your server."),
		BothAnswers: say("إن نقصت إحداهما أو كانت خاطئة جاءك 401:",
			"If one of them is missing or wrong, the answer is 401:"),
		Conventions: say("الطلبات والأجوبة", "Requests and answers"),
		SamplesRun: say("لكل طلب أمثلة برمجية جاهزة بـ curl وPHP وTypeScript وPython وGo، "+
			"تقرأ بيانات الدخول من متغيرات البيئة كما في البداية السريعة. "+
			"وما يُعرض من برامج Go هو ما في main. والبرامج كاملة في",
			"Each request has ready-to-run code in curl, PHP, TypeScript, Python and Go. It takes the credentials "+
				"from the environment, as in the quick start. Of programs in Go you see what main does. The whole "+
				"programs are in"),
		Errors: say("الأخطاء", "Errors"),
		ErrorsIntro: say("يقرر برنامجك بحسب رقم الحالة، أما `message` فجملة لمن يقرأ سجلاتك. وهذه قد تأتي "+
			"جوابًا عن أي طلب، وما يخص طلبًا بعينه تجده عنده:",
			"Programs decide by the status; `message` is a sentence for people who read your log. Each request can "+
				"be answered with these; errors of one request are listed with it:"),
		ErrorsGuide: say("ماذا تفعل في كل حالة", "What to do about each"),
		AlsoCommon:  say("وأي طلب قد يُجاب أيضًا بـ", "Each request can also be answered with"),
		Requests:    say("ابدأ هنا", "Start here"), Payments: say("عمليات الدفع", "Payment intents"),
		Refunds: say("رد المبالغ", "Refunds"), Other: say("غير ذلك", "Other"),
		Webhooks: say("الإشعارات البرمجية", "Webhooks"),
		WebhooksIntro: say("طلبات POST نرسلها إلى عنوان الإشعارات الخاص بتطبيقك، موقَّعة بسرّه. لها كلها "+
			"الحقول نفسها تقريبًا.",
			"POST requests that we send to your application's webhook URL, signed with its secret. Nearly all "+
				"have the same fields."),
		WebhookTypes: say("أنواع الإشعارات", "Types of webhooks"),
		Event:        say("النوع", "Type"), Meaning: say("متى", "When"),
		WebhookHeaders: say("ترويسات الإشعار", "Headers of a webhook"),
		WebhookBody:    say("حقول الإشعار", "Fields of a webhook"),
		WebhookAnswers: say("بماذا تجيب", "What you answer"),
		Open:           say("لا يلزم مفتاح.", "Needs no credential."),
		Samples:        say("أمثلة برمجية جاهزة", "Ready-to-run code"),
		Answer:         say("الجواب", "Answer"), Answers: say("الأجوبة", "Answers"),
		Parameters: say("المعاملات", "Parameters"), Body: say("حقول الطلب", "Fields of the request"),
		AnswerFields: say("حقول الجواب", "Fields of the answer"),
		MoreFields:   say("حقول أخرى", "More fields"),
		IsObject:     say("في `data` كائن حقوله:", "`data` is one object with these fields:"),
		IsList:       say("في `data` قائمة كائنات حقولها:", "`data` is a list of objects with these fields:"),
		HasFields:    say("حقوله كما في", "the same fields as in"),
		Headers:      say("ترويسات الأجوبة", "Headers of answers"),
		Idempotent: say("طلب آخر بالقيمة نفسها لا ينشئ شيئًا: جوابه 200 بما أنشأه الأول، ومعه الترويسة",
			"Another request with this value creates nothing: it is answered 200 with what the first one "+
				"created, and the header"),
		IdempotencyGuide: say("منع التكرار", "Idempotency"), OnlyIn: say("فقط في", "only in"),
		Required: say("لازم", "required"), Optional: say("اختياري", "optional"),
		InPath: say("في المسار", "in the path"), InQuery: say("في الاستعلام", "in the query"),
		InHeader: say("ترويسة", "header"),
		String:   say("نص", "string"), Integer: say("عدد صحيح", "integer"),
		Boolean: say("true أو false", "boolean"),
		Object:  say("كائن", "object"), Array: say("قائمة", "array"),
		Null: "null", Or: say(" أو ", " or "),
		Comma: say("، ", ", "), UUID: "UUID", Moment: say("وقت بصيغة RFC 3339", "RFC 3339 time"), URL: "URL",
		Always: say("دائمًا #", "always #"), OneOf: say("إحدى القيم: #", "one of #"),
		FromTo: say("من # إلى #", "# to #"), AtLeast: say("# على الأقل", "at least #"),
		AtMost:       say("# على الأكثر", "at most #"),
		LengthFromTo: say("من # إلى # حرفًا", "#–# characters"),
		LengthFrom:   say("# حرف على الأقل", "at least # characters"),
		LengthTo:     say("حتى # حرفًا", "at most # characters"),
		ItemsFrom:    say("# على الأقل", "at least #"), ItemsTo: say("حتى # عنصر", "at most # items"),
		PairsTo: say("حتى # مفتاحًا", "at most # keys"),
		PairLengths: say("المفتاح حتى # حرفًا، والقيمة حتى # حرفًا",
			"a key at most # characters, a value at most #"),
		Capitals: say("ثلاثة أحرف لاتينية كبيرة", "three capital letters"), Digits: say("أرقام فقط", "digits only"),
		Matches: say("يطابق `#`", "matches `#`"), Default: say("إن لم ترسله فهو #", "# if left out"),
	}
}

// Place returns the location of a parameter.
func (t texts) Place(in string) string {
	return map[string]string{"path": t.InPath, "query": t.InQuery, "header": t.InHeader}[in]
}

// Need returns a word for whether a field may be left out.
func (t texts) Need(required bool) string {
	if required {
		return t.Required
	}
	return t.Optional
}

// mark returns the placeholder in a document for the types of webhooks. The server knows the form.
func mark(name string) string { return "⟦" + name + "⟧" }
