package checkout

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// reasonText tells why an attempt took no money, and what to do next.
type reasonText struct{ Why, Next string }

func reasonTextsIn(say locale.Say) map[acquirer.Reason]reasonText {
	return map[acquirer.Reason]reasonText{
		acquirer.GenericDecline: {
			Why:  say("رُفضت العملية.", "The payment was declined."),
			Next: say("تواصل مع مصرفك أو اختر وسيلة أخرى.", "Contact your bank or choose another payment method."),
		},
		acquirer.InsufficientFunds: {
			Why:  say("الرصيد لا يكفي.", "The balance is too low."),
			Next: say("اشحن محفظتك أو اختر وسيلة أخرى.", "Top up or choose another payment method."),
		},
		acquirer.CodeLocked: {
			Why: say("أُدخل رمز التحقق خطأً عدة مرات، فأُغلقت هذه المحاولة.",
				"The code was wrong too many times, so this attempt was closed."),
			Next: say("حاول مرة أخرى ليصلك رمز جديد.", "Try again to get a new code."),
		},
		acquirer.CodeExpired: {
			Why: say("انتهت صلاحية رمز التحقق قبل إدخاله.", "The code expired before it was entered."),
			Next: say("حاول مرة أخرى ليصلك رمز جديد، وأدخله فور وصوله.",
				"Try again to get a new code, and enter it as soon as it arrives."),
		},
		acquirer.Abandoned: {
			Why:  say("توقفت عملية الدفع قبل أن تكتمل.", "The payment was stopped before it was complete."),
			Next: say("يمكنك المحاولة مرة أخرى.", "You can try again."),
		},
		acquirer.PhoneRefused: {
			Why: say("هذا الرقم غير مسجّل في خدمة المحفظة.", "This number is not registered with the wallet."),
			Next: say("تأكد من الرقم، أو فعّل الخدمة لدى مصرفك، أو اختر وسيلة أخرى.",
				"Check the number, activate the service with your bank, or choose another payment method."),
		},
		acquirer.DetailsRefused: {
			Why: say("رقم الهاتف وسنة الميلاد لا يتطابقان، أو أن الرقم غير مسجّل في الخدمة.",
				"The number and the year of birth do not belong together, or the number is not registered."),
			Next: say("راجع الرقم وسنة ميلاد صاحبه، أو اختر وسيلة أخرى.",
				"Check the number and its owner’s year of birth, or choose another payment method."),
		},
		acquirer.AmountRefused: {
			Why: say("هذه الوسيلة لا تقبل هذا المبلغ.", "This way of paying does not take this amount."),
			Next: say("قد يكون أعلى من الحد اليومي لحسابك. اسأل مصرفك أو اختر وسيلة أخرى.",
				"It may be above the daily limit of your account. Ask your bank or choose another payment method."),
		},
		acquirer.TimedOut: {
			Why:  say("لم تكتمل عملية الدفع في الوقت المتاح.", "The payment was not completed in time."),
			Next: say("حاول مرة أخرى، وأبقِ هاتفك قريبًا منك.", "Try again, and keep your phone at hand."),
		},
		acquirer.Unreachable: {
			Why: say("تعذّر الوصول إلى جهة الدفع.", "The payment provider could not be reached."),
			Next: say("انتظر دقيقة ثم حاول مرة أخرى، أو اختر وسيلة أخرى.",
				"Wait a minute and try again, or choose another payment method."),
		},
		acquirer.AccountRefused: {
			Why: say("لا يستطيع المتجر استقبال الدفع بهذه الوسيلة حاليًا.",
				"The shop cannot be paid this way at the moment."),
			Next: say("اختر وسيلة أخرى أو تواصل مع المتجر.", "Choose another payment method or contact the shop."),
		},
		acquirer.TooManyCodes: {
			Why: say("أُرسلت رموز كثيرة خلال ساعة، فلم نرسل رمزًا هذه المرة.",
				"Too many codes were sent within an hour, so none was sent this time."),
			Next: say("حاول بعد ساعة، أو استعمل رقمًا آخر، أو اختر وسيلة أخرى.",
				"Try again in an hour, use another number, or choose another payment method."),
		},
		acquirer.Expired: {
			Why: say("انتهت المهلة قبل أن يُسحب المبلغ.", "The time was over before the money was taken."),
			Next: say("حاول مرة أخرى، أو اطلب من المتجر رابط دفع جديدًا.",
				"Try again, or ask the shop for a new payment link."),
		},
		acquirer.SettledByOperator: {
			Why: say("راجع موظفونا العملية وتأكدوا أنها لم تتم.",
				"Our staff looked into the payment and found that it did not go through."),
			Next: say("يمكنك المحاولة مرة أخرى.", "You can try again."),
		},
	}
}

// reason translates the reasons of acquirer. An unknown word of an old event is translated as a
// decline.
func (t *texts) reason(r acquirer.Reason) reasonText {
	return t.Reasons[acquirer.ParseReason(string(r))]
}
