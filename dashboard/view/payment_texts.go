package view

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// paymentPageTexts are the texts of the page of one payment.
type paymentPageTexts struct {
	say locale.Say

	Title, UUID, MerchantReference, Amount, Application                            string
	CustomerID, ReturnURL, Metadata, ExpiresAt, CreatedAt, UpdatedAt, OpenCheckout string
	CheckoutHint, None                                                             string
	Attempts, NoAttempts, Attempt, Method, Acquirer, Payer, Reason                 string
	ProviderReference, AttemptOpen, AttemptNo, AttemptPaid                         string
	History, HistoryHint, Version, Position, Note, By, IDs, Positions              string
	ByApplication, ByPayer, ByAcquirer, ByExpiry, ByOperator, ByMember             string
	Webhooks, NoWebhooks, ToDecide, Decide, ToList                                 string
	Reasons                                                                        map[acquirer.Reason]string
}

func paymentPageTextsIn(say locale.Say) paymentPageTexts {
	return paymentPageTexts{
		say: say,

		Title: say("الدفعة", "Payment"), UUID: say("المعرّف", "uuid"),
		MerchantReference: say("مرجع التاجر", "Merchant reference"),
		Amount:            say("المبلغ", "Amount"), Application: say("التطبيق", "Application"),
		CustomerID: say("معرّف الزبون", "Customer’s id"),
		ReturnURL:  say("رابط العودة", "Return URL"), Metadata: say("بيانات إضافية", "Metadata"),
		ExpiresAt: say("تنتهي", "Expires"), CreatedAt: say("أُنشئت", "Created"),
		UpdatedAt:    say("آخر تغيير", "Last change"),
		OpenCheckout: say("صفحة الزبون", "Checkout page"),
		CheckoutHint: say("رابط صفحة الزبون للزبون وحده: من يملكه يستطيع الدفع ويرى الإيصال.",
			"The page’s link is for the customer alone: it lets anyone pay and shows the receipt."),
		None:       say("لا شيء", "None"),
		Attempts:   say("محاولات الدفع", "Attempts to pay"),
		NoAttempts: say("لم يحاول الزبون الدفع بعد.", "The customer has not tried to pay yet."),
		Attempt:    say("المحاولة", "Attempt"), Method: say("الوسيلة", "Method"),
		Acquirer: say("جهة الدفع", "Acquirer"), Payer: say("الدافع", "Payer"), Reason: say("السبب", "Reason"),
		ProviderReference: say("المرجع لدى جهة الدفع", "Acquirer’s reference"),
		AttemptOpen:       say("لم تُعرف نتيجتها بعد", "Outcome not known yet"),
		AttemptNo:         say("لم تنجح", "Failed"), AttemptPaid: say("سُحب المبلغ", "Money taken"),
		IDs:       say("المعرّفات والبيانات الإضافية", "Identifiers and metadata"),
		Positions: say("المواضع في السجل", "Ledger entries"),
		History:   say("ما جرى (بتوقيت ليبيا)", "What happened (Libya’s time)"),
		HistoryHint: say("هذا هو السجل نفسه، ولا يُعدَّل ولا يُحذف منه شيء.",
			"This is the ledger itself; nothing in it is ever changed or removed."),
		Version:  say("الحدث", "Event"),
		Position: say("الموضع في السجل", "Position in the ledger"),
		Note:     say("ملاحظة", "Note"), By: say("من", "By"),
		ByMember:      say("عضو المؤسسة", "Member of the organisation"),
		ByApplication: say("التطبيق", "Application"), ByPayer: say("الزبون", "Customer"),
		ByAcquirer: say("جهة الدفع", "Acquirer"),
		ByExpiry:   say("النظام، بانتهاء المهلة", "The service, as time ran out"),
		ByOperator: say("المشغّل", "Operator"),
		Webhooks:   say("إشعارات هذه الدفعة", "Webhooks of this payment"),
		NoWebhooks: say("لم يُسجَّل أي إشعار: لم يكن للتطبيق عنوان إشعارات وقتها.",
			"None was recorded: the application had no webhook URL at the time."),
		ToDecide: say("في هذه الدفعة مبلغ ينتظر قرارًا.", "Money of this payment waits for a decision."),
		Decide:   say("إلى القرارات", "To the decisions"), ToList: say("كل المدفوعات", "All payments"),
		Reasons: map[acquirer.Reason]string{
			acquirer.GenericDecline:    say("رفضت جهة الدفع العملية.", "The payment was declined."),
			acquirer.InsufficientFunds: say("الرصيد لا يكفي.", "The balance is too low."),
			acquirer.CodeLocked:        say("أُدخل الرمز خطأً عدة مرات.", "A wrong code was typed too often."),
			acquirer.CodeExpired:       say("انتهت صلاحية الرمز قبل إدخاله.", "The code expired before it was typed."),
			acquirer.Abandoned: say("ترك الزبون العملية قبل أن تكتمل.",
				"The customer left before it was complete."),
			acquirer.PhoneRefused:  say("الرقم غير مسجّل في خدمة المحفظة.", "The number has no wallet."),
			acquirer.AmountRefused: say("لا تقبل جهة الدفع هذا المبلغ.", "The acquirer does not take this amount."),
			acquirer.TimedOut:      say("لم تكتمل العملية في الوقت المتاح.", "It was not completed in time."),
			acquirer.TooManyCodes: say("أُرسلت رموز كثيرة خلال ساعة، فلم يُرسل رمز.",
				"Too many codes were sent within an hour, so none was sent."),
			acquirer.Expired: say("انتهت المهلة قبل أن يُسحب المبلغ.",
				"The time was over before the money was taken."),
			acquirer.Unreachable: say("تعذّر الوصول إلى جهة الدفع.", "The acquirer could not be reached."),
			acquirer.SettledByOperator: say("راجعها شخص وتأكد أن المبلغ لم يُسحب.",
				"A person checked it: no money was taken."),
			acquirer.DetailsRefused: say("الرقم وسنة الميلاد لا يتطابقان، أو الرقم غير مسجّل.",
				"The number and the year of birth do not belong together, or the number is not registered."),
			acquirer.AccountRefused: say("رفضت جهة الدفع حساب المتجر لديها. راجع إعداداته.",
				"The acquirer refused the shop's account with it. Look at its settings."),
		},
	}
}
