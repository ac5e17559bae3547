package view

import "daftar/payments/refunds"

// refundTexts are the words about money that goes back.
type refundTexts struct {
	Title, Section, Give, Settle, Intro, ToPayment       string
	Which, Left, Amount, AmountHint, AmountBad, TooLarge string
	Way, WayMissing, Ask, AskWhat, Record, RecordWhat    string
	Reference, ReferenceHint, ReferenceBad               string
	Note, NoteHint, NoteBad, Button, Effect              string
	UnderWay, Nothing, NoCall, Known                     string
	UnknownTitle, UnknownWhat, Outcome, OutcomeMissing   string
	WentBack, DidNot, SettleButton                       string
	State, When, WaitingPill, UnknownPill, RecordedPill  string
	FailedPill, GivenBack, Evidence, ByAnswer, ByPerson  string
	NothingLeft, WhichMissing, GivenBackBefore           string
	Troubles                                             map[refunds.Trouble]string
}

var arabicRefunds = refundTexts{
	Title: "ردّ مبلغ الدفعة", Section: "مبالغ رُدّت", Give: "ردّ المبلغ إلى الزبون", Settle: "حدّد ما جرى",
	Intro:     "تبقى الدفعة «مدفوعة» بعد الرد، ويُسجَّل المبلغ المردود في السجل باسمك ولا يُحذف.",
	ToPayment: "إلى الدفعة", Which: "أي مبلغ يُردّ؟", Left: "بقي منه", Amount: "المبلغ بالدينار", AmountHint: "اتركه كما هو لرد كل ما بقي.",
	AmountBad: "اكتب مبلغًا أكبر من صفر، مثل 12.500", TooLarge: "هذا أكثر مما بقي من المبلغ المدفوع.",
	Way: "كيف يعود المبلغ؟", WayMissing: "اختر كيف يعود المبلغ.",
	Ask: "اطلب من جهة الدفع أن تردّه الآن", AskWhat: "تُسأل جهة الدفع مرة واحدة. إن لم تجب فلن يُعاد الطلب قبل أن تتأكد مما جرى.",
	Record: "رُدّ من قبل، وأسجّله فقط", RecordWhat: "مثلًا: من بوابة جهة الدفع أو بحوالة أو نقدًا. لا يتحرك أي مبلغ من هنا.",
	Reference: "رقم عملية الرد لدى جهة الدفع", ReferenceHint: "إن وُجد. لا يُسجَّل الرقم نفسه مرتين.", ReferenceBad: "الرقم أطول من 100 حرف أو فيه أكثر من سطر.",
	Note: "السبب، أو كيف عرفت", NoteHint: "سطر واحد يبقى في السجل دائمًا. لا تكتب أرقام بطاقات.", NoteBad: "اكتب سطرًا واحدًا لا يزيد على 500 حرف.",
	Button: "تأكيد ردّ المبلغ", Effect: "لا رجعة في رد المبلغ.",
	UnderWay: "هناك رد سابق لهذا المبلغ لم ينته بعد. انتظر نتيجته أو حدّد ما جرى فيه.", Nothing: "لا يوجد مبلغ مدفوع يمكن رده هنا.",
	NoCall: "لا تردّ جهة الدفع هذه المبالغ بطلب منا. رُدّ المبلغ بطريقة أخرى ثم سجّله.", Known: "سُجّل رد بهذا الرقم من قبل.",
	UnknownTitle: "رد لم تُعرف نتيجته", UnknownWhat: "انظر في حسابك لدى جهة الدفع: هل عاد المبلغ إلى الزبون؟ حتى تجيب لا يُردّ من هذا المبلغ شيء آخر.",
	Outcome: "ماذا وجدت؟", OutcomeMissing: "اختر ما وجدت.", WentBack: "عاد المبلغ إلى الزبون", DidNot: "لم يعد المبلغ", SettleButton: "سجّل ما وجدت",
	State: "الحالة", When: "طُلب", WaitingPill: "قيد التنفيذ", UnknownPill: "لم تُعرف نتيجته", RecordedPill: "رُدّ", FailedPill: "لم يُردّ",
	GivenBack: "رُدّ مبلغ إلى الزبون", Evidence: "الدليل", ByAnswer: "جواب جهة الدفع", ByPerson: "وجده شخص في حساب جهة الدفع",
	NothingLeft: "رُدّ كل ما دُفع.", WhichMissing: "اختر أي مبلغ يُردّ.",
	GivenBackBefore: "سُجّل قرار بأن هذا المبلغ رُدّ بطريقة أخرى، فلن تُسأل جهة الدفع كي لا يُردّ مرتين. سجّل أنه رُدّ من قبل.",
	Troubles: map[refunds.Trouble]string{
		refunds.NoAnswer: "لم تجب جهة الدفع جوابًا مفهومًا.", refunds.ServerEnded: "توقف الخادم وهو ينتظر الجواب.",
		refunds.LedgerNo: "لا يقبل السجل هذا الرد: يزيد على ما دُفع أو سُجّل من قبل.", refunds.NotSent: "تعذّر الوصول إلى جهة الدفع، ولم يُرسل إليها شيء.",
		refunds.OtherAmount: "تقول جهة الدفع إن مبلغًا آخر عاد.", refunds.AccountNo: "رفضت جهة الدفع حساب المتجر لديها.",
		refunds.NoAccount: "لم يعد للتطبيق حساب لدى جهة الدفع يمكن أن يُطلب منه الرد.", refunds.PersonNo: "تأكد شخص أن المبلغ لم يعد.",
	},
}

var englishRefunds = refundTexts{
	Title: "Give back money of payment", Section: "Money given back", Give: "Give money back", Settle: "Say what became of it",
	Intro:     "The payment stays “paid”. What goes back is recorded in the ledger in your name, for good.",
	ToPayment: "To the payment", Which: "Which money goes back?", Left: "left of it", Amount: "Amount in dinars", AmountHint: "Leave it as it is to give back all that is left.",
	AmountBad: "Enter an amount of more than nothing, such as 12.500", TooLarge: "That is more than is left of what was paid.",
	Way: "How does it go back?", WayMissing: "Choose how the money goes back.",
	Ask: "Have the acquirer give it back now", AskWhat: "The acquirer is asked once. If it does not answer, it is not asked again before you have found out what happened.",
	Record: "It went back already; record it", RecordWhat: "By the acquirer’s portal, a transfer or cash, for example. No money moves from here.",
	Reference: "The acquirer’s number of the refund", ReferenceHint: "If there is one. The same number is not recorded twice.", ReferenceBad: "The number has more than 100 characters or more than one line.",
	Note: "Why, or how you know", NoteHint: "One line that stays in the ledger. Write no card numbers.", NoteBad: "Write one line of up to 500 characters.",
	Button: "Give the money back", Effect: "This cannot be undone.",
	UnderWay: "Another refund of this money has not ended. Wait for its outcome, or say what became of it.", Nothing: "There is no paid money here that could go back.",
	NoCall: "This acquirer cannot be asked to give money back. Give it back in another way, then record it.", Known: "A refund with this number has been recorded already.",
	UnknownTitle: "A refund whose outcome is not known", UnknownWhat: "Look into your account with the acquirer: did the money go back? Until you answer, nothing more of it can be given back.",
	Outcome: "What did you find?", OutcomeMissing: "Choose what you found.", WentBack: "The money went back", DidNot: "The money did not go back", SettleButton: "Record what I found",
	State: "State", When: "Asked for", WaitingPill: "Under way", UnknownPill: "Outcome unknown", RecordedPill: "Given back", FailedPill: "Not given back",
	GivenBack: "Money given back", Evidence: "Evidence", ByAnswer: "The acquirer’s answer", ByPerson: "Found by a person in the acquirer’s books",
	NothingLeft: "All that was paid has been given back.", WhichMissing: "Choose which money goes back.",
	GivenBackBefore: "It was decided that this money went back in another way, so the acquirer is not asked: it would go back twice. Record that it went back already.",
	Troubles: map[refunds.Trouble]string{
		refunds.NoAnswer: "The acquirer gave no answer that makes sense.", refunds.ServerEnded: "The server stopped while it waited for the answer.",
		refunds.LedgerNo: "The ledger does not take this refund: it is more than was paid, or recorded already.", refunds.NotSent: "The acquirer could not be reached; nothing was sent.",
		refunds.OtherAmount: "The acquirer says that another amount went back.", refunds.AccountNo: "The acquirer refused the shop’s account with it.",
		refunds.NoAccount: "The application has no account with the acquirer any more that could be asked.", refunds.PersonNo: "Somebody made sure that the money did not go back.",
	},
}
