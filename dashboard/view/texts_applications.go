package view

import (
	"cmp"
	"strconv"

	"daftar/webhooks"
)

// TLSTexts say why there is no secure connection to an endpoint.
type TLSTexts struct {
	Issuer, Chain, Name, Expired, Early, Protocol, Plain, Failed string
}

// ApplicationTexts are the words of the pages about applications and their keys.
type ApplicationTexts struct {
	Intro, None                string
	New, Create, Name          string
	NameHint                   string
	URL, URLHint               string
	NameMissing, NameLong      string
	NameBad                    string
	URLBad                     string
	Active, Inactive           string
	ID, Since                  string
	Key, KeyEnds, KeyMade      string
	LastUsed, Never, From      string
	Webhooks, Health           string
	NoURL, Stopped, Failing    string
	Trouble, Untried, Works    string
	StoppedGone, StoppedFailed string
	Slow, SlowWhy              string
	TooManyApplications        string
	FailuresInARow             string
	LastTry                    string
	Refused, NoName            string
	NoConnection               string
	TLS                        TLSTexts
	TimedOut, Broken           string
	Answered                   string

	Created, KeyRolled, SecretRolled  string
	KeepBoth, KeepOne                 string
	Secret, SecretMade                string
	Copy, Copied                      string
	ToApplication, ToCode, ToWebhooks string
	AfterKey, AfterSecret             string

	RollKey, RollKeyWhat, RollKeyDo          string
	RollKeyUnused                            string
	RollSecret, RollSecretWhat, RollSecretDo string
	SignedLast                               string
	SaveURL, ClearHint                       string
	Test, TestHint                           string
	TestArrived, TestFailed, TestPending     string
	LookAgain                                string
	Rename, SaveName                         string
	Deactivate, DeactivateWhat, DeactivateDo string
	Stop, StopWhat, StopDo, StoppedAt        string
	Activate, ActivateWhat                   string
	PasswordAsked                            string
}

var arabicApplications = ApplicationTexts{
	Intro: "لكل متجر أو موقع تطبيقه، وله مفتاحه الخاص وإشعاراته. اسم التطبيق يراه الزبائن في صفحة الدفع.",
	None:  "لا تطبيقات بعد. أنشئ الأول لتحصل على مفتاح API.",
	New:   "تطبيق جديد", Create: "أنشئ التطبيق", Name: "اسم التطبيق",
	NameHint: "يراه الزبائن في صفحة الدفع، فاكتب الاسم الذي يعرفونه.",
	URL:      "عنوان الإشعارات",
	URLHint:  "اختياري: عنوان في خادمك نخبره بما يحدث للمدفوعات. يبدأ بـ \u2066https://\u2069 ويكون متاحًا للعموم.",

	NameMissing: "اكتب اسمًا.", NameLong: "الاسم أطول من 255 حرفًا.", NameBad: "في الاسم حروف لا يمكن حفظها.",
	URLBad: "لا يمكن إرسال الإشعارات إلى هذا العنوان. تُرسل إلى عناوين تبدأ بـ \u2066https://\u2069 لخوادم عامة يُعثر على اسمها، وإلى المنفذين 443 و8443، بلا اسم مستخدم ولا كلمة مرور ولا جزء بعد #.",
	Active: "نشط", Inactive: "معطّل",
	ID: "المعرّف", Since: "أُنشئ في",
	Key: "مفتاح API", KeyEnds: "ينتهي بـ", KeyMade: "أُنشئ المفتاح في",
	LastUsed: "آخر استعمال", Never: "لم يُستعمل بعد", From: "من",
	Webhooks: "الإشعارات", Health: "الحال",
	NoURL: "بلا عنوان", Stopped: "متوقفة", Failing: "متعثّرة", Trouble: "فشلت آخر محاولة", Untried: "لم يُرسل شيء بعد", Works: "تعمل",
	Slow: "بطيئة", SlowWhy: "يتأخر ردّ خادمك خمس ثوانٍ أو أكثر، فنرسل إليه إشعارًا واحدًا في كل مرة. ليُجب أولًا ثم ليعمل.",
	TooManyApplications: "بلغت مؤسستك أكبر عدد مسموح من التطبيقات. اطلب من مشغّل الخدمة أن يزيده.",
	StoppedGone:         "أجاب الخادم بالرمز 410، فتوقفنا عن الإرسال إليه. الأحداث محفوظة.",
	StoppedFailed:       "فشل كل شيء خمسة أيام، فتوقفنا عن الإرسال. الأحداث محفوظة.",
	FailuresInARow:      "محاولات فاشلة متتالية",
	LastTry:             "آخر محاولة", Refused: "عنوان لا تُرسل إليه الإشعارات", NoName: "لم يُعثر على اسم الخادم", NoConnection: "تعذّر الاتصال",
	TLS: TLSTexts{
		Issuer: "الشهادة موقّعة من نفسها أو من جهة إصدار غير معروفة", Chain: "لا يرسل الخادم الشهادة الوسيطة، أو أن جهة الإصدار غير معروفة",
		Name: "الشهادة ليست لهذا الاسم", Expired: "انتهت صلاحية الشهادة", Early: "لم تبدأ صلاحية الشهادة بعد",
		Protocol: "لا إصدار TLS ولا تشفير مشترك (يلزم 1.2 فما فوق)، أو تُطلب شهادة للعميل", Plain: "لا TLS على هذا المنفذ، بل HTTP دون تشفير أو نحوه",
		Failed: "قطع الخادم اتصال TLS، أو لا تصلح شهادته لخادم",
	},
	TimedOut: "لا جواب في الوقت المحدد", Broken: "انقطع الاتصال", Answered: "أجاب الخادم بالرمز",

	Created: "أُنشئ التطبيق", KeyRolled: "مفتاح API جديد", SecretRolled: "سر إشعارات جديد",
	KeepBoth: "احفظ الاثنين الآن. لن يظهرا مرة أخرى، ولا نستطيع استرجاعهما.",
	KeepOne:  "احفظه الآن. لن يظهر مرة أخرى، ولا نستطيع استرجاعه.",
	Secret:   "سر الإشعارات", SecretMade: "أُنشئ السر في",
	Copy: "انسخ", Copied: "تم النسخ.",
	ToApplication: "إلى صفحة التطبيق", ToCode: "إلى الشيفرة الجاهزة", ToWebhooks: "كل الإشعارات",
	AfterKey:    "المفتاح القديم لا يُقبل منذ هذه اللحظة. ضع الجديد في خادمك.",
	AfterSecret: "الإشعارات توقَّع بالسر الجديد منذ هذه اللحظة. ضعه في خادمك، وما يرفضه خادمك إلى ذلك الحين يُعاد إرساله.",

	RollKey:       "استبدال المفتاح…",
	RollKeyWhat:   "يتوقف المفتاح الحالي فورًا: كل خادم يستعمله يُرفض طلبه بالرمز 401 حتى يوضع فيه المفتاح الجديد. المدفوعات التي أُنشئت تبقى كما هي.",
	RollKeyUnused: "لم يُستعمل المفتاح الحالي قط، فلن يتعطّل شيء نعرفه.",
	RollKeyDo:     "استبدل المفتاح الآن",
	RollSecret:    "استبدال السر…",
	RollSecretWhat: "يتوقف السر الحالي فورًا: الإشعار التالي يوقَّع بالجديد، ويرفضه خادمك حتى تضع السر الجديد فيه. " +
		"ما يُرفض يُعاد إرساله، فلا يضيع شيء. وإن أردت ألّا يُرفض إشعار فاجعل خادمك يقبل السرّين مدة.",
	RollSecretDo: "استبدل السر الآن",
	SignedLast:   "آخر إشعار وُقّع به أُرسل في",
	SaveURL:      "احفظ العنوان", ClearHint: "اتركه فارغًا لكي لا يُرسل شيء.",
	Test: "أرسل إشعارًا تجريبيًا", TestHint: "لا يحدث شيء لأي دفعة: النوع webhook.test.",
	TestArrived: "وصل الإشعار التجريبي.", TestFailed: "لم ينجح الإشعار التجريبي، وستُعاد المحاولة.",
	TestPending: "الإشعار التجريبي في طريقه.", LookAgain: "انظر ثانية",
	Rename: "الاسم", SaveName: "احفظ الاسم",
	Deactivate:     "تعطيل التطبيق…",
	DeactivateWhat: "يُرفض مفتاحه فورًا بالرمز 401، فلا تُنشأ به مدفوعات ولا يُسأل عنها. المدفوعات التي أُنشئت يبقى دفعها ممكنًا ما لم توقفها، وتبقى إشعاراتها تُرسل. ويمكنك تنشيطه متى شئت.",
	Stop:           "إيقاف صفحات الدفع المفتوحة",
	StopWhat:       "لا يستطيع أحد أن يبدأ الدفع، وتُلغى المدفوعات التي تنتظره. ما بدأ دفعه يُحسم بجواب جهة الدفع. وما أُلغي لا يعود.",
	StopDo:         "أوقف صفحات الدفع المفتوحة",
	StoppedAt:      "أُوقفت صفحات الدفع المفتوحة في",
	DeactivateDo:   "عطّل التطبيق الآن", Activate: "نشّط التطبيق", ActivateWhat: "التطبيق معطّل ومفتاحه مرفوض. إذا نشّطته عاد المفتاح نفسه إلى العمل فورًا.",
	PasswordAsked: "قد نطلب كلمة المرور من جديد قبل ذلك.",
}

var englishApplications = ApplicationTexts{
	Intro: "Each shop or site has its application, with a key and webhooks of its own. Customers see its name on the payment page.",
	None:  "There are no applications yet. Create the first to get an API key.",
	New:   "New application", Create: "Create the application", Name: "Name of the application",
	NameHint: "Customers see it on the payment page: write the name they know.",
	URL:      "Webhook URL",
	URLHint:  "Optional: an address of your server that we tell what happens to payments. It begins with https:// and is public.",

	NameMissing: "Write a name.", NameLong: "The name is longer than 255 characters.", NameBad: "The name has characters that cannot be kept.",
	URLBad: "Webhooks cannot go to this address. They go to https:// addresses of public servers whose name can be found, to the ports 443 and 8443, without a user name, a password or a part after #.",
	Active: "Active", Inactive: "Inactive",
	ID: "Identifier", Since: "Created",
	Key: "API key", KeyEnds: "ends in", KeyMade: "Key created",
	LastUsed: "Last used", Never: "Never used", From: "from",
	Webhooks: "Webhooks", Health: "Health",
	NoURL: "No URL", Stopped: "Stopped", Failing: "Failing", Trouble: "Last try failed", Untried: "Nothing sent yet", Works: "Working",
	Slow: "Slow", SlowWhy: "Your server takes five seconds or longer to answer, so it gets one webhook at a time. Let it answer first and work afterwards.",
	TooManyApplications: "Your organisation has as many applications as it may have. Ask the operator of the service for more.",
	StoppedGone:         "The server answered 410, so we stopped sending to it. Events are kept.",
	StoppedFailed:       "Everything failed for five days, so we stopped sending. Events are kept.",
	FailuresInARow:      "failed tries in a row",
	LastTry:             "Last try", Refused: "an address that webhooks do not go to", NoName: "the name of the host was not found",
	NoConnection: "no connection",
	TLS: TLSTexts{
		Issuer: "the certificate is signed by itself or by an unknown issuer", Chain: "the server does not send the intermediate certificate, or the issuer is unknown",
		Name: "the certificate is not for this name", Expired: "the certificate has expired", Early: "the certificate is not valid yet",
		Protocol: "no common TLS version (1.2 or later) or cipher, or a client certificate is required", Plain: "no TLS at this port, but plain HTTP or the like",
		Failed: "the server broke off TLS, or its certificate is not one for servers",
	},
	TimedOut: "no answer in time", Broken: "the connection broke",
	Answered: "the server answered",

	Created: "The application was created", KeyRolled: "A new API key", SecretRolled: "A new webhook secret",
	KeepBoth: "Keep both now. They are not shown again, and we cannot recover them.",
	KeepOne:  "Save it now. It is not shown again, and we cannot recover it.",
	Secret:   "Webhook secret", SecretMade: "Secret made",
	Copy: "Copy", Copied: "Copied.",
	ToApplication: "To the application", ToCode: "To code that works", ToWebhooks: "All webhooks",
	AfterKey:    "The old key is refused as of now. Put the new one into your server.",
	AfterSecret: "Webhooks are signed with the new secret as of now. Put it into your server; what it refuses until then is sent again.",

	RollKey:       "Replace the key…",
	RollKeyWhat:   "The present key stops at once: every server that uses it gets 401 until the new one is put in. Payments that were created stay as they are.",
	RollKeyUnused: "The present key was never used, so nothing that we know of will break.",
	RollKeyDo:     "Replace the key now",
	RollSecret:    "Replace the secret…",
	RollSecretWhat: "The present secret stops at once: the next webhook is signed with the new one, and your server refuses it until you put that in. " +
		"What it refuses is sent again, so nothing is lost. To have none refused, let your server accept both secrets for a while.",
	RollSecretDo: "Replace the secret now",
	SignedLast:   "The last webhook signed with it was sent",
	SaveURL:      "Save the URL", ClearHint: "Leave it empty to have nothing sent.",
	Test: "Send a test webhook", TestHint: "Nothing happens to any payment: its type is webhook.test.",
	TestArrived: "The test webhook arrived.", TestFailed: "The test webhook did not get through, and will be tried again.",
	TestPending: "The test webhook is on its way.", LookAgain: "Look again",
	Rename: "Name", SaveName: "Save the name",
	Deactivate:     "Deactivate the application…",
	DeactivateWhat: "Its key is refused with 401 at once: it creates and retrieves no payments. Those that were created can still be paid unless you stop them, and their webhooks are still sent. You can activate it again at any time.",
	Stop:           "Stop the open checkouts",
	StopWhat:       "Nobody can begin to pay, and payments that wait for it are canceled. Those that are being paid end as the payment provider says. What was canceled stays canceled.",
	StopDo:         "Stop the open checkouts",
	StoppedAt:      "The open checkouts were stopped on",
	DeactivateDo:   "Deactivate the application now", Activate: "Activate the application", ActivateWhat: "The application is inactive and its key is refused. Activated, the same key works again at once.",
	PasswordAsked: "You may be asked for your password again first.",
}

// State is whether an application is let in, as a pill.
func (t ApplicationTexts) State(active bool) pill {
	if active {
		return pill{t.Active, "ok"}
	}
	return pill{t.Inactive, "off"}
}

// Fares is how an endpoint does, as a pill.
func (t ApplicationTexts) Fares(e webhooks.Endpoint) pill {
	switch {
	case e.URL == nil:
		return pill{t.NoURL, "off"}
	case e.DisabledAt != nil:
		return pill{t.Stopped, "late"}
	case e.Failing():
		return pill{t.Failing, "late"}
	case e.Slow():
		return pill{t.Slow, "wait"}
	case e.Last == nil:
		return pill{t.Untried, "off"}
	case e.FailingSince != nil || e.Last.Error != "":
		return pill{t.Trouble, "wait"}
	}
	return pill{t.Works, "ok"}
}

// Why says more where an endpoint is in trouble; empty: there is no more to say.
func (t ApplicationTexts) Why(e webhooks.Endpoint) string {
	switch {
	case e.DisabledAt != nil && e.Gone:
		return t.StoppedGone
	case e.DisabledAt != nil:
		return t.StoppedFailed
	case e.Slow():
		return t.SlowWhy
	}
	return ""
}

// Outcome is what came of a try.
func (t ApplicationTexts) Outcome(r webhooks.Try) string {
	if r.Status != nil {
		return t.Answered + " " + strconv.Itoa(*r.Status)
	}
	switch r.Error {
	case "refused":
		return t.Refused
	case "dns":
		return t.NoName
	case "connect":
		return t.NoConnection
	case "timeout":
		return t.TimedOut
	}
	return cmp.Or(t.TLS.of(r.Error), t.Broken)
}

// of is what a kind of failure of TLS means; empty for other failures.
func (t TLSTexts) of(kind string) string {
	switch kind {
	case "tls":
		return t.Issuer
	case "tls_chain":
		return t.Chain
	case "tls_name":
		return t.Name
	case "tls_expired":
		return t.Expired
	case "tls_early":
		return t.Early
	case "tls_protocol":
		return t.Protocol
	case "tls_plain":
		return t.Plain
	case "tls_failed":
		return t.Failed
	}
	return ""
}
