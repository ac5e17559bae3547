package view

// acquirerTexts are the words of the pages about accounts with acquirers. {name} stands for the
// acquirer's name.
type acquirerTexts struct {
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
	Names, Whats                  map[string]string       // by acquirer
	Settings                      map[string]settingTexts // by acquirer.setting
}

var arabicAcquirers = acquirerTexts{
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
	Names:        map[string]string{"plutu": "بلوتو", "moamalat": "معاملات", "lypay": "لي باي", "sandbox": "جهة الدفع التجريبية"},
	Whats: map[string]string{
		"plutu":    "ادفع لي وسداد وبطاقات مصرفية محلية وتي لينك، بحساب واحد.",
		"moamalat": "بطاقات مصرفية، في نموذج يظهر في صفحة الدفع.",
		"lypay":    "تحويل من تطبيق المصرف بمسح رمز.",
	},
	Settings: map[string]settingTexts{
		"plutu.api_key":             {"مفتاح API", "من لوحة بلوتو، حروف وأرقام لاتينية بلا مسافات."},
		"plutu.access_token":        {"رمز الوصول", "من لوحة بلوتو، بلا مسافات. رمز وضع الاختبار لا يسحب أموالًا حقيقية."},
		"plutu.secret_key":          {"المفتاح السري", "من لوحة بلوتو، بلا مسافات. به نتحقق من رسائلها."},
		"moamalat.merchant_id":      {"رقم التاجر (MID)", "من رسالة المصرف: من 1 إلى 18 رقمًا أو حرفًا لاتينيًا."},
		"moamalat.terminal_id":      {"رقم الطرفية (TID)", "من رسالة المصرف: من 1 إلى 8 أرقام أو حروف لاتينية."},
		"moamalat.secure_key":       {"مفتاح الطرفية السري", "يوقّع الطلبات: أرقام وحروف من A إلى F."},
		"moamalat.notification_key": {"مفتاح خدمة الإشعارات", "غير مفتاح الطرفية: أرقام وحروف من A إلى F."},
		"lypay.token":               {"رمز واجهة المصرف", "يعطيك إياه المصرف، بلا مسافات. له تاريخ انتهاء، فاستبدله قبله."},
		"lypay.webhook_key":         {"مفتاح الإشعارات", "السر الذي يوقّع به المصرف إشعاراته."},
		"lypay.iban":                {"رقم الحساب الدولي (IBAN)", "الحساب الذي تصله الأموال: LY ثم 23 رقمًا. راجع كل رقم."},
		"lypay.merchant_name":       {"اسم المتجر", "يراه الدافع في تطبيقه: من 1 إلى 25 حرفًا لاتينيًا."},
		"lypay.merchant_city":       {"المدينة", "من 1 إلى 15 حرفًا لاتينيًا. إن تُركت فارغة كُتب TRIPOLI."},
		"lypay.bank_code":           {"رمز المصرف", "ثلاثة أرقام، إن طلبه المصرف."},
		"lypay.bank_name":           {"اسم المصرف", "من 1 إلى 25 حرفًا لاتينيًا، مع رمز المصرف."},
		"lypay.crc":                 {"طريقة حساب المجموع", "جرّب الأخرى إن لم يقرأ تطبيق المصرف الرمز."},
		"lypay.omit_tag_51":         {"احذف الحقل 51 من الرمز", "إن تعثّر به تطبيق المصرف."},
	},
}

var englishAcquirers = acquirerTexts{
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
	Names:        map[string]string{"plutu": "Plutu", "moamalat": "Moamalat", "lypay": "LYPay", "sandbox": "Sandbox"},
	Whats: map[string]string{
		"plutu":    "Adfali, Sadad, local bank cards and T-Lync, with one account.",
		"moamalat": "Bank cards, in a form on the payment page.",
		"lypay":    "Transfers from the app of a bank, by scanning a code.",
	},
	Settings: map[string]settingTexts{
		"plutu.api_key":             {"API key", "From Plutu’s dashboard: Latin letters and digits without spaces."},
		"plutu.access_token":        {"Access token", "From Plutu’s dashboard, without spaces. One of test mode takes no real money."},
		"plutu.secret_key":          {"Secret key", "From Plutu’s dashboard, without spaces. It proves that messages come from Plutu."},
		"moamalat.merchant_id":      {"Merchant ID (MID)", "From the bank’s letter: 1 to 18 digits or Latin letters."},
		"moamalat.terminal_id":      {"Terminal ID (TID)", "From the bank’s letter: 1 to 8 digits or Latin letters."},
		"moamalat.secure_key":       {"Secure key of the terminal", "It signs requests: digits and the letters A to F."},
		"moamalat.notification_key": {"Key of the notification service", "Another than the terminal’s: digits and the letters A to F."},
		"lypay.token":               {"Token of the bank’s API", "From the bank, without spaces. It has an expiry date: replace it before."},
		"lypay.webhook_key":         {"Key of the notifications", "The secret with which the bank signs its notifications."},
		"lypay.iban":                {"IBAN", "The account that is paid: LY and 23 digits. Make sure of each digit."},
		"lypay.merchant_name":       {"Name of the shop", "Payers see it in their app: 1 to 25 Latin characters."},
		"lypay.merchant_city":       {"City", "1 to 15 Latin characters. Left empty, TRIPOLI is written."},
		"lypay.bank_code":           {"Code of the bank", "Three digits, where the bank asks for it."},
		"lypay.bank_name":           {"Name of the bank", "1 to 25 Latin characters, together with the code of the bank."},
		"lypay.crc":                 {"How the checksum is computed", "Try the other one if the bank’s app does not read the code."},
		"lypay.omit_tag_51":         {"Leave field 51 out of the code", "If the bank’s app stumbles over it."},
	},
}
