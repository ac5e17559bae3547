package view

import (
	"daftar/internal/locale"
	"daftar/payments/decisions"
)

// decisionKindTexts are the name of a decision and its meaning.
type decisionKindTexts struct{ Name, Meaning string }

// decisionTexts are the texts about late and duplicate payments.
type decisionTexts struct {
	Intro, Late, Duplicate, LateWhat, DuplicateWhat string
	Since, Close, Effect, Note, NoteHint, Button    string
	NoteMissing, NoteLong, NotYours, None, NoneHint string
	More, Decided, By                               string
	What, WhatMissing, Reference, ReferenceHint     string
	ReferenceLong, Informed, InformedHint           string
	InformedLong, Optional, All, AllTitle           string
	AllIntro, AnyKind, From, To, BadKind            string
	NoneDecided, NoneFiltered, Export, ExportHint   string
	Older, Newest, Decision, Notified               string
	WhatNow, LateAsks, LateAsked, TwiceAsks         string // the question, around the amount
	TwiceAsked, HandOver, HandOverTwice, Refunded   string
	Waits, Details                                  string
	Kinds                                           map[decisions.Kind]decisionKindTexts
	Troubles                                        troubleTexts
}

func decisionTextsIn(say locale.Say) decisionTexts {
	return decisionTexts{
		Intro: say("مبالغ وصلت على غير المتوقع. تحقّق من كل مبلغ ثم اكتب ما تقرر: ردّه إلى الزبون أو تسليم "+
			"الطلبية. إذا رُدّ المبلغ كله من هنا سُجّل القرار معه.",
			"Money that came unexpectedly. Look into each, then write down what was decided: given back to the "+
				"customer, or the order handed over. Money that goes back in whole from here is decided with it."),
		Late:      say("دُفعت بعد المهلة", "Paid late"),
		Duplicate: say("دُفعت مرتين", "Duplicate payment"),
		LateWhat: say("انتهت المهلة وأُلغيت الدفعة، ثم تبيّن أن المبلغ سُحب من الزبون. حالتها الآن «مدفوعة». "+
			"سلّم الطلبية، أو ردّ المبلغ.",
			"The time ran out and the payment was canceled; then it turned out that the customer’s money had "+
				"been taken. It is “paid” now. Hand the order over, or give the money back."),
		DuplicateWhat: say("الدفعة مدفوعة من قبل، ثم سُحب المبلغ نفسه من الزبون مرة أخرى. المبلغ الثاني من حق "+
			"الزبون، ويُردّ عن طريق جهة الدفع.",
			"The payment was paid before; then the same amount was taken from the customer again. The "+
				"second amount belongs to the customer and goes back by way of the acquirer."),
		WhatNow:       say("ماذا تريد؟", "What do you want to do?"),
		LateAsks:      say("دفع الزبون", "The customer paid"),
		LateAsked:     say("بعد انتهاء المهلة.", "after the time ran out."),
		TwiceAsks:     say("دفع الزبون", "The customer paid"),
		TwiceAsked:    say("مرة ثانية لطلبية مدفوعة.", "again for an order that is paid."),
		HandOver:      say("سلّم الطلبية", "Hand the order over"),
		HandOverTwice: say("سلّم طلبية ثانية", "Hand over a second one"),
		Refunded:      say("رُدّ المبلغ", "Money was given back"),
		Waits:         say("ينتظر منذ", "Waiting for"), Details: say("التفاصيل والأرقام", "Details and numbers"),
		Since: say("وصل المبلغ", "Received"),
		Close: say("سجّل القرار", "Record the decision"),
		Effect: say("يُحفظ القرار باسمك ولا يُعدَّل بعد ذلك، وتخرج الدفعة من هذه القائمة. لا يتحرك أي مبلغ.",
			"The decision is kept in your name and cannot be changed; the payment leaves this list. No money "+
				"moves."),
		Note:     say("ملاحظة", "Note"),
		NoteHint: say("السبب، أو ما لا يقوله الاختيار أعلاه.", "Why, or what the choice above does not say."),
		Button:   say("احفظ القرار", "Save the decision"), What: say("ماذا قررت؟", "What was decided?"),
		WhatMissing: say("اختر ماذا قررت.", "Choose what was decided."),
		Reference:   say("رقم العملية", "Reference"),
		ReferenceHint: say("مثلًا: رقم الحوالة أو رقم الشحنة.",
			"The number of a bank transfer or a parcel, for example."),
		ReferenceLong: say("الرقم أطول من 100 حرف أو فيه أكثر من سطر.",
			"The reference has more than 100 characters or more than one line."),
		Informed: say("من أُبلغ؟", "Who was told?"),
		InformedHint: say("مثلًا: الزبون عبر واتساب، أبلغته سلمى.",
			"For example: the customer, on WhatsApp, by Salma."),
		InformedLong: say("هذا أطول من 200 حرف أو فيه أكثر من سطر.",
			"This has more than 200 characters or more than one line."),
		Optional: say("(اختياري)", "(optional)"), All: say("كل القرارات", "All decisions"),
		AllTitle: say("ما قُرّر فيه", "What was decided"),
		AllIntro: say("القرارات في المبالغ التي وصلت بعد المهلة أو أكثر من مرة، الأحدث أولًا.",
			"Decisions about money that came late, or more than once, the latest first."),
		AnyKind: say("كل القرارات", "All decisions"), From: say("قُرّر من يوم", "Decided from day"),
		To:           say("إلى يوم", "To day"),
		BadKind:      say("اختر من القائمة.", "Choose from the list."),
		NoneDecided:  say("لم يُسجَّل أي قرار بعد.", "Nothing has been decided yet."),
		NoneFiltered: say("لا قرار يطابق هذه التصفية.", "No decision fits this filter."),
		Export:       say("نزّل ملف CSV", "Download CSV"),
		ExportHint: say("كل القرارات حسب التصفية. يُسجَّل التنزيل في سجل التدقيق.",
			"All decisions under the filter. The download is recorded in the audit trail."),
		Older: say("الأقدم", "Older"), Newest: say("الأحدث", "Newest"), Decision: say("القرار", "Decision"),
		Notified: say("من أُبلغ", "Who was told"),
		Kinds: map[decisions.Kind]decisionKindTexts{
			decisions.Refunded: {say("رُدّ المبلغ", "Given back"),
				say("عاد المبلغ إلى الزبون، من هنا أو بطريقة أخرى.",
					"The money went back to the customer, from here or in another way.")},
			decisions.Delivered: {say("سُلّمت الطلبية", "Handed over"),
				say("يبقى المبلغ، والزبون أخذ ما طلبه.", "The money stays, and the customer has what was ordered.")},
			decisions.Other: {say("غير ذلك", "Something else"),
				say("اكتب ماذا جرى في الملاحظة.", "Say what in the note.")},
		},
		NoteMissing: say("اكتب ملاحظة.", "Write a note."),
		NoteLong:    say("الملاحظة أطول من 1000 حرف.", "The note is longer than 1000 characters."),
		NotYours: say("يسجّل القرارَ مالك المؤسسة أو محاسب أو مطوّر فيها.",
			"An owner, finance or a developer of the organisation records the decision."),
		None: say("لا شيء يحتاج قرارًا.", "Nothing needs a decision."),
		NoneHint: say("تظهر هنا المبالغ التي تصل بعد المهلة أو أكثر من مرة.",
			"Money that comes late, or more than once, appears here."),
		More:     say("تنتظر أيضًا غير هذه:", "Also waiting:"),
		Decided:  say("قُرّر فيها أخيرًا", "Recently decided"),
		By:       say("من ومتى", "By and when"),
		Troubles: troubleTextsIn(say),
	}
}
