package view

import "daftar/internal/locale"

// moneyTexts are the texts of the page of the turnover.
type moneyTexts struct {
	Intro, Spans                                            string
	SpanNames                                               map[Span]string
	Days, TooLong, Total, Payments, Late, Canceled, Twice   string
	TwiceHint, LateHint, Best, PaidKey, LateKey             string
	Charts                                                  [3]string // by unit
	Refunded, RefundedHint                                  string
	Day, Sum, Table, None, NoneHint, Nothing                string
	ExportHint, From, To                                    string
	Before, NothingBefore, ByMethod, ByMethodHint, NewestOf string
	Why                                                     string
}

func moneyTextsIn(say locale.Say) moneyTexts {
	return moneyTexts{
		Intro: say("المدفوع في كل يوم بتوقيت ليبيا. يُحسب المبلغ في اليوم الذي تأكدنا فيه من وصوله.",
			"What was paid on each day, in Libya’s time. Money counts on the day on which it was confirmed."),
		Spans:   say("المدة", "Days"),
		Days:    say("أيام أخرى", "Other days"),
		TooLong: say("اختر مدة لا تزيد على 366 يومًا.", "Choose 366 days at most."),
		Total:   say("المجموع", "Total"), Payments: say("مدفوعات", "Payments"),
		Late:      say("منها بعد المهلة", "Paid late (included)"),
		Canceled:  say("ملغاة دون دفع", "Canceled unpaid"),
		Twice:     say("مدفوعة مرتين", "Duplicate payments"),
		TwiceHint: say("خارج المجموع: مبالغ يجب أن تُرد.", "Not in the total: money to be given back."),
		LateHint:  say("داخلة في المجموع.", "Included in the total."),
		Refunded:  say("رُدّ إلى الزبائن", "Given back"),
		RefundedHint: say("لا يُطرح من المجموع، ويُحسب في يوم تسجيله.",
			"Not taken off the total; counted on the day it was recorded."),
		Charts: [3]string{
			days: say("الإيرادات اليومية", "Revenue by day"), weeks: say("الإيرادات الأسبوعية", "Revenue by week"),
			months: say("الإيرادات الشهرية", "Revenue by month"),
		},
		Best: say("الأعلى", "Highest"), PaidKey: say("دُفع في المهلة", "Paid in time"),
		LateKey: say("دُفع بعد المهلة", "Paid late"), Day: say("اليوم", "Day"), Sum: say("المبلغ", "Amount"),
		Table:    say("الإيرادات حسب اليوم، الأحدث أولًا", "Revenue by day, the latest first"),
		None:     say("لا مدفوعات في هذه المدة.", "No payments in these days."),
		NoneHint: say("اختر مدة أطول أو تطبيقًا آخر.", "Choose more days or another application."),
		Nothing:  say("لم يُدفع شيء في هذه المدة.", "Nothing was paid in these days."),
		ExportHint: say("سطر لكل يوم وتطبيق. يُسجَّل التنزيل في سجل التدقيق.",
			"A row for each day and application. The download is recorded in the audit trail."),
		From: say("من", "From"), To: say("إلى", "to"), Before: say("المدة السابقة:", "Period before:"),
		NothingBefore: say("لا شيء في المدة السابقة", "Nothing in the period before"),
		ByMethod:      say("نجاح المحاولات حسب الوسيلة", "Success by method"),
		Why:           say("أسباب ما لم ينجح", "Why attempts failed"),
		ByMethodHint:  say("محاولات دفع ما أُنشئ في هذه المدة.", "Attempts to pay what was created in these days."),
		NewestOf:      say("من أحدث %d دفعة في هذه المدة.", "Of the newest %d payments in these days."),
		SpanNames: map[Span]string{
			spanWeek:      say("آخر 7 أيام", "Last 7 days"),
			SpanMonth:     say("آخر 30 يومًا", "Last 30 days"),
			spanQuarter:   say("آخر 90 يومًا", "Last 90 days"),
			spanThisMonth: say("هذا الشهر", "This month"),
			spanLastMonth: say("الشهر الماضي", "Last month"),
		},
	}
}
