package view

import (
	"cmp"
	"strconv"

	"daftar/internal/locale"
	"daftar/webhooks"
)

// applicationTexts are the texts of the pages about applications and their keys.
type applicationTexts struct {
	Intro, None                string
	New, Create, Name          string
	NameHint                   string
	Mode, ModeHint, ModeBad    string
	TestOnly                   string
	Live, ForTests             string
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
	Failures                   map[string]string // of a try, by its error
	Broken                     string            // in another way
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

func applicationTextsIn(say locale.Say) applicationTexts {
	return applicationTexts{
		Intro: say("لكل متجر أو موقع تطبيقه، وله مفتاحه الخاص وإشعاراته. اسم التطبيق يراه الزبائن في صفحة الدفع.",
			"Each shop or site has its application, with a key and webhooks of its own. Customers see its name "+
				"on the payment page."),
		None: say("لا تطبيقات بعد. أنشئ الأول لتحصل على مفتاح API.",
			"There are no applications yet. Create the first to get an API key."),
		New:    say("تطبيق جديد", "New application"),
		Create: say("أنشئ التطبيق", "Create the application"),
		Name:   say("اسم التطبيق", "Name of the application"),
		NameHint: say("يراه الزبائن في صفحة الدفع، فاكتب الاسم الذي يعرفونه.",
			"Customers see it on the payment page: write the name they know."),
		Mode:     say("الوضع", "Mode"),
		ModeHint: say("لا يتغيّر بعد الإنشاء.", "It cannot be changed later."),
		TestOnly: say("مؤسستك للتجربة. اطلب من مشغّل الخدمة أن يفتحها للتطبيقات الحقيقية.",
			"Your organisation is for tests. Ask the people who run the service to open it for live applications."),
		ModeBad: say("اختر وضع التطبيق.", "Choose the mode of the application."),
		Live: say("يدفع الزبائن مالًا عبر حساباتك لدى جهات الدفع.",
			"Customers pay money, through your accounts with providers."),
		ForTests: say("لا تُسحب أموال: الدفع بأرقام التجربة وحدها، ومدفوعاته خارج الإيرادات والملفات.",
			"No money moves: payments take test numbers alone, and are in no revenue and no file."),
		URL: say("عنوان الإشعارات", "Webhook URL"),
		URLHint: say("اختياري: عنوان في خادمك نخبره بما يحدث للمدفوعات. يبدأ بـ \u2066https://\u2069 ويكون "+
			"متاحًا للعموم.",
			"Optional: an address of your server that we tell what happens to payments. It begins with https:// "+
				"and is public."),

		NameMissing: say("اكتب اسمًا.", "Write a name."),
		NameLong:    say("الاسم أطول من 255 حرفًا.", "The name is longer than 255 characters."),
		NameBad:     say("في الاسم حروف لا يمكن حفظها.", "The name has characters that cannot be kept."),
		URLBad: say("لا يمكن إرسال الإشعارات إلى هذا العنوان. تُرسل إلى عناوين تبدأ بـ \u2066https://\u2069 "+
			"لخوادم عامة يُعثر على اسمها، وإلى المنفذين 443 و8443، بلا اسم مستخدم ولا كلمة مرور ولا جزء بعد "+
			"#.",
			"Webhooks cannot go to this address. They go to https:// addresses of public servers whose name can "+
				"be found, to the ports 443 and 8443, without a user name, a password or a part after #."),
		Active: say("مفعّل", "Active"), Inactive: say("متوقف", "Inactive"), ID: say("المعرّف", "Identifier"),
		Since: say("أُنشئ في", "Created"), Key: say("مفتاح API", "API key"), KeyEnds: say("ينتهي بـ", "ends in"),
		KeyMade: say("أُنشئ المفتاح في", "Key created"), LastUsed: say("آخر استعمال", "Last used"),
		Never: say("لم يُستعمل بعد", "Never used"), From: say("من", "from"),
		Webhooks: say("الإشعارات البرمجية", "Webhooks"),
		Health:   say("الحال", "Health"), NoURL: say("بلا عنوان", "No URL"), Stopped: say("متوقفة", "Stopped"),
		Failing: say("متعثّرة", "Failing"),
		Trouble: say("فشلت آخر محاولة", "Last try failed"),
		Untried: say("لم يُرسل شيء بعد", "Nothing sent yet"),
		Works:   say("تعمل", "Working"), Slow: say("بطيئة", "Slow"),
		SlowWhy: say("يتأخر ردّ خادمك خمس ثوانٍ أو أكثر، فنرسل إليه إشعارًا واحدًا في كل مرة. ليُجب أولًا ثم "+
			"ليعمل.",
			"Your server takes five seconds or longer to answer, so it gets one webhook at a time. Let it "+
				"answer first and work afterwards."),
		TooManyApplications: say("بلغت مؤسستك أكبر عدد مسموح من التطبيقات. اطلب من مشغّل الخدمة أن يزيده.",
			"Your organisation has as many applications as it may have. Ask the operator of the service for more."),
		StoppedGone: say("أجاب الخادم بالرمز 410، فتوقفنا عن الإرسال إليه. الأحداث محفوظة.",
			"The server answered 410, so we stopped sending to it. Events are kept."),
		StoppedFailed: say("فشل كل شيء خمسة أيام، فتوقفنا عن الإرسال. الأحداث محفوظة.",
			"Everything failed for five days, so we stopped sending. Events are kept."),
		FailuresInARow: say("محاولات فاشلة متتالية", "failed tries in a row"),
		LastTry:        say("آخر محاولة", "Last try"),
		Failures: map[string]string{
			"refused": say("عنوان لا تُرسل إليه الإشعارات", "an address that webhooks do not go to"),
			"dns":     say("لم يُعثر على اسم الخادم", "the name of the host was not found"),
			"connect": say("تعذّر الاتصال", "no connection"),
			"timeout": say("لا جواب في الوقت المحدد", "no answer in time"),
			"tls": say("الشهادة موقّعة من نفسها أو من جهة إصدار غير معروفة",
				"the certificate is signed by itself or by an unknown issuer"),
			"tls_chain": say("لا يرسل الخادم الشهادة الوسيطة، أو أن جهة الإصدار غير معروفة",
				"the server does not send the intermediate certificate, or the issuer is unknown"),
			"tls_name":    say("الشهادة ليست لهذا الاسم", "the certificate is not for this name"),
			"tls_expired": say("انتهت صلاحية الشهادة", "the certificate has expired"),
			"tls_early":   say("لم تبدأ صلاحية الشهادة بعد", "the certificate is not valid yet"),
			"tls_protocol": say("لا إصدار TLS ولا تشفير مشترك (يلزم 1.2 فما فوق)، أو تُطلب شهادة للعميل",
				"no common TLS version (1.2 or later) or cipher, or a client certificate is required"),
			"tls_plain": say("لا TLS على هذا المنفذ، بل HTTP دون تشفير أو نحوه",
				"no TLS at this port, but plain HTTP or the like"),
			"tls_failed": say("قطع الخادم اتصال TLS، أو لا تصلح شهادته لخادم",
				"the server broke off TLS, or its certificate is not one for servers"),
		},
		Broken:   say("انقطع الاتصال", "the connection broke"),
		Answered: say("أجاب الخادم بالرمز", "the server answered"),

		Created:      say("أُنشئ التطبيق", "The application was created"),
		KeyRolled:    say("مفتاح API جديد", "A new API key"),
		SecretRolled: say("سر إشعارات جديد", "A new webhook secret"),
		KeepBoth: say("احفظ المفتاح والسر الآن، فلن يظهرا مرة أخرى، ولا نستطيع استرجاعهما.",
			"Save both now. They are not shown again, and we cannot recover them."),
		KeepOne: say("احفظه الآن. لن يظهر مرة أخرى، ولا نستطيع استرجاعه.",
			"Save it now. It is not shown again, and we cannot recover it."),
		Secret: say("سر الإشعارات", "Webhook secret"), SecretMade: say("أُنشئ السر في", "Secret made"),
		Copy: say("انسخ", "Copy"), Copied: say("تم النسخ.", "Copied."),
		ToApplication: say("إلى صفحة التطبيق", "To the application"),
		ToCode:        say("إلى الأمثلة البرمجية", "Code examples"),
		ToWebhooks:    say("كل الإشعارات البرمجية", "All webhooks"),
		AfterKey: say("المفتاح القديم لا يُقبل منذ هذه اللحظة. ضع الجديد في خادمك.",
			"The old key is refused as of now. Put the new one into your server."),
		AfterSecret: say("الإشعارات توقَّع بالسر الجديد منذ هذه اللحظة. ضعه في خادمك، وما يرفضه خادمك إلى ذلك "+
			"الحين يُعاد إرساله.",
			"Webhooks are signed with the new secret as of now. Put it into your server; what it refuses until "+
				"then is sent again."),

		RollKey: say("استبدال المفتاح…", "Replace the key…"),
		RollKeyWhat: say("يتوقف المفتاح الحالي فورًا: كل خادم يستعمله يُرفض طلبه بالرمز 401 حتى يوضع فيه "+
			"المفتاح الجديد. المدفوعات التي أُنشئت تبقى كما هي.",
			"The present key stops at once: every server that uses it gets 401 until the new one is put in. "+
				"Payments that were created stay as they are."),
		RollKeyUnused: say("لم يُستعمل المفتاح الحالي قط، فلن يتعطّل شيء نعرفه.",
			"The present key was never used, so nothing that we know of will break."),
		RollKeyDo:  say("استبدل المفتاح الآن", "Replace the key now"),
		RollSecret: say("استبدال السر…", "Replace the secret…"),
		RollSecretWhat: say("يتوقف السر الحالي فورًا: الإشعار التالي يوقَّع بالجديد، ويرفضه خادمك حتى تضع السر "+
			"الجديد فيه. ما يُرفض يُعاد إرساله، فلا يضيع شيء. وإن أردت ألّا يُرفض إشعار فاجعل خادمك يقبل "+
			"السرّين مدة.",
			"The present secret stops at once: the next webhook is signed with the new one, and your server "+
				"refuses it until you put that in. What it refuses is sent again, so nothing is lost. To have "+
				"none refused, let your server accept both secrets for a while."),
		RollSecretDo: say("استبدل السر الآن", "Replace the secret now"),
		SignedLast:   say("آخر إشعار وُقّع به أُرسل في", "The last webhook signed with it was sent"),
		SaveURL:      say("احفظ العنوان", "Save the URL"),
		ClearHint:    say("اتركه فارغًا لكي لا يُرسل شيء.", "Leave it empty to have nothing sent."),
		Test:         say("أرسل إشعارًا تجريبيًا", "Send a test webhook"),
		TestHint: say("لا يحدث شيء لأي دفعة: النوع webhook.test.",
			"Nothing happens to any payment: its type is webhook.test."),
		TestArrived: say("وصل الإشعار التجريبي.", "The test webhook arrived."),
		TestFailed: say("لم ينجح الإشعار التجريبي، وستُعاد المحاولة.",
			"The test webhook did not get through, and will be tried again."),
		TestPending: say("الإشعار التجريبي في طريقه.", "The test webhook is on its way."),
		LookAgain:   say("انظر ثانية", "Look again"), Rename: say("الاسم", "Name"),
		SaveName:   say("احفظ الاسم", "Save the name"),
		Deactivate: say("إيقاف التطبيق…", "Deactivate the application…"),
		DeactivateWhat: say("يُرفض مفتاحه فورًا بالرمز 401، فلا تُنشأ به مدفوعات ولا يُسأل عنها. المدفوعات التي "+
			"أُنشئت يبقى دفعها ممكنًا ما لم توقفها، وتبقى إشعاراتها تُرسل. ويمكنك تفعيله متى شئت.",
			"Its key is refused with 401 at once: it creates and retrieves no payments. Those that were created "+
				"can still be paid unless you stop them, and their webhooks are still sent. You can activate it "+
				"again at any time."),
		Stop: say("إيقاف صفحات الدفع المفتوحة", "Stop the open checkouts"),
		StopWhat: say("لا يستطيع أحد أن يبدأ الدفع، وتُلغى المدفوعات التي تنتظره. ما بدأ دفعه يُحسم بجواب جهة "+
			"الدفع. وما أُلغي لا يعود.",
			"No one can begin to pay, and payments that wait for it are canceled. Those that are being paid end "+
				"as the payment provider says. What was canceled stays canceled."),
		StopDo:       say("أوقف صفحات الدفع المفتوحة", "Stop the open checkouts"),
		StoppedAt:    say("أُوقفت صفحات الدفع المفتوحة في", "The open checkouts were stopped on"),
		DeactivateDo: say("أوقف التطبيق الآن", "Deactivate the application now"),
		Activate:     say("فعّل التطبيق", "Activate the application"),
		ActivateWhat: say("التطبيق متوقف ومفتاحه مرفوض. إذا فعّلته عاد المفتاح نفسه إلى العمل فورًا.",
			"The application is inactive and its key is refused. Activated, the same key works again at once."),
		PasswordAsked: say("قد نطلب كلمة المرور من جديد قبل ذلك.",
			"You may be asked for your password again first."),
	}
}

// State is whether an application is active, as a pill.
func (t applicationTexts) State(active bool) pill {
	if active {
		return pill{t.Active, "ok"}
	}
	return pill{t.Inactive, "off"}
}

// Fares is the health of an endpoint, as a pill.
func (t applicationTexts) Fares(e webhooks.Endpoint) pill {
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

// Why explains the trouble of an endpoint; empty: there is none.
func (t applicationTexts) Why(e webhooks.Endpoint) string {
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

// Outcome is the outcome of a try.
func (t applicationTexts) Outcome(r webhooks.Try) string {
	if r.Status != nil {
		return t.Answered + " " + strconv.Itoa(*r.Status)
	}
	return cmp.Or(t.Failures[r.Error], t.Broken)
}
