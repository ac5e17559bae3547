package checkout

import "daftar/internal/locale"

type processingTexts struct {
	Title         string
	DoNotPayAgain string
	ByItself      string
	CardTitle     string
	CardButton    string
	CardPaid      string
	GiveUp        string // on the button
	GiveUpOnlyIf  string
	TimeOverTitle string
	TimeOverWhy   string
	UnknownTitle  string
	UnknownWhy    string
	MayLeave      string
}

func processingTextsIn(say locale.Say) processingTexts {
	return processingTexts{
		Title:         say("ننتظر تأكيد الدفع", "Waiting for the payment to be confirmed"),
		DoNotPayAgain: say("لا تدفع مرة أخرى.", "Do not pay again."),
		ByItself:      say("تُحدَّث هذه الصفحة تلقائيًا.", "This page updates by itself."),
		CardTitle:     say("أكمل الدفع في صفحة المصرف", "Finish paying on the bank’s page"),
		CardButton:    say("انتقل إلى صفحة المصرف", "Go to the bank’s page"),
		CardPaid: say("إن كنت قد دفعت هناك فلا تدفع مرة أخرى، وستظهر النتيجة هنا.",
			"If you have already paid there, do not pay again: the result will show here."),
		GiveUp:        say("ادفع بوسيلة أخرى", "Pay another way"),
		GiveUpOnlyIf:  say("لم تدفع بعد؟ يمكنك ترك هذه المحاولة.", "Have not paid yet? You can drop this attempt."),
		TimeOverTitle: say("انتهت مهلة الدفع", "The time to pay is over"),
		TimeOverWhy: say("كانت عملية الدفع جارية حين انتهت المهلة. نسأل جهة الدفع الآن كيف انتهت.",
			"A payment was under way at that moment. We are asking the payment provider how it ended."),
		UnknownTitle: say("ما زلنا نتحقق من الدفع", "We are still checking your payment"),
		UnknownWhy: say("لم يصلنا بعدُ ردّ نهائي من جهة الدفع.",
			"The payment provider has not given us a final answer yet."),
		MayLeave: say("يمكنك إغلاق هذه الصفحة والعودة إليها متى شئت. سنواصل التحقق ونُبلغ المتجر بالنتيجة. "+
			"احتفظ بالمرجع.",
			"You may close this page and come back at any time. We keep checking and tell the shop the result. "+
				"Keep the reference."),
	}
}
