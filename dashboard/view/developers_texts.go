package view

import (
	"strings"

	"daftar/internal/locale"
)

// developerTexts are the texts of the page for developers.
type developerTexts struct {
	Intro, BaseURL, BaseHint   string
	Steps, StepsOf, Done, ToDo string
	Asks                       map[stepName]string // what the steps ask for
	PaidHint                   string
	Code, CodeIntro, CodeFor   string
	Languages                  string
	Setup, SetupHint           string
	Create, CreateHint         string
	Retrieve, RetrieveHint     string
	Verify, VerifyHint         string
	Receive, ReceiveHint       string
	ReceiveShell               string
	Requests, RequestsHint     string
	Copy, Copied               string
	More, Docs, DocsHint       string
	Reference, ReferenceHint   string
	Guide, GuideHint           string
	Sandbox, SandboxHint       string
}

func developerTextsIn(say locale.Say) developerTexts {
	return developerTexts{
		Requests:     say("طلبات API", "API requests"),
		RequestsHint: say("ما وصل وما أجبنا به:", "What came, and what we answered:"),
		Intro: say("كل ما يلزم لربط متجرك: خطوات أول دفعة، وأمثلة برمجية جاهزة، ومرجع الواجهة.",
			"What it takes to connect your shop: the steps to the first payment, ready-to-run code, and the API "+
				"reference."),
		BaseURL: say("عنوان الواجهة", "Base URL"),
		BaseHint: say("كل الطلبات تبدأ به. يُرسل معها مفتاح التطبيق في X-API-Key ورمز الوصول في Authorization.",
			"Every request begins with it. With it go the application's key in X-API-Key and an access token in "+
				"Authorization."),
		Steps:   say("إلى أول دفعة", "To the first payment"),
		StepsOf: say("تمّت {done} من {all}", "{done} of {all} done"),
		Done:    say("تمّت", "Done"), ToDo: say("لم تتم بعد", "Not yet"),
		PaidHint: say("في وضع التجربة: أي رقم هاتف محمول ليبي، ورمز التحقق 111111.",
			"In test mode: any Libyan mobile number, and the code 111111."),
		Code: say("أمثلة برمجية جاهزة", "Ready-to-run code"),
		CodeIntro: say("الأمثلة مكتوبة للتطبيق المختار. ضع الأسرار في متغيرات البيئة لا في البرنامج، فلا تصل إلى "+
			"المستودع.",
			"It is written for the chosen application. Keep the secrets in environment variables and not in the "+
				"code, so that they do not get into a repository."),
		CodeFor: say("التطبيق", "Application"), Languages: say("اللغة", "Language"),
		Setup: say("الأسرار", "The secrets"),
		SetupHint: say("ضعها حيث يعمل خادمك. لا نعرض قيمها: تراها مرة واحدة حين تُنشأ.",
			"Set them where your server runs. We do not show their values: you see them once, when they are made."),
		Create: say("أنشئ عملية دفع", "Create a payment"),
		CreateHint: say("merchant_reference رقم طلبيتك، وهو ما يمنع التكرار: إن أُرسل الطلب مرتين بالرقم نفسه "+
			"عادت العملية نفسها (200 بدل 201) ولم تُنشأ أخرى. فإن لم يصلك جواب فأرسل الطلب نفسه ثانية. أرسل "+
			"الزبون بعدها إلى checkout_url.",
			"merchant_reference is the number of your order, and keeps payments from being made twice: the same "+
				"request again gives the same payment (200 instead of 201). Where no answer comes, send the "+
				"same request again. Then send the customer to checkout_url."),
		Retrieve: say("اسأل عن حالها", "Check payment status"),
		RetrieveHint: say("اسأل حين يصل إشعار أو يعود الزبون، ولا تسلّم البضاعة إلا إذا كانت status تساوي "+
			"succeeded.",
			"Ask when a webhook arrives or the customer comes back, and hand over the goods only if status is "+
				"succeeded."),
		Verify:     say("تحقّق من التوقيع", "Verify the signature"),
		VerifyHint: say("ضعها في ملف بجانب الذي يليه.", "Put it into a file in the same folder as the next one."),
		Receive:    say("استقبل الإشعارات البرمجية", "Receive webhooks"),
		ReceiveHint: say("خادم صغير كامل: يتحقق من التوقيع ثم يجيب. جرّبه بزر «أرسل إشعارًا تجريبيًا» في صفحة "+
			"التطبيق.",
			"A small server, complete: it verifies the signature and answers. Try it with “Send a test webhook” "+
				"on the application's page."),
		ReceiveShell: say("ليس لـ curl خادم. هذا الأمر يوصل إشعارات التطبيق إلى جهازك من غير عنوان عام.",
			"curl is no server. This command brings the application's webhooks to your machine, without a "+
				"public address."),
		Copy: say("انسخ", "Copy"), Copied: say("تم النسخ.", "Copied."), More: say("التوثيق", "Documentation"),
		Docs: say("توثيق المطوّرين", "Documentation for developers"),
		DocsHint: say("البداية السريعة، وحياة عملية الدفع، والأخطاء، والتشغيل الفعلي. تُقرأ من دون حساب.",
			"Quick start, the life of a payment, errors, going live. It can be read without an account."),
		Reference:     say("مرجع الواجهة", "API reference"),
		ReferenceHint: say("كل مسار وحقل وجواب، بأمثلة.", "Every path, field and answer, with examples."),
		Guide:         say("دليل الإشعارات البرمجية", "Guide to webhooks"),
		GuideHint: say("ما يصلك، وكيف تتحقق منه، وكيف تجيب.",
			"What arrives, how to verify it and how to answer."),
		Sandbox: say("أرقام التجربة", "Test numbers"),
		SandboxHint: say("أرقام ورموز تُظهر كل ما قد يحدث.",
			"Numbers and codes that show everything that can happen."),
		Asks: map[stepName]string{
			StepApplication: say("أنشئ تطبيقًا", "Create an application"),
			StepToken:       say("أنشئ رمز وصول", "Create an access token"),
			StepIntent:      say("أنشئ أول عملية دفع بمثال مما يلي", "Create the first payment with the code below"),
			StepPaid:        say("ادفعها في صفحة الدفع", "Pay it on the payment page"),
			StepURL:         say("اضبط عنوان الإشعارات", "Set the webhook URL"),
			StepDelivered:   say("أجب عن أول إشعار برمز من 200 إلى 299", "Answer the first webhook with 200 to 299"),
			StepAcquirer:    say("اربط حسابك لدى جهة دفع", "Connect your account with a payment provider"),
			StepBrand: say("أضف اسم متجرك وشعاره كما يراهما الزبون",
				"Add your shop’s name and logo as customers see them"),
			StepInvitation: say("ادعُ من يعمل معك", "Invite the people you work with"),
			StepLink:       say("أنشئ رابط دفع وأرسله إلى زبون", "Create a payment link and send it to a customer"),
		},
	}
}

// Progress is the number of steps that are done, as a sentence.
func (t developerTexts) Progress(done, all int) string {
	digit := func(n int) string { return string(rune('0' + n)) } // there are less than ten
	return strings.NewReplacer("{done}", digit(done), "{all}", digit(all)).Replace(t.StepsOf)
}

// Step is the text of a step.
func (t developerTexts) Step(s Step) string { return t.Asks[s.Name] }
