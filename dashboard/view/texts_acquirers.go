package view

import "daftar/internal/locale"

// acquirerTexts are the words of the pages about accounts with acquirers. {name} stands for the
// acquirer's name.
type acquirerTexts struct {
	Lang locale.Lang

	Title, Intro, Sandbox         string
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

var arabicAcquirers = acquirerTexts{
	Lang:          locale.Arabic,
	Title:         "وسائل الدفع",
	Intro:         "ما يختار منه زبائنك في صفحة الدفع، بهذا الترتيب. لكل جهة دفع حساب باسم متجرك، وإليه تصل أموالك مباشرة.",
	Sandbox:       "وضع التجربة مفعّل: تعرض صفحة الدفع، بعد حساباتك، المحفظة الإلكترونية والبطاقة التجريبيتين. لا تُسحب بهما أموال حقيقية.",
	None:          "لا يستقبل هذا التطبيق أموالًا بعد: لا يجد الزبون في صفحة الدفع وسيلة يدفع بها.",
	NoneSandbox:   "لم يُضف حساب بعد: لا يجد الزبون في صفحة الدفع إلا وسائل التجربة.",
	NoneHint:      "افتح حساب تاجر لدى إحدى جهات الدفع، ثم أضفه هنا بالمفاتيح التي تعطيك إياها.",
	NoneConnected: "هذه الخدمة غير موصولة بأي جهة دفع. اطلب من مشغّل الخدمة أن يوصلها.",
	ToAdd:         "جهات دفع يمكنك إضافتها", Add: "أضف حساب {name}", Manage: "إدارة وسائل الدفع", ToList: "كل وسائل الدفع",
	On: "مفعّل", Off: "متوقف", Offered: "معروضة", NotOffered: "غير معروضة",
	Application: "التطبيق", ChangedAt: "آخر تغيير",
	Methods:     "الوسائل",
	MethodsHint: "اختر ما يراه الزبائن وترتيبه. اعرض فقط ما يشمله عقدك مع {name}.",
	Up:          "إلى أعلى", Down: "إلى أسفل", Offer: "اعرضها", Withdraw: "لا تعرضها",
	Least: "أقل مبلغ", Most: "أكبر مبلغ", Limits: "حدود المبلغ",
	LimitsHint: "تُعرض الوسيلة لمبالغ بين الحدّين فقط. ما تتركه فارغًا يبقى كما تحدده جهة الدفع:",
	SaveLimits: "احفظ الحدود",
	LimitBad:   "اكتب مبلغًا بالدينار، مثل 12.500.", LimitLow: "هذا أقل مما تقبله جهة الدفع.", LimitHigh: "هذا أكثر مما تقبله جهة الدفع.",
	LimitsCross: "أكبر مبلغ أصغر من أقل مبلغ، فلن تُعرض الوسيلة أبدًا.",
	NotifyURL:   "عنوان إشعارات جهة الدفع",
	NotifyHint:  "إذا طلبت {name} عنوانًا ترسل إليه إشعاراتها فأعطها هذا العنوان.",
	Check:       "فحص البيانات",
	CheckHint:   "نسأل {name} إن كانت تقبل بيانات الحساب. لا تُسحب أي أموال. قد يستغرق ذلك نصف دقيقة.",
	CheckDo:     "افحص الآن",
	Accepted:    "قبلت {name} بيانات الحساب.",
	Refused:     "رفضت {name} بيانات الحساب. تأكد من المفاتيح ومن أن اشتراكك يشمل الوسائل المعروضة، ثم استبدل البيانات.",
	Unprovable:  "لا يمكن فحص هذا الحساب من غير دفعة حقيقية. ادفع أصغر مبلغ بكل وسيلة مرة واحدة.",
	Unreachable: "لم نصل إلى {name}، أو لم تُجب جوابًا مفهومًا، فلا نعرف إن كانت البيانات صحيحة. أعد الفحص بعد قليل.",
	Credentials: "بيانات الحساب", CredentialsHint: "محفوظة مشفّرة ولا تُعرض. يمكنك استبدالها متى شئت.",
	Replace: "استبدل البيانات", FormNew: "إضافة حساب {name}", FormReplace: "بيانات جديدة لحساب {name}",
	FormIntro: "تُحفظ مشفّرة ولا تظهر بعد ذلك أبدًا. وإن لزم تصحيح شيء فالصق المفاتيح السرية من جديد.",
	Save:      "احفظ البيانات",
	Missing:   "املأ حقل «{name}».", Malformed: "«{name}» ليس بالشكل المطلوب. {hint}", Optional: "اختياري",
	OfferWhich: "ما الوسائل التي يشملها عقدك؟", OfferHint: "يمكنك تغييرها وترتيبها بعد ذلك.", OfferNone: "اختر وسيلة واحدة على الأقل.",
	TurnOff: "إيقاف الحساب…", TurnOffWhat: "لا يرى الزبائن وسائل هذا الحساب بعد الآن. ما بدأ دفعه يكتمل، ويمكنك تفعيله متى شئت.",
	TurnOffDo: "أوقف الحساب الآن",
	TurnOn:    "فعّل الحساب", TurnOnWhat: "الحساب متوقف، ولا يرى الزبائن وسائله.",
	Remove: "حذف الحساب…",
	RemoveWhat: "تُحذف مفاتيح هذا الحساب ولا يرى الزبائن وسائله. والمدفوعات الجارية عبره لا يمكننا أن نسأل عنها بعد ذلك: " +
		"ما لم تُعرف نتيجته يبقى معلّقًا حتى يراجعه مشغّل الخدمة. الأسلم أن توقف الحساب أولًا، ثم تحذفه حين لا تبقى مدفوعات جارية. ما دُفع يبقى كما هو.",
	RemoveDo:     "احذف الحساب الآن",
	NotConnected: "هذه الخدمة غير موصولة الآن بـ {name}، فلا تُعرض وسائل هذا الحساب. يمكنك إيقاف الحساب أو حذفه.",
}

var englishAcquirers = acquirerTexts{
	Lang:          locale.English,
	Title:         "Ways to pay",
	Intro:         "What your customers choose from on the payment page, in this order. With each provider you have an account of your own, and the money goes straight to it.",
	Sandbox:       "Test mode is on: after your accounts the payment page offers the phone wallet and the card of the sandbox. They move no real money.",
	None:          "This application takes no money yet: customers find no way to pay on the payment page.",
	NoneSandbox:   "There is no account yet: customers find only the ways of test mode on the payment page.",
	NoneHint:      "Open a merchant account with one of the payment providers, then add it here with the keys that they give you.",
	NoneConnected: "This service is not connected with any payment provider. Ask its operator for one.",
	ToAdd:         "Payment providers that you can add", Add: "Add an account with {name}", Manage: "Manage the ways to pay", ToList: "All ways to pay",
	On: "On", Off: "Off", Offered: "Offered", NotOffered: "Not offered",
	Application: "Application", ChangedAt: "Last change",
	Methods:     "Methods",
	MethodsHint: "Choose what customers see, and in which order. Offer only what your contract with {name} covers.",
	Up:          "Move up", Down: "Move down", Offer: "Offer", Withdraw: "Stop offering",
	Least: "Least amount", Most: "Greatest amount", Limits: "Limits of the amount",
	LimitsHint: "The method is offered for amounts within these limits alone. What you leave empty is as the provider has it:",
	SaveLimits: "Save the limits",
	LimitBad:   "Write an amount of dinars, such as 12.500.", LimitLow: "This is less than the provider takes.", LimitHigh: "This is more than the provider takes.",
	LimitsCross: "The greatest amount is below the least, so the method would never be offered.",
	NotifyURL:   "The provider’s notifications go to",
	NotifyHint:  "Where {name} asks for an address for its notifications, give it this one.",
	Check:       "Check of the credentials",
	CheckHint:   "We ask {name} whether it accepts the credentials. No money moves. This may take half a minute.",
	CheckDo:     "Check now",
	Accepted:    "{name} accepts the credentials.",
	Refused:     "{name} refuses the credentials. Make sure of the keys, and that your subscription covers the methods that are offered; then replace the credentials.",
	Unprovable:  "This account cannot be checked without a real payment. Pay the smallest amount once with each method.",
	Unreachable: "{name} was not reached, or its answer made no sense: it is not known whether the credentials are right. Check again in a while.",
	Credentials: "Credentials", CredentialsHint: "They are kept encrypted and are not shown. You can replace them at any time.",
	Replace: "Replace the credentials", FormNew: "Add an account with {name}", FormReplace: "New credentials for {name}",
	FormIntro: "They are kept encrypted and never shown again. Where something has to be corrected, paste the secret keys once more.",
	Save:      "Save the credentials",
	Missing:   "Fill in “{name}”.", Malformed: "“{name}” does not have the right form. {hint}", Optional: "optional",
	OfferWhich: "Which methods does your contract cover?", OfferHint: "You can change them and their order later.", OfferNone: "Choose at least one method.",
	TurnOff: "Switch the account off…", TurnOffWhat: "Customers do not see the account’s methods any more. Payments that have begun go on, and you can switch it on again at any time.",
	TurnOffDo: "Switch the account off now",
	TurnOn:    "Switch the account on", TurnOnWhat: "The account is off, and customers do not see its methods.",
	Remove: "Remove the account…",
	RemoveWhat: "The account’s keys are deleted, and customers do not see its methods any more. We can no longer ask about payments that are under way with it: " +
		"where the outcome is not known, they wait until the operator of the service has looked into it. It is safer to switch the account off first, and to remove it once no payment is under way. What was paid stays as it is.",
	RemoveDo:     "Remove the account now",
	NotConnected: "This service is not connected with {name} at present, so its methods are not offered. You can switch the account off, or remove it.",
}
