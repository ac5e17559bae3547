package view

import (
	"daftar/internal/locale"
	"daftar/payments/till"
)

// checkTexts are the texts of the till.
type checkTexts struct {
	Intro, Reference, Hint string
	Missing, Check, Next   string
	Scan, Stop, NoCamera   string
	Verdicts               map[till.Verdict]verdictTexts
	Processing             string
	CheckedBefore          string // with {ago} and {by}
	PaidWhen               string // before an age
	Arrived                string // before the amount in words
	WentBack               string // before an amount
	Ago                    func(age string) string
}

type verdictTexts struct{ Title, What string }

func checkTextsIn(say locale.Say) checkTexts {
	return checkTexts{
		Intro: say("قبل أن تسلّم البضاعة: لا تعتمد على صورة الإيصال، بل على ما يظهر هنا.",
			"Before you hand anything over: rely on what shows here, never on a picture of a receipt."),
		Reference: say("مرجع الإيصال", "Reference of the receipt"),
		Hint: say("عشرة أحرف وأرقام، مثل \u20667K3QX0M2TD\u2069، أو الرابط الذي في رمز الإيصال.",
			"Ten letters and digits, such as 7K3QX0M2TD, or the link in the receipt’s code."),
		Missing: say("اكتب مرجع الإيصال.", "Enter the reference of the receipt."),
		Check:   say("تحقّق", "Check"), Next: say("تحقّق من إيصال آخر", "Check another receipt"),
		Scan: say("امسح رمز الإيصال", "Scan the receipt’s code"), Stop: say("أغلق الكاميرا", "Close the camera"),
		NoCamera: say("تعذّر تشغيل الكاميرا. اكتب المرجع.", "The camera cannot be used. Type the reference."),
		Verdicts: map[till.Verdict]verdictTexts{
			till.Good: {
				say("وصل المبلغ", "Paid"),
				say("دُفع لمؤسستك الآن، ولم يُفحص هذا الإيصال من قبل.",
					"It was paid to your organisation just now, and this receipt was not checked before."),
			},
			till.Before: {
				say("فُحص هذا الإيصال من قبل", "Checked before"),
				say("دُفع مرة واحدة. لا تسلّم شيئًا مرتين.", "It was paid once. Hand nothing over twice."),
			},
			till.Old: {
				say("إيصال قديم", "An old receipt"),
				say("دُفع، لكن ليس الآن. تأكد أنه عن هذا الطلب.",
					"It was paid, but not just now. Make sure that it is for this order."),
			},
			till.Refunded: {
				say("أُعيد المبلغ إلى الزبون", "Given back"),
				say("لا تسلّم شيئًا بهذا الإيصال.", "Hand nothing over for this receipt."),
			},
			till.Unpaid: {
				say("لم يُدفع", "Not paid"), say("لم يصل أي مبلغ لهذا المرجع.", "No money came in for this reference."),
			},
			till.Test: {
				say("دفعة تجريبية", "A test payment"),
				say("من تطبيق تجريبي: لم تتحرك أي أموال.", "It is of a test application: no money moved."),
			},
			till.Unknown: {
				say("لا يوجد إيصال كهذا", "No such receipt"),
				say("لا توجد في مؤسستك دفعة بهذا المرجع. تأكد من الأحرف العشرة، وإن بقيت النتيجة نفسها "+
					"فالإيصال مزوّر أو لمتجر آخر.",
					"Your organisation has no payment with this reference. Check the ten characters; if the answer "+
						"stays, the receipt is forged or another shop’s."),
			},
		},
		Processing: say("الدفع جارٍ ولم يتأكد بعد. تحقّق مرة أخرى بعد لحظات.",
			"The payment is under way and not confirmed. Check again in a moment."),
		CheckedBefore: say("فحصه {by} {ago}.", "Checked {ago} by {by}."),
		PaidWhen:      say("دُفع", "paid"),
		Arrived:       say("وصل", "Paid:"),
		WentBack:      say("أُعيد منه", "Given back:"),
		Ago:           func(age string) string { return say("منذ "+age, age+" ago") },
	}
}
