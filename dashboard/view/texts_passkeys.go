package view

// passkeyTexts are the words about passkeys.
type passkeyTexts struct {
	Title, Intro, Manage                     string
	None, Created, Used, Never               string
	Remove, RemoveEffect, RemoveLast         string
	Add, Name, NameHint, AddButton, Full     string
	Without                                  string // where the browser has none, or no scripts
	SignIn                                   string
	Use, UseIntro, AskFirst                  string
	Cancelled, Failed, Known                 string
	Wrong, Late, BadName, Shared             string
	AfterTitle, AfterOn, AfterOff            string
	AfterEffect, AfterCodes, TurnOn, TurnOff string
	AlsoAsked, DisableCodes                  string
	Lost, LostEffect, LostButton             string
}

var arabicPasskeys = passkeyTexts{
	Title: "مفاتيح المرور", Manage: "إدارة مفاتيح المرور",
	Intro: "مفتاح المرور يُدخلك ببصمتك أو وجهك أو رمز قفل جهازك، دون كلمة مرور. لا يمكن أن يُسرق من موقع مزيّف، ولا نعرف نحن بصمتك.",
	None:  "ليس لديك مفتاح مرور بعد.", Created: "أُضيف", Used: "آخر استعمال", Never: "لم يُستعمل بعد",
	Remove: "احذف المفتاح", RemoveEffect: "لن يفتح هذا المفتاح حسابك بعد الآن. احذفه من جهازك أيضًا.",
	RemoveLast: "هذا آخر مفاتيحك: سيصير الدخول بكلمة المرور دون مفتاح.",
	Add:        "أضف مفتاح مرور", Name: "اسم المفتاح", NameHint: "اسم تعرف به الجهاز لاحقًا.", AddButton: "أضف المفتاح",
	Full:    "لديك عشرة مفاتيح، وهو أقصى عدد. احذف واحدًا لتضيف غيره.",
	Without: "متصفحك هذا لا يدعم مفاتيح المرور، أو أن البرمجة النصية (JavaScript) معطّلة فيه.",
	SignIn:  "الدخول بمفتاح المرور",
	Use:     "استعمل مفتاح المرور", UseIntro: "كلمة المرور صحيحة. أكّد الآن بمفتاح المرور.", AskFirst: "أكّد بمفتاح المرور قبل تغيير ما تعتمد عليه أموالك.",
	Cancelled: "أُلغيت العملية أو انتهى وقتها، ولم يُستعمل مفتاح المرور. أعد المحاولة متى شئت.",
	Failed:    "تعذّر استعمال مفتاح المرور. أعد المحاولة، أو استعمل طريقة أخرى.",
	Known:     "على هذا الجهاز مفتاح مرور لحسابك من قبل.",
	Wrong:     "لم يُقبل مفتاح المرور. ربما حُذف من حسابك. استعمل مفتاحًا آخر أو كلمة المرور.",
	Late:      "انتهى وقت هذا الطلب أو سبق استعماله. أعد المحاولة.",
	BadName:   "اكتب اسمًا من سطر واحد، لا يزيد على 60 حرفًا.",
	Shared:    "لا يستطيع حذف مفاتيح هذا الحساب إلا مشغّل الخدمة.",

	AfterTitle: "مفتاح المرور بعد كلمة المرور", AfterOn: "مطلوب", AfterOff: "غير مطلوب",
	AfterEffect: "إن طلبناه، فلا تكفي كلمة المرور المسروقة وحدها للدخول.",
	AfterCodes:  "ولأن تطبيق المصادقة مفعّل، يكفي بعد كلمة المرور مفتاح مرور أو رمز من التطبيق.",
	TurnOn:      "اطلب مفتاح المرور أيضًا", TurnOff: "لا تطلب مفتاح المرور",
	AlsoAsked: "نطلب منك مفتاح مرور بعد كلمة المرور.", DisableCodes: "لن نطلب رمزًا من التطبيق، وتُلغى رموز الاسترداد. يبقى مفتاح المرور مطلوبًا بعد كلمة المرور.",
	Lost: "ضاعت أجهزة هذا العضو؟", LostEffect: "تُحذف كل مفاتيح المرور لهذا العضو وتُغلق جلساته، ثم يدخل بكلمة المرور. إن كان تطبيق المصادقة مفعّلًا فسنطلب رمزه.", LostButton: "احذف مفاتيح المرور",
}

var englishPasskeys = passkeyTexts{
	Title: "Passkeys", Manage: "Manage passkeys",
	Intro: "A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password. No fake site can steal it, and we never see your fingerprint.",
	None:  "You have no passkey yet.", Created: "Added", Used: "Last used", Never: "Not used yet",
	Remove: "Remove the passkey", RemoveEffect: "This passkey will no longer sign you in. Remove it from your device, too.",
	RemoveLast: "It is your last one: the password will sign you in without a passkey.",
	Add:        "Add a passkey", Name: "Name of the passkey", NameHint: "A name by which you will know the device.", AddButton: "Add the passkey",
	Full:    "You have ten passkeys, which is as many as fit. Remove one to add another.",
	Without: "This browser has no passkeys, or its JavaScript is off.",
	SignIn:  "Sign in with a passkey",
	Use:     "Use a passkey", UseIntro: "The password is right. Now confirm with your passkey.", AskFirst: "Confirm with your passkey before you change what your money depends on.",
	Cancelled: "It was cancelled or took too long, and no passkey was used. Try again whenever you like.",
	Failed:    "The passkey could not be used. Try again, or sign in another way.",
	Known:     "This device has a passkey of your account already.",
	Wrong:     "The passkey was not accepted. It may have been removed from your account. Use another one, or the password.",
	Late:      "This attempt took too long, or was sent before. Try again.",
	BadName:   "Enter a name of one line with at most 60 characters.",
	Shared:    "Only the people who run the service can remove the passkeys of this account.",

	AfterTitle: "A passkey after the password", AfterOn: "Asked for", AfterOff: "Not asked for",
	AfterEffect: "If it is asked for, a stolen password alone does not let anybody in.",
	AfterCodes:  "Because the authenticator app is on, a passkey or a code from the app is enough after the password.",
	TurnOn:      "Ask for a passkey, too", TurnOff: "Do not ask for a passkey",
	AlsoAsked: "A passkey is asked for after the password.", DisableCodes: "We will not ask for codes from the app, and the recovery codes stop working. A passkey is still asked for after the password.",
	Lost: "Has this member lost their devices?", LostEffect: "All passkeys of this member are removed and their sessions end. They then sign in with the password, and with a code where the authenticator app is on.", LostButton: "Remove the passkeys",
}
