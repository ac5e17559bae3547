package view

import "daftar/internal/locale"

// dayTexts are the texts about closing a day.
type dayTexts struct {
	Title, Intro, NotOver, Method, Count, Amount, Total, Table, Nothing         string
	Returned, Waiting, WaitingHint, TwiceHint                                   string
	Cash, CashHint, Expected, ExpectedField, Counted, CountedField, Close       string
	Difference, Short, Over, Exact, NoCash, Closed, Open, ClosedBy, ClosedAt    string
	Changed, ChangedHint, Then, Now, Recent, Before, After, Future, BothAmounts string
	Unknown                                                                     string
}

func dayTextsIn(say locale.Say) dayTexts {
	return dayTexts{
		Title: say("إقفال اليوم", "Closing the day"),
		Intro: say("راجع ما قبضته وما رددته، وعُدّ النقد إن شئت، ثم أقفل اليوم. ما يُقفل يبقى كما هو.",
			"Check what was taken and given back, count the cash if you like, then close the day. "+
				"What is closed stays as it is."),
		NotOver: say("لم ينتهِ اليوم بعد. ما يُقبض بعد الإقفال يظهر تغييرًا.",
			"The day is not over. What is taken after it is closed will show as a change."),
		Method: say("وسيلة الدفع", "Method"), Count: say("عدد الدفعات", "Payments"),
		Amount: say("المبلغ", "Amount"), Total: say("المجموع", "Total"),
		Table:    say("ما قُبض حسب وسيلة الدفع", "What was taken, by method"),
		Nothing:  say("لم يُقبض شيء في هذا اليوم.", "Nothing was taken on this day."),
		Returned: say("رُدّ إلى الزبائن", "Given back to customers"),
		Waiting:  say("بانتظار النتيجة", "Waiting for an outcome"),
		WaitingHint: say("دفعات أُنشئت في هذا اليوم ولم تُعرف نتيجتها بعد. ما ينجح منها يُحسب في يوم نجاحه.",
			"Payments created on this day whose outcome is not known yet. "+
				"Those that succeed count on the day on which they do."),
		TwiceHint: say("ما دُفع مرتين ليس في المجموع، فمكانه صفحة القرارات.",
			"Money that was paid twice is not in the total; it is on the page of decisions."),
		Cash: say("النقد في الدرج", "Cash in the till"),
		CashHint: say("إن كنت لا تعدّ النقد فاترك الخانتين فارغتين.",
			"If you do not count cash, leave both fields empty."),
		Expected:      say("المفروض في الدرج", "Should be in the till"),
		ExpectedField: say("المفروض في الدرج، بالدينار", "What should be in the till, in dinars"),
		Counted:       say("ما عُدّ", "Counted"),
		CountedField:  say("ما عددته، بالدينار", "What you counted, in dinars"),
		Close:         say("أقفل اليوم", "Close the day"), Difference: say("الفرق", "Difference"),
		Short: say("ناقص", "short"), Over: say("زائد", "over"), Exact: say("مطابق", "exact"),
		NoCash: say("لم يُعدّ النقد.", "No cash was counted."),
		Closed: say("مقفل", "Closed"), Open: say("مفتوح", "Open"),
		ClosedBy: say("أقفله", "Closed by"), ClosedAt: say("وقت الإقفال", "Closed at"),
		Changed: say("تغيّر بعد الإقفال", "Changed since"),
		ChangedHint: say("ما أُقفل باقٍ كما هو، وهذا ما صار إليه اليوم.",
			"What was closed stays as it is; this is what the day has become."),
		Then: say("عند الإقفال", "When closed"), Now: say("الآن", "Now"),
		Recent: say("آخر 14 يومًا", "The last 14 days"),
		Before: say("اليوم السابق", "Previous day"), After: say("اليوم التالي", "Next day"),
		Future: say("هذا اليوم لم يأتِ بعد.", "This day has not come yet."),
		BothAmounts: say("اكتب المبلغين معًا، أو اترك الخانتين فارغتين.",
			"Enter both amounts, or leave both empty."),
		Unknown: say("وسيلة غير معروفة", "Unknown method"),
	}
}
