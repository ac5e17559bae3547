package view

import "strings"

// developerTexts are the words of the developers' corner.
type developerTexts struct {
	Intro, BaseURL, BaseHint         string
	Steps, StepsOf, Done, ToDo       string
	Application, Token, Intent       string
	Paid, URL, Delivered             string
	PaidHint                         string
	Code, CodeIntro, CodeFor         string
	Languages                        string
	Setup, SetupHint                 string
	Create, CreateHint               string
	Retrieve, RetrieveHint           string
	Verify, VerifyHint               string
	Receive, ReceiveHint             string
	ReceiveShell                     string
	Copy, Copied                     string
	More, Reference, ReferenceHint   string
	ReferenceIntro, Document         string
	Guide, GuideHint                 string
	Sandbox, SandboxHint, SandboxOff string
	Back                             string

	Wallet, WalletIntro     string
	Card, CardIntro         string
	Numbers, NumbersIntro   string
	Does                    string
	Pays, Declines, Wrong   string
	CardPay, CardDecline    string
	CardLeave               string
	Number1, Number2        string
	Number3, Number4        string
	Number5, OtherNumber    string
	CodeWord, Button, Phone string
}

var arabicDevelopers = developerTexts{
	Intro: "كل ما يلزم لربط متجرك: خطوات أول دفعة، وأمثلة برمجية جاهزة، ومرجع الواجهة.", BaseURL: "عنوان الواجهة",
	BaseHint: "كل الطلبات تبدأ به. يُرسل معها مفتاح التطبيق في X-API-Key ورمز الوصول في Authorization.",
	Steps:    "إلى أول دفعة", StepsOf: "تمّت {done} من {all}", Done: "تمّت", ToDo: "لم تتم بعد",
	Application: "أنشئ تطبيقًا", Token: "أنشئ رمز وصول", Intent: "أنشئ أول عملية دفع بالشيفرة أدناه", Paid: "ادفعها في صفحة الدفع",
	URL: "اضبط عنوان الإشعارات", Delivered: "أجب عن أول إشعار برمز من 200 إلى 299",
	PaidHint: "في وضع التجربة: أي رقم هاتف محمول ليبي، ورمز التحقق 111111.",
	Code:     "أمثلة برمجية جاهزة", CodeIntro: "الشيفرة مكتوبة للتطبيق المختار. ضع الأسرار في متغيرات البيئة لا في الشيفرة، فلا تصل إلى المستودع.",
	CodeFor: "التطبيق", Languages: "اللغة",
	Setup: "الأسرار", SetupHint: "ضعها حيث يعمل خادمك. لا نعرض قيمها: تراها مرة واحدة حين تُنشأ.",
	Create:     "أنشئ عملية دفع",
	CreateHint: "merchant_reference رقم طلبيتك، وهو ما يمنع التكرار: إن أُرسل الطلب مرتين بالرقم نفسه عادت العملية نفسها (200 بدل 201) ولم تُنشأ أخرى. فإن لم يصلك جواب فأرسل الطلب نفسه ثانية. أرسل الزبون بعدها إلى checkout_url.",
	Retrieve:   "اسأل عن حالها", RetrieveHint: "اسأل حين يصل إشعار أو يعود الزبون، ولا تسلّم البضاعة إلا إذا كانت status تساوي succeeded.",
	Verify: "تحقّق من التوقيع", VerifyHint: "ضعها في ملف بجانب الذي يليه.",
	Receive: "استقبل الإشعارات", ReceiveHint: "خادم صغير كامل: يتحقق من التوقيع ثم يجيب. جرّبه بزر «أرسل إشعارًا تجريبيًا» في صفحة التطبيق.",
	ReceiveShell: "ليس لـ curl خادم. هذا الأمر يوصل إشعارات التطبيق إلى جهازك من غير عنوان عام.",
	Copy:         "انسخ", Copied: "تم النسخ.",
	More: "للقراءة", Reference: "مرجع الواجهة", ReferenceHint: "كل مسار وحقل وجواب، بأمثلة.",
	ReferenceIntro: "أوصاف الحقول بالإنجليزية، كما هي في ملف OpenAPI الذي تُختبر به الواجهة نفسها.", Document: "ملف OpenAPI",
	Guide: "دليل الإشعارات", GuideHint: "ما يصلك، وكيف تتحقق منه، وكيف تجيب.",
	Sandbox: "أرقام التجربة", SandboxHint: "أرقام ورموز تُظهر كل ما قد يحدث.", SandboxOff: "هذه الأرقام تعمل في وضع التجربة فقط، وهذه الخدمة ليست فيه.",
	Back: "إلى ركن المطوّرين",

	Wallet: "المحفظة", WalletIntro: "اكتب أي رقم هاتف محمول ليبي، ثم أحد هذه الرموز.",
	Card: "البطاقة", CardIntro: "تظهر صفحة مصرف فيها ثلاثة أزرار.",
	Numbers: "أرقام خاصة", NumbersIntro: "هذه الأرقام تتصرف بطريقتها حين يُكتب رمز التحقق 111111. لا يصل الرقم أكثر من ستة رموز في الساعة ما لم يتم الدفع؛ وإن احتجت إلى المزيد فاكتب 096000 ثم أي ثلاثة أرقام ثم الرقم الأخير.",
	Does: "ما يحدث",
	Pays: "يتم الدفع.", Declines: "يُرفض الدفع.", Wrong: "رمز خاطئ. بعد خمس مرات تُقفل المحاولة.",
	CardPay: "يتم الدفع.", CardDecline: "يُرفض الدفع.", CardLeave: "ترك الزبون صفحة المصرف، ولم يُسحب شيء.",
	Number1: "يُسحب المال ولا يأتي جواب. بعد 3 ثوانٍ يقول الاستعلام إن الدفع تم. لتجربة نتيجة مجهولة.",
	Number2: "لا يُسحب مال ولا يأتي جواب. يقول الاستعلام إن الدفع لم يتم.",
	Number3: "يبقى معلّقًا من البداية إلى أن يُحسم من لوحة التحكم بالتجربة.",
	Number4: "يُرفض لعدم كفاية الرصيد، ويمكن أن يُحسم مدفوعًا بعد ذلك. لتجربة الدفع المتأخر.",
	Number5: "يتم الدفع، ويُخبرنا المصرف ثلاث مرات: مرة صحيحة، ومرة بمبلغ خاطئ، ومرة بتوقيع خاطئ.", OtherNumber: "غير ذلك",
	CodeWord: "الرمز", Button: "الزر", Phone: "الرقم",
}

var englishDevelopers = developerTexts{
	Intro: "What it takes to connect your shop: the steps to the first payment, code that works as it is, and the API reference.", BaseURL: "Base URL",
	BaseHint: "Every request begins with it. With it go the application's key in X-API-Key and an access token in Authorization.",
	Steps:    "To the first payment", StepsOf: "{done} of {all} done", Done: "Done", ToDo: "Not yet",
	Application: "Create an application", Token: "Create an access token", Intent: "Create the first payment with the code below", Paid: "Pay it on the payment page",
	URL: "Set the webhook URL", Delivered: "Answer the first webhook with 200 to 299",
	PaidHint: "In test mode: any Libyan mobile number, and the code 111111.",
	Code:     "Ready-to-run code", CodeIntro: "It is written for the chosen application. Keep the secrets in environment variables and not in the code, so that they do not get into a repository.",
	CodeFor: "Application", Languages: "Language",
	Setup: "The secrets", SetupHint: "Set them where your server runs. We do not show their values: you see them once, when they are made.",
	Create:     "Create a payment",
	CreateHint: "merchant_reference is the number of your order, and keeps payments from being made twice: the same request again gives the same payment (200 instead of 201). Where no answer comes, send the same request again. Then send the customer to checkout_url.",
	Retrieve:   "Check payment status", RetrieveHint: "Ask when a webhook arrives or the customer comes back, and hand over the goods only if status is succeeded.",
	Verify: "Verify the signature", VerifyHint: "Put it into a file beside the next one.",
	Receive: "Receive webhooks", ReceiveHint: "A small server, complete: it verifies the signature and answers. Try it with “Send a test webhook” on the application's page.",
	ReceiveShell: "curl is no server. This command brings the application's webhooks to your machine, without a public address.",
	Copy:         "Copy", Copied: "Copied.",
	More: "Documentation", Reference: "API reference", ReferenceHint: "Every path, field and answer, with examples.",
	ReferenceIntro: "It is made from the OpenAPI file by which the API itself is tested.", Document: "OpenAPI file",
	Guide: "Guide to webhooks", GuideHint: "What arrives, how to verify it and how to answer.",
	Sandbox: "Test numbers", SandboxHint: "Numbers and codes that show everything that can happen.", SandboxOff: "These numbers work in test mode only, and this service is not in it.",
	Back: "To the developers' corner",

	Wallet: "Wallet", WalletIntro: "Type any Libyan mobile number, then one of these codes.",
	Card: "Card", CardIntro: "A bank's page appears, with three buttons.",
	Numbers: "Special numbers", NumbersIntro: "These numbers act in their own way when the code 111111 is typed. A number gets six codes an hour that do not end in a payment; for more, type 096000, any three digits and the last digit.",
	Does: "What happens",
	Pays: "It is paid.", Declines: "It is declined.", Wrong: "A wrong code. Five of them lock the attempt.",
	CardPay: "It is paid.", CardDecline: "It is declined.", CardLeave: "The customer left the bank's page; no money was taken.",
	Number1: "The money is taken and no answer comes. After 3 seconds an inquiry says it is paid. For trying out an unknown outcome.",
	Number2: "No money is taken and no answer comes. An inquiry says it is not paid.",
	Number3: "Stays pending from the beginning until it is settled through the sandbox's control.",
	Number4: "Declined for insufficient funds, and can be settled as paid later. For trying out a late payment.",
	Number5: "It is paid, and the bank tells us three times: once right, once with a wrong amount, once with a bad signature.", OtherNumber: "anything else",
	CodeWord: "Code", Button: "Button", Phone: "Number",
}

// Progress says how many steps are done.
func (t developerTexts) Progress(done, all int) string {
	digit := func(n int) string { return string(rune('0' + n)) } // there are six steps
	return strings.NewReplacer("{done}", digit(done), "{all}", digit(all)).Replace(t.StepsOf)
}

// Step is what a step asks for.
func (t developerTexts) Step(s Step) string {
	switch s.Name {
	case StepApplication:
		return t.Application
	case StepToken:
		return t.Token
	case StepIntent:
		return t.Intent
	case StepPaid:
		return t.Paid
	case StepURL:
		return t.URL
	case StepDelivered:
		return t.Delivered
	}
	panic("view: unknown step")
}

// Codes, Buttons and Phones are what the sandbox knows.
func (t developerTexts) Codes() []sandboxRow {
	return []sandboxRow{{"111111", t.Pays}, {"000000", t.Declines}, {t.OtherNumber, t.Wrong}}
}

func (t developerTexts) Buttons() []sandboxRow {
	return []sandboxRow{{"pay", t.CardPay}, {"decline", t.CardDecline}, {"leave", t.CardLeave}}
}

func (t developerTexts) Phones() []sandboxRow {
	return []sandboxRow{
		{"0920000001", t.Number1}, {"0920000002", t.Number2}, {"0920000003", t.Number3}, {"0920000004", t.Number4}, {"0920000005", t.Number5},
	}
}
