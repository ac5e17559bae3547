package facts

import (
	"cmp"

	"daftar/domain"
	"daftar/internal/locale"
)

// Why an intent was canceled, as merchants read it.
const (
	reasonExpired = "expired" // its time ran out
	reasonStopped = "stopped" // the merchant ended it before
)

var stopped = Words{locale.Text{
	Arabic: "أُوقفت صفحة الدفع فأُلغيت", English: "Checkout stopped, canceled",
}, "off"}

// table has a row for each kind of event, in the order of a payment's life.
var table = []Kind{
	row(Kind{
		Stored: domain.TypeCreated, Webhook: "payment_intent.created", Leaves: domain.StatusRequiresPaymentMethod,
		Words: Words{locale.Text{Arabic: "أُنشئت الدفعة", English: "Payment created"}, "wait"},
	}, func(e domain.Created) Content {
		return Content{Amount: e.Amount}
	}),
	row(Kind{
		Stored: domain.TypeAttemptStarted, Webhook: "payment_intent.processing", Leaves: domain.StatusProcessing,
		Words: Words{locale.Text{Arabic: "بدأ الزبون محاولة دفع", English: "Customer began an attempt"}, "wait"},
	}, func(e domain.AttemptStarted) Content {
		return Content{Attempt: e.Attempt, Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer}
	}),
	row(Kind{
		Stored: domain.TypeAttemptFailed, Webhook: "payment_intent.payment_failed",
		Leaves: domain.StatusRequiresPaymentMethod,
		Words:  Words{locale.Text{Arabic: "لم تنجح المحاولة", English: "Attempt failed"}, "off"},
	}, func(e domain.AttemptFailed) Content {
		// An acquirer that gave no reason has declined.
		return Content{Attempt: e.Attempt, Reason: cmp.Or(e.Reason, "declined")}
	}),
	row(Kind{
		Stored: domain.TypeSucceeded, Webhook: "payment_intent.succeeded", Leaves: domain.StatusSucceeded,
		Money: CameIn,
		Words: Words{locale.Text{Arabic: "دُفع المبلغ", English: "Paid"}, "ok"},
	}, func(e domain.Succeeded) Content {
		return Content{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeExpired, Webhook: "payment_intent.canceled", Leaves: domain.StatusCanceled,
		Words: Words{locale.Text{Arabic: "انتهت المهلة فأُلغيت", English: "Time ran out, canceled"}, "off"},
	}, func(e domain.Expired) Content {
		if e.Stopped {
			return Content{Reason: reasonStopped, Words: stopped}
		}
		return Content{Reason: reasonExpired}
	}),
	row(Kind{
		Stored: domain.TypeLateSucceeded, Webhook: "payment_intent.succeeded", Leaves: domain.StatusSucceeded,
		Money: CameIn, Late: true,
		Words: Words{locale.Text{
			Arabic: "وصل المبلغ بعد المهلة", English: "Money came after the time ran out",
		}, "late"},
	}, func(e domain.LateSucceeded) Content {
		return Content{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeDuplicatePayment, Webhook: "payment_intent.duplicate_payment", Money: CameAgain,
		Words: Words{locale.Text{Arabic: "سُحب المبلغ مرة أخرى", English: "Money was taken again"}, "late"},
	}, func(e domain.DuplicatePayment) Content {
		return Content{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeRefundRecorded, Webhook: "payment_intent.refunded", Money: WentBack, Refund: true,
		Words: Words{locale.Text{Arabic: "رُدّ مبلغ إلى الزبون", English: "Money was given back"}, "off"},
	}, func(e domain.RefundRecorded) Content {
		return Content{
			Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference,
			Refund: e.Refund, Evidence: e.Evidence,
		}
	}),
}
