package view

// moneyTexts are the words of the page of what came in.
type moneyTexts struct {
	Intro, Spans, Week, Month, Quarter, ThisMonth, LastMonth string
	Days, TooLong, Total, Payments, Late, Canceled, Twice    string
	TwiceHint, LateHint, Chart, Best, PaidKey, LateKey       string
	Refunded, RefundedHint                                   string
	Day, Sum, Table, None, NoneHint, Nothing                 string
	Export, ExportHint, From, To                             string
}

var arabicMoney = moneyTexts{
	Intro: "ما دُفع في كل يوم بتقويم طرابلس. يُحسب المبلغ في اليوم الذي تأكدنا فيه من وصوله.",
	Spans: "المدة", Week: "آخر 7 أيام", Month: "آخر 30 يومًا", Quarter: "آخر 90 يومًا", ThisMonth: "هذا الشهر", LastMonth: "الشهر الماضي",
	Days: "أيام أخرى", TooLong: "اختر مدة لا تزيد على 366 يومًا.", Total: "المجموع", Payments: "مدفوعات", Late: "منها بعد المهلة",
	Canceled: "ملغاة دون دفع", Twice: "مدفوعة مرتين", TwiceHint: "خارج المجموع: مبالغ يجب أن تُرد.", LateHint: "داخلة في المجموع.",
	Refunded: "رُدّ إلى الزبائن", RefundedHint: "لا يُطرح من المجموع، ويُحسب في يوم تسجيله.",
	Chart: "الإيرادات اليومية", Best: "أعلى يوم", PaidKey: "دُفع في المهلة", LateKey: "دُفع بعد المهلة",
	Day: "اليوم", Sum: "المبلغ", Table: "الإيرادات حسب اليوم، الأحدث أولًا", None: "لم يحدث شيء في هذه المدة.",
	NoneHint: "اختر مدة أطول أو تطبيقًا آخر.", Nothing: "لم يُدفع شيء في هذه المدة.",
	Export: "نزّل ملف CSV", ExportHint: "سطر لكل يوم وتطبيق. يُسجَّل التنزيل في سجل التدقيق.", From: "من", To: "إلى",
}

var englishMoney = moneyTexts{
	Intro: "What was paid on each day of Tripoli’s calendar. Money counts on the day on which it was confirmed.",
	Spans: "Days", Week: "Last 7 days", Month: "Last 30 days", Quarter: "Last 90 days", ThisMonth: "This month", LastMonth: "Last month",
	Days: "Other days", TooLong: "Choose 366 days at most.", Total: "Total", Payments: "Payments", Late: "Paid late (included)",
	Canceled: "Canceled unpaid", Twice: "Duplicate payments", TwiceHint: "Not in the total: money to be given back.", LateHint: "Included in the total.",
	Refunded: "Given back", RefundedHint: "Not taken off the total; counted on the day it was recorded.",
	Chart: "Revenue by day", Best: "Highest day", PaidKey: "Paid in time", LateKey: "Paid late",
	Day: "Day", Sum: "Amount", Table: "Revenue by day, the latest first", None: "Nothing happened in these days.",
	NoneHint: "Choose more days or another application.", Nothing: "Nothing was paid in these days.",
	Export: "Download CSV", ExportHint: "A row for each day and application. The download is recorded in the audit trail.", From: "From", To: "to",
}

func (t moneyTexts) span(s Span) string {
	switch s {
	case spanWeek:
		return t.Week
	case SpanMonth:
		return t.Month
	case spanQuarter:
		return t.Quarter
	case spanThisMonth:
		return t.ThisMonth
	case spanLastMonth:
		return t.LastMonth
	}
	panic("view: unknown span " + string(s))
}

// decisionTexts are the words about late and double payments.
type decisionTexts struct {
	Intro, Late, Duplicate, LateWhat, DuplicateWhat string
	Since, Close, Effect, Note, NoteHint, Button    string
	NoteMissing, NoteLong, NotYours, None, NoneHint string
	More, Decided, Kind, By                         string
	Quarantined, QuarantinedWhat, Trouble           string
}

var arabicDecisions = decisionTexts{
	Intro: "مبالغ وصلت على غير المتوقع. تحقّق من كل مبلغ ثم اكتب ما تقرر: ردّه إلى الزبون أو تسليم الطلب. إذا رُدّ المبلغ كله من هنا سُجّل القرار معه.",
	Late:  "دُفعت بعد المهلة", Duplicate: "دُفعت مرتين",
	LateWhat:      "انتهت المهلة وأُلغيت الدفعة، ثم تبيّن أن المبلغ سُحب من الزبون. حالتها الآن «مدفوعة». سلّم الطلب، أو ردّ المبلغ.",
	DuplicateWhat: "الدفعة مدفوعة من قبل، ثم سُحب المبلغ نفسه من الزبون مرة أخرى. المبلغ الثاني من حق الزبون، ويُردّ عن طريق جهة الدفع.",
	Since:         "وصل المبلغ", Close: "سجّل القرار", Effect: "يُحفظ القرار باسمك ولا يُعدَّل بعد ذلك، وتخرج الدفعة من هذه القائمة. لا يتحرك أي مبلغ.",
	Note: "ماذا قررت؟", NoteHint: "مثلًا: رُدّ المبلغ في المحفظة، ورقم العملية كذا.", Button: "احفظ القرار",
	NoteMissing: "اكتب ماذا قررت.", NoteLong: "الملاحظة أطول من 1000 حرف.", NotYours: "يسجّل القرارَ مالك المؤسسة أو مطوّر فيها.",
	None: "لا شيء يحتاج قرارًا.", NoneHint: "تظهر هنا المبالغ التي تصل بعد المهلة أو أكثر من مرة.", More: "تنتظر أيضًا غير هذه:",
	Decided: "قُرّر فيها أخيرًا", Kind: "النوع", By: "من ومتى",
	Quarantined: "كلام جهة الدفع لا يطابق سجلنا", Trouble: "ما قالته جهة الدفع",
	QuarantinedWhat: "مبلغ آخر أو عملة أخرى أو دفع مكرر أو نتيجة لم تُعرف. لم تتغيّر حالة الدفعة، ومشغّل الخدمة هو من يحسمها. انظر في حسابك لدى جهة الدفع وأخبره بما وجدت.",
}

var englishDecisions = decisionTexts{
	Intro: "Money that came unexpectedly. Look into each, then write down what was decided: given back to the customer, or the order handed over. Money that goes back in whole from here is decided with it.",
	Late:  "Paid late", Duplicate: "Duplicate payment",
	LateWhat:      "The time ran out and the payment was canceled; then it turned out that the customer’s money had been taken. It is “paid” now. Hand the order over, or give the money back.",
	DuplicateWhat: "The payment was paid before; then the same amount was taken from the customer once more. The second amount belongs to the customer and goes back by way of the acquirer.",
	Since:         "Money came", Close: "Record the decision", Effect: "The decision is kept in your name and cannot be changed; the payment leaves this list. No money moves.",
	Note: "What was decided?", NoteHint: "For example: given back to the wallet, transaction number so-and-so.", Button: "Keep the decision",
	NoteMissing: "Write down what was decided.", NoteLong: "The note is longer than 1000 characters.", NotYours: "An owner or developer of the organisation records the decision.",
	None: "Nothing waits for a decision.", NoneHint: "Money that comes late, or more than once, appears here.", More: "Waiting beside these:",
	Decided: "Recently decided", Kind: "Kind", By: "By and when",
	Quarantined: "The acquirer’s words do not match the ledger", Trouble: "What the acquirer says",
	QuarantinedWhat: "Another amount, another currency, a payment made twice, or an outcome that is not known. The payment’s state has not changed; the service’s operator settles it. Look into your account with the acquirer, and say what you found.",
}
