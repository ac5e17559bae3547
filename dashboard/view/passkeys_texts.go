package view

import "daftar/internal/locale"

// passkeyTexts are the texts about passkeys.
type passkeyTexts struct {
	Title, Intro, Manage                     string
	None, Created, Used, Never               string
	Remove, RemoveEffect, RemoveLast         string
	Add, Name, NameHint, AddButton, Full     string
	Without                                  string // where the browser has none, or no scripts
	SignIn                                   string
	Use, UseIntro, AskFirst                  string
	Canceled, Failed, Known                  string
	Wrong, Late, BadName, Shared             string
	AfterTitle, AfterOn, AfterOff            string
	AfterEffect, AfterCodes, TurnOn, TurnOff string
	AlsoAsked, DisableCodes                  string
	Lost, LostEffect, LostButton             string
}

func passkeyTextsIn(say locale.Say) passkeyTexts {
	return passkeyTexts{
		Title:  say("مفاتيح المرور", "Passkeys"),
		Manage: say("إدارة مفاتيح المرور", "Manage passkeys"),
		Intro: say("مفتاح المرور يُدخلك ببصمتك أو وجهك أو رمز قفل جهازك، دون كلمة مرور. لا يمكن أن يُسرق من "+
			"موقع مزيّف، ولا نعرف نحن بصمتك.",
			"A passkey signs you in with your fingerprint, your face or the PIN of your device, without a "+
				"password. No fake site can steal it, and we never see your fingerprint."),
		None:    say("ليس لديك مفتاح مرور بعد.", "You have no passkey yet."),
		Created: say("أُضيف", "Added"), Used: say("آخر استعمال", "Last used"),
		Never:  say("لم يُستعمل بعد", "Not used yet"),
		Remove: say("احذف المفتاح", "Remove the passkey"),
		RemoveEffect: say("لن يفتح هذا المفتاح حسابك بعد الآن. احذفه من جهازك أيضًا.",
			"This passkey will no longer sign you in. Remove it from your device, too."),
		RemoveLast: say("هذا آخر مفاتيحك: سيصير الدخول بكلمة المرور دون مفتاح.",
			"It is your last one: the password will sign you in without a passkey."),
		Add: say("أضف مفتاح مرور", "Add a passkey"), Name: say("اسم المفتاح", "Name of the passkey"),
		NameHint:  say("اسم تعرف به الجهاز لاحقًا.", "A name by which you will know the device."),
		AddButton: say("أضف المفتاح", "Add the passkey"),
		Full: say("لديك عشرة مفاتيح، وهو أقصى عدد. احذف واحدًا لتضيف غيره.",
			"You have ten passkeys, which is as many as fit. Remove one to add another."),
		Without: say("متصفحك هذا لا يدعم مفاتيح المرور، أو أن البرمجة النصية (JavaScript) متوقفة فيه.",
			"This browser has no passkeys, or its JavaScript is off."),
		SignIn: say("الدخول بمفتاح المرور", "Sign in with a passkey"),
		Use:    say("استعمل مفتاح المرور", "Use a passkey"),
		UseIntro: say("كلمة المرور صحيحة. أكّد الآن بمفتاح المرور.",
			"The password is right. Now confirm with your passkey."),
		AskFirst: say("أكّد بمفتاح المرور قبل تغيير ما تعتمد عليه أموالك.",
			"Confirm with your passkey before you change what your money depends on."),
		Canceled: say("أُلغيت العملية أو انتهى وقتها، ولم يُستعمل مفتاح المرور. أعد المحاولة متى شئت.",
			"It was canceled or took too long, and no passkey was used. Try again whenever you like."),
		Failed: say("تعذّر استعمال مفتاح المرور. أعد المحاولة، أو استعمل طريقة أخرى.",
			"The passkey could not be used. Try again, or sign in another way."),
		Known: say("على هذا الجهاز مفتاح مرور لحسابك من قبل.",
			"This device has a passkey of your account already."),
		Wrong: say("لم يُقبل مفتاح المرور. ربما حُذف من حسابك. استعمل مفتاحًا آخر أو كلمة المرور.",
			"The passkey was not accepted. It may have been removed from your account. Use another one, or the "+
				"password."),
		Late: say("انتهى وقت هذا الطلب أو سبق استعماله. أعد المحاولة.",
			"This attempt took too long, or was sent before. Try again."),
		BadName: say("اكتب اسمًا من سطر واحد، لا يزيد على 60 حرفًا.",
			"Enter a name of one line with at most 60 characters."),
		Shared: say("لا يستطيع حذف مفاتيح هذا الحساب إلا مشغّل الخدمة.",
			"Only the people who run the service can remove the passkeys of this account."),

		AfterTitle: say("مفتاح المرور بعد كلمة المرور", "A passkey after the password"),
		AfterOn:    say("مطلوب", "Asked for"), AfterOff: say("غير مطلوب", "Not asked for"),
		AfterEffect: say("إن طلبناه، فلا تكفي كلمة المرور المسروقة وحدها للدخول.",
			"If it is asked for, a stolen password alone does not let anybody in."),
		AfterCodes: say("ولأن تطبيق المصادقة مفعّل، يكفي بعد كلمة المرور مفتاح مرور أو رمز من التطبيق.",
			"Because the authenticator app is on, a passkey or a code from the app is enough after the password."),
		TurnOn:    say("اطلب مفتاح المرور أيضًا", "Ask for a passkey, too"),
		TurnOff:   say("لا تطلب مفتاح المرور", "Do not ask for a passkey"),
		AlsoAsked: say("نطلب منك مفتاح مرور بعد كلمة المرور.", "A passkey is asked for after the password."),
		DisableCodes: say("لن نطلب رمزًا من التطبيق، وتُلغى رموز الاسترداد. يبقى مفتاح المرور مطلوبًا بعد كلمة "+
			"المرور.",
			"We will not ask for codes from the app, and the recovery codes stop working. A passkey is still "+
				"asked for after the password."),
		Lost: say("ضاعت أجهزة هذا العضو؟", "Has this member lost their devices?"),
		LostEffect: say("تُحذف كل مفاتيح المرور لهذا العضو وتُغلق جلساته، ثم يدخل بكلمة المرور. إن كان تطبيق "+
			"المصادقة مفعّلًا فسنطلب رمزه.",
			"All passkeys of this member are removed and their sessions end. They then sign in with the "+
				"password, and with a code where the authenticator app is on."),
		LostButton: say("احذف مفاتيح المرور", "Remove the passkeys"),
	}
}
