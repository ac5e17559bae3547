package view

import (
	"daftar/payments/decisions"
)

// decisionKindTexts are what was decided, in a word, and what that means.
type decisionKindTexts struct{ Name, Meaning string }

// decisionTexts are the words about late and double payments.
type decisionTexts struct {
	Intro, Late, Duplicate, LateWhat, DuplicateWhat string
	Since, Close, Effect, Note, NoteHint, Button    string
	NoteMissing, NoteLong, NotYours, None, NoneHint string
	More, Decided, Kind, By                         string
	What, WhatMissing, Reference, ReferenceHint     string
	ReferenceLong, Informed, InformedHint           string
	InformedLong, Optional, All, AllTitle           string
	AllIntro, AnyKind, From, To, BadKind            string
	NoneDecided, NoneFiltered, Export, ExportHint   string
	Older, Newest, Decision, Told                   string
	Kinds                                           map[decisions.Kind]decisionKindTexts
	Quarantined, QuarantinedWhat, Trouble           string
	Troubles                                        troubleTexts
}

var arabicDecisions = decisionTexts{
	Intro: "مبالغ وصلت على غير المتوقع. تحقّق من كل مبلغ ثم اكتب ما تقرر: ردّه إلى الزبون أو تسليم الطلب. إذا رُدّ المبلغ كله من هنا سُجّل القرار معه.",
	Late:  "دُفعت بعد المهلة", Duplicate: "دُفعت مرتين",
	LateWhat:      "انتهت المهلة وأُلغيت الدفعة، ثم تبيّن أن المبلغ سُحب من الزبون. حالتها الآن «مدفوعة». سلّم الطلب، أو ردّ المبلغ.",
	DuplicateWhat: "الدفعة مدفوعة من قبل، ثم سُحب المبلغ نفسه من الزبون مرة أخرى. المبلغ الثاني من حق الزبون، ويُردّ عن طريق جهة الدفع.",
	Since:         "وصل المبلغ", Close: "سجّل القرار", Effect: "يُحفظ القرار باسمك ولا يُعدَّل بعد ذلك، وتخرج الدفعة من هذه القائمة. لا يتحرك أي مبلغ.",
	Note: "ملاحظة", NoteHint: "السبب، أو ما لا يقوله الاختيار أعلاه.", Button: "احفظ القرار",
	What: "ماذا قررت؟", WhatMissing: "اختر ماذا قررت.", Reference: "رقم العملية", ReferenceHint: "مثلًا: رقم الحوالة أو رقم الشحنة.",
	ReferenceLong: "الرقم أطول من 100 حرف أو فيه أكثر من سطر.", Informed: "من أُبلغ؟", InformedHint: "مثلًا: الزبون عبر واتساب، أبلغته سلمى.",
	InformedLong: "هذا أطول من 200 حرف أو فيه أكثر من سطر.", Optional: "(اختياري)",
	All: "كل القرارات", AllTitle: "ما قُرّر فيه", AllIntro: "القرارات في المبالغ التي وصلت بعد المهلة أو أكثر من مرة، الأحدث أولًا.",
	AnyKind: "كل القرارات", From: "قُرّر من يوم", To: "إلى يوم", BadKind: "اختر من القائمة.",
	NoneDecided: "لم يُسجَّل أي قرار بعد.", NoneFiltered: "لا قرار يطابق هذه التصفية.",
	Export: "نزّل ملف CSV", ExportHint: "كل القرارات حسب التصفية. يُسجَّل التنزيل في سجل التدقيق.", Older: "الأقدم", Newest: "الأحدث", Decision: "القرار", Told: "من أُبلغ",
	Kinds: map[decisions.Kind]decisionKindTexts{
		decisions.Refunded:  {"رُدّ المبلغ", "عاد المبلغ إلى الزبون، من هنا أو بطريقة أخرى."},
		decisions.Delivered: {"سُلّم الطلب", "يبقى المبلغ، والزبون أخذ ما طلبه."},
		decisions.Other:     {"غير ذلك", "اكتب ماذا جرى في الملاحظة."},
	},
	NoteMissing: "اكتب ملاحظة.", NoteLong: "الملاحظة أطول من 1000 حرف.", NotYours: "يسجّل القرارَ مالك المؤسسة أو محاسب أو مطوّر فيها.",
	None: "لا شيء يحتاج قرارًا.", NoneHint: "تظهر هنا المبالغ التي تصل بعد المهلة أو أكثر من مرة.", More: "تنتظر أيضًا غير هذه:",
	Decided: "قُرّر فيها أخيرًا", Kind: "النوع", By: "من ومتى",
	Quarantined: "كلام جهة الدفع لا يطابق سجلنا", Trouble: "ما قالته جهة الدفع",
	QuarantinedWhat: "مبلغ آخر أو عملة أخرى أو دفع مكرر أو نتيجة لم تُعرف. لم تتغيّر حالة الدفعة، ومشغّل الخدمة هو من يحسمها. انظر في حسابك لدى جهة الدفع وأخبره بما وجدت.",
	Troubles:        arabicTroubles,
}

var englishDecisions = decisionTexts{
	Intro: "Money that came unexpectedly. Look into each, then write down what was decided: given back to the customer, or the order handed over. Money that goes back in whole from here is decided with it.",
	Late:  "Paid late", Duplicate: "Duplicate payment",
	LateWhat:      "The time ran out and the payment was canceled; then it turned out that the customer’s money had been taken. It is “paid” now. Hand the order over, or give the money back.",
	DuplicateWhat: "The payment was paid before; then the same amount was taken from the customer once more. The second amount belongs to the customer and goes back by way of the acquirer.",
	Since:         "Money came", Close: "Record the decision", Effect: "The decision is kept in your name and cannot be changed; the payment leaves this list. No money moves.",
	Note: "Note", NoteHint: "Why, or what the choice above does not say.", Button: "Keep the decision",
	What: "What was decided?", WhatMissing: "Choose what was decided.", Reference: "Reference", ReferenceHint: "The number of a bank transfer or a parcel, for example.",
	ReferenceLong: "The reference has more than 100 characters or more than one line.", Informed: "Who was told?", InformedHint: "For example: the customer, on WhatsApp, by Salma.",
	InformedLong: "This has more than 200 characters or more than one line.", Optional: "(optional)",
	All: "All decisions", AllTitle: "What was decided", AllIntro: "Decisions about money that came late, or more than once, the latest first.",
	AnyKind: "All decisions", From: "Decided from day", To: "To day", BadKind: "Choose from the list.",
	NoneDecided: "Nothing has been decided yet.", NoneFiltered: "No decision fits this filter.",
	Export: "Download CSV", ExportHint: "All decisions under the filter. The download is recorded in the audit trail.", Older: "Older", Newest: "Newest", Decision: "Decision", Told: "Who was told",
	Kinds: map[decisions.Kind]decisionKindTexts{
		decisions.Refunded: {"Given back",
			"The money went back to the customer, from here or in another way."},
		decisions.Delivered: {"Handed over", "The money stays, and the customer has what was ordered."},
		decisions.Other:     {"Something else", "Say what in the note."},
	},
	NoteMissing: "Write a note.", NoteLong: "The note is longer than 1000 characters.", NotYours: "An owner, finance or a developer of the organisation records the decision.",
	None: "Nothing waits for a decision.", NoneHint: "Money that comes late, or more than once, appears here.", More: "Waiting beside these:",
	Decided: "Recently decided", Kind: "Kind", By: "By and when",
	Quarantined: "The acquirer’s words do not match the ledger", Trouble: "What the acquirer says",
	QuarantinedWhat: "Another amount, another currency, a payment made twice, or an outcome that is not known. The payment’s state has not changed; the service’s operator settles it. Look into your account with the acquirer, and say what you found.",
	Troubles:        englishTroubles,
}
