package view

// moneyTexts are the words of the page of what came in.
type moneyTexts struct {
	Intro, Spans, Week, Month, Quarter, ThisMonth, LastMonth string
	Days, TooLong, Total, Payments, Late, Canceled, Twice    string
	TwiceHint, LateHint, Chart, Best, PaidKey, LateKey       string
	Refunded, RefundedHint                                   string
	Day, Sum, Table, None, NoneHint, Nothing                 string
	ExportHint, From, To                                     string
	Before, NothingBefore, ByMethod, ByMethodHint, NewestOf  string
	Why                                                      string
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
	ExportHint: "سطر لكل يوم وتطبيق. يُسجَّل التنزيل في سجل التدقيق.", From: "من", To: "إلى",
	Before: "المدة السابقة:", NothingBefore: "لا شيء في المدة السابقة", ByMethod: "نجاح المحاولات حسب الوسيلة", Why: "أسباب ما لم ينجح",
	ByMethodHint: "محاولات دفع ما أُنشئ في هذه المدة.", NewestOf: "من أحدث %d دفعة في هذه المدة.",
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
	ExportHint: "A row for each day and application. The download is recorded in the audit trail.", From: "From", To: "to",
	Before: "Period before:", NothingBefore: "Nothing in the period before", ByMethod: "Success by method", Why: "Why attempts failed",
	ByMethodHint: "Attempts to pay what was created in these days.", NewestOf: "Of the newest %d payments in these days.",
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
