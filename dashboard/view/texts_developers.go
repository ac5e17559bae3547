package view

import "strings"

// developerTexts are the words of the developers' corner.
type developerTexts struct {
	Intro, BaseURL, BaseHint   string
	Steps, StepsOf, Done, ToDo string
	Application, Token, Intent string
	Paid, URL, Delivered       string
	Acquirer, Brand            string
	Invitation, Link           string
	PaidHint                   string
	Code, CodeIntro, CodeFor   string
	Languages                  string
	Setup, SetupHint           string
	Create, CreateHint         string
	Retrieve, RetrieveHint     string
	Verify, VerifyHint         string
	Receive, ReceiveHint       string
	ReceiveShell               string
	Copy, Copied               string
	More, Docs, DocsHint       string
	Reference, ReferenceHint   string
	Guide, GuideHint           string
	Sandbox, SandboxHint       string
}

var arabicDevelopers = developerTexts{
	Intro: "كل ما يلزم لربط متجرك: خطوات أول دفعة، وأمثلة برمجية جاهزة، ومرجع الواجهة.", BaseURL: "عنوان الواجهة",
	BaseHint: "كل الطلبات تبدأ به. يُرسل معها مفتاح التطبيق في X-API-Key ورمز الوصول في Authorization.",
	Steps:    "إلى أول دفعة", StepsOf: "تمّت {done} من {all}", Done: "تمّت", ToDo: "لم تتم بعد",
	Application: "أنشئ تطبيقًا", Token: "أنشئ رمز وصول", Intent: "أنشئ أول عملية دفع بالشيفرة أدناه", Paid: "ادفعها في صفحة الدفع",
	URL: "اضبط عنوان الإشعارات", Delivered: "أجب عن أول إشعار برمز من 200 إلى 299",
	Acquirer: "اربط حسابك لدى جهة دفع", Brand: "أضف اسم متجرك وشعاره كما يراهما الزبون", Invitation: "ادعُ من يعمل معك", Link: "أنشئ رابط دفع وأرسله إلى زبون",
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
	More: "التوثيق", Docs: "توثيق المطوّرين", DocsHint: "البداية السريعة، وحياة عملية الدفع، والأخطاء، والتشغيل الفعلي. تُقرأ من دون حساب.",
	Reference: "مرجع الواجهة", ReferenceHint: "كل مسار وحقل وجواب، بأمثلة.",
	Guide: "دليل الإشعارات", GuideHint: "ما يصلك، وكيف تتحقق منه، وكيف تجيب.",
	Sandbox: "أرقام التجربة", SandboxHint: "أرقام ورموز تُظهر كل ما قد يحدث.",
}

var englishDevelopers = developerTexts{
	Intro: "What it takes to connect your shop: the steps to the first payment, ready-to-run code, and the API reference.", BaseURL: "Base URL",
	BaseHint: "Every request begins with it. With it go the application's key in X-API-Key and an access token in Authorization.",
	Steps:    "To the first payment", StepsOf: "{done} of {all} done", Done: "Done", ToDo: "Not yet",
	Application: "Create an application", Token: "Create an access token", Intent: "Create the first payment with the code below", Paid: "Pay it on the payment page",
	URL: "Set the webhook URL", Delivered: "Answer the first webhook with 200 to 299",
	Acquirer: "Connect your account with a payment provider", Brand: "Add your shop’s name and logo as customers see them", Invitation: "Invite the people you work with", Link: "Create a payment link and send it to a customer",
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
	More: "Documentation", Docs: "Documentation for developers", DocsHint: "Quick start, the life of a payment, errors, going live. It can be read without an account.",
	Reference: "API reference", ReferenceHint: "Every path, field and answer, with examples.",
	Guide: "Guide to webhooks", GuideHint: "What arrives, how to verify it and how to answer.",
	Sandbox: "Test numbers", SandboxHint: "Numbers and codes that show everything that can happen.",
}

// Progress says how many steps are done.
func (t developerTexts) Progress(done, all int) string {
	digit := func(n int) string { return string(rune('0' + n)) } // there are less than ten
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
	case StepAcquirer:
		return t.Acquirer
	case StepBrand:
		return t.Brand
	case StepInvitation:
		return t.Invitation
	case StepLink:
		return t.Link
	}
	panic("view: unknown step")
}
