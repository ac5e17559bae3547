package view

import "daftar/internal/locale"

// acquirerTexts are the texts of the pages about accounts with acquirers. {name} is replaced by
// the acquirer's name.
type acquirerTexts struct {
	say locale.Say

	Title, Intro, Sandbox         string
	TestOnly                      string
	None, NoneSandbox, NoneHint   string
	NoneConnected                 string
	ToAdd, Add, Manage, ToList    string
	On, Off, Offered, NotOffered  string
	Application, ChangedAt        string
	Methods, MethodsHint          string
	Up, Down, Offer, Withdraw     string
	Least, Most, Limits           string
	LimitsHint, SaveLimits        string
	LimitBad, LimitLow, LimitHigh string
	LimitsCross                   string
	NotifyURL, NotifyHint         string
	Check, CheckHint, CheckDo     string
	Accepted, Refused             string
	Unprovable, Unreachable       string
	Credentials, CredentialsHint  string
	Replace, FormNew, FormReplace string
	FormIntro, Save               string
	Missing, Malformed, Optional  string
	OfferWhich, OfferHint         string
	OfferNone                     string
	TurnOff, TurnOffWhat          string
	TurnOffDo                     string
	TurnOn, TurnOnWhat            string
	Remove, RemoveWhat, RemoveDo  string
	NotConnected                  string
}

func acquirerTextsIn(say locale.Say) acquirerTexts {
	return acquirerTexts{
		say: say,

		Title: say("وسائل الدفع", "Payment methods"),
		Intro: say("ما يختار منه زبائنك في صفحة الدفع، بهذا الترتيب. لكل جهة دفع حساب باسم متجرك، وإليه تصل "+
			"أموالك مباشرة.",
			"What your customers choose from on the payment page, in this order. With each provider you have an "+
				"account of your own, and the money goes straight to it."),
		Sandbox: say("وضع التجربة مفعّل: تعرض صفحة الدفع، بعد حساباتك، المحفظة الإلكترونية والبطاقة "+
			"التجريبيتين. لا تُسحب بهما أموال حقيقية.",
			"Test mode is on: after your accounts the payment page offers the phone wallet and the card of the "+
				"sandbox. They move no real money."),
		TestOnly: say("هذا تطبيق تجريبي: لا تعرض صفحة دفعه إلا المحفظة والبطاقة التجريبيتين، ولا حاجة به إلى "+
			"حساب لدى جهة دفع.",
			"This is a test application: its payment page offers only the phone wallet and the card of the "+
				"sandbox, and it needs no account with a payment provider."),
		None: say("لا يستقبل هذا التطبيق أموالًا بعد: لا يجد الزبون في صفحة الدفع وسيلة يدفع بها.",
			"This application takes no money yet: customers find no payment method on the payment page."),
		NoneSandbox: say("لم يُضف حساب بعد: لا يجد الزبون في صفحة الدفع إلا وسائل التجربة.",
			"There is no account yet: customers find only the methods of test mode on the payment page."),
		NoneHint: say("افتح حساب تاجر لدى إحدى جهات الدفع، ثم أضفه هنا بالمفاتيح التي تعطيك إياها.",
			"Open a merchant account with one of the payment providers, then add it here with the keys that "+
				"they give you."),
		NoneConnected: say("هذه الخدمة غير موصولة بأي جهة دفع. اطلب من مشغّل الخدمة أن يوصلها.",
			"This service is not connected with any payment provider. Ask its operator for one."),
		ToAdd:  say("جهات دفع يمكنك إضافتها", "Payment providers that you can add"),
		Add:    say("أضف حساب {name}", "Add an account with {name}"),
		Manage: say("إدارة وسائل الدفع", "Manage the payment methods"),
		ToList: say("كل وسائل الدفع", "All payment methods"),
		On:     say("مفعّل", "On"), Off: say("متوقف", "Off"), Offered: say("معروضة", "Offered"),
		NotOffered: say("غير معروضة", "Not offered"), Application: say("التطبيق", "Application"),
		ChangedAt: say("آخر تغيير", "Last change"), Methods: say("الوسائل", "Methods"),
		MethodsHint: say("اختر ما يراه الزبائن وترتيبه. اعرض فقط ما يشمله عقدك مع {name}.",
			"Choose what customers see, and in which order. Offer only what your contract with {name} covers."),
		Up: say("إلى أعلى", "Move up"), Down: say("إلى أسفل", "Move down"), Offer: say("أظهِرها", "Offer"),
		Withdraw: say("أخفِها", "Stop offering"), Least: say("الحد الأدنى", "Least amount"),
		Most:   say("الحد الأعلى", "Greatest amount"),
		Limits: say("حدود المبلغ", "Limits of the amount"),
		LimitsHint: say("تُعرض الوسيلة لمبالغ بين الحدّين فقط. ما تتركه فارغًا يبقى كما تحدده جهة الدفع:",
			"The method is offered for amounts within these limits alone. What you leave empty is as the "+
				"provider has it:"),
		SaveLimits: say("احفظ الحدود", "Save the limits"),
		LimitBad: say("اكتب مبلغًا بالدينار، مثل \u206812.500\u2069.",
			"Write an amount of dinars, such as 12.500."),
		LimitLow:  say("هذا أقل مما تقبله جهة الدفع.", "This is less than the provider takes."),
		LimitHigh: say("هذا أكثر مما تقبله جهة الدفع.", "This is more than the provider takes."),
		LimitsCross: say("الحد الأعلى أقل من الحد الأدنى، فلن تظهر الوسيلة لأحد.",
			"The greatest amount is below the least, so the method would never be offered."),
		NotifyURL: say("عنوان إشعارات جهة الدفع", "The provider’s notifications go to"),
		NotifyHint: say("إذا طلبت {name} عنوانًا ترسل إليه إشعاراتها فأعطها هذا العنوان.",
			"Where {name} asks for an address for its notifications, give it this one."),
		Check: say("فحص البيانات", "Check of the credentials"),
		CheckHint: say("نسأل {name} إن كانت تقبل بيانات الحساب. لا تُسحب أي أموال. قد يستغرق ذلك نصف دقيقة.",
			"We ask {name} whether it accepts the credentials. No money moves. This may take half a minute."),
		CheckDo:  say("افحص الآن", "Check now"),
		Accepted: say("قبلت {name} بيانات الحساب.", "{name} accepts the credentials."),
		Refused: say("رفضت {name} بيانات الحساب. تأكد من المفاتيح ومن أن اشتراكك يشمل الوسائل المعروضة، ثم "+
			"استبدل البيانات.",
			"{name} refuses the credentials. Make sure of the keys, and that your subscription covers the "+
				"methods that are offered; then replace the credentials."),
		Unprovable: say("لا يمكن فحص هذا الحساب من غير دفعة حقيقية. ادفع أصغر مبلغ بكل وسيلة مرة واحدة.",
			"This account cannot be checked without a real payment. Pay the smallest amount once with each "+
				"method."),
		Unreachable: say("لم نصل إلى {name}، أو لم تُجب جوابًا مفهومًا، فلا نعرف إن كانت البيانات صحيحة. أعد "+
			"الفحص بعد قليل.",
			"{name} was not reached, or its answer made no sense: it is not known whether the credentials are "+
				"right. Check again in a while."),
		Credentials: say("بيانات الحساب", "Credentials"),
		CredentialsHint: say("محفوظة مشفّرة ولا تُعرض. يمكنك استبدالها متى شئت.",
			"They are kept encrypted and are not shown. You can replace them at any time."),
		Replace:     say("استبدل البيانات", "Replace the credentials"),
		FormNew:     say("إضافة حساب {name}", "Add an account with {name}"),
		FormReplace: say("بيانات جديدة لحساب {name}", "New credentials for {name}"),
		FormIntro: say("تُحفظ مشفّرة ولا تظهر بعد ذلك أبدًا. وإن لزم تصحيح شيء فالصق المفاتيح السرية من جديد.",
			"They are kept encrypted and never shown again. Where something has to be corrected, paste the "+
				"secret keys again."),
		Save:       say("احفظ البيانات", "Save the credentials"),
		Missing:    say("املأ حقل «{name}».", "Fill in “{name}”."),
		Malformed:  say("«{name}» ليس بالشكل المطلوب. {hint}", "“{name}” does not have the right form. {hint}"),
		Optional:   say("اختياري", "optional"),
		OfferWhich: say("ما الوسائل التي يشملها عقدك؟", "Which methods does your contract cover?"),
		OfferHint:  say("يمكنك تغييرها وترتيبها بعد ذلك.", "You can change them and their order later."),
		OfferNone:  say("اختر وسيلة واحدة على الأقل.", "Choose at least one method."),
		TurnOff:    say("إيقاف الحساب…", "Switch the account off…"),
		TurnOffWhat: say("لا يرى الزبائن وسائل هذا الحساب بعد الآن. ما بدأ دفعه يكتمل، ويمكنك تفعيله متى شئت.",
			"Customers do not see the account’s methods any more. Payments that have begun go on, and you can "+
				"switch it on again at any time."),
		TurnOffDo: say("أوقف الحساب الآن", "Switch the account off now"),
		TurnOn:    say("فعّل الحساب", "Switch the account on"),
		TurnOnWhat: say("الحساب متوقف، ولا يرى الزبائن وسائله.",
			"The account is off, and customers do not see its methods."),
		Remove: say("حذف الحساب…", "Remove the account…"),
		RemoveWhat: say("تُحذف مفاتيح هذا الحساب ولا يرى الزبائن وسائله. والمدفوعات الجارية عبره لا يمكننا أن "+
			"نسأل عنها بعد ذلك: ما لم تُعرف نتيجته يبقى معلّقًا حتى يراجعه مشغّل الخدمة. الأسلم أن توقف "+
			"الحساب أولًا، ثم تحذفه حين لا تبقى مدفوعات جارية. ما دُفع يبقى كما هو.",
			"The account’s keys are deleted, and customers do not see its methods any more. We can no longer "+
				"ask about payments that are under way with it: where the outcome is not known, they wait until "+
				"the operator of the service has looked into it. It is safer to switch the account off first, "+
				"and to remove it once no payment is under way. What was paid stays as it is."),
		RemoveDo: say("احذف الحساب الآن", "Remove the account now"),
		NotConnected: say("هذه الخدمة غير موصولة الآن بـ {name}، فلا تُعرض وسائل هذا الحساب. يمكنك إيقاف الحساب "+
			"أو حذفه.",
			"This service is not connected with {name} at present, so its methods are not offered. You can "+
				"switch the account off, or remove it."),
	}
}
