package facts

import (
	"cmp"

	"daftar/domain"
)

// Why an intent was canceled, as merchants read it.
const (
	reasonExpired = "expired" // its time ran out
	reasonStopped = "stopped" // the merchant ended it before
)

var stopped = &Words{text("أُوقفت صفحة الدفع فأُلغيت", "Checkout stopped, canceled"), "off"}

// table has a row for each kind of event, in the order of a payment's life.
var table = []Kind{
	row(Kind{
		Stored: domain.TypeCreated, Webhook: "payment_intent.created",
		Leaves:  domain.StatusRequiresPaymentMethod,
		Name:    text("أُنشئت دفعة", "Payment created"),
		Meaning: text("أُنشئت عملية الدفع", "the intent was created"),
		Words:   Words{text("أُنشئت الدفعة", "Payment created"), "wait"},
	}, func(e domain.Created) Details {
		return Details{Amount: e.Amount}
	}),
	row(Kind{
		Stored: domain.TypeAttemptStarted, Webhook: "payment_intent.processing",
		Leaves:  domain.StatusProcessing,
		Name:    text("بدأت محاولة دفع", "Attempt began"),
		Meaning: text("بدأ الزبون محاولة دفع", "the customer began an attempt to pay"),
		Words:   Words{text("بدأ الزبون محاولة دفع", "Customer began an attempt"), "wait"},
	}, func(e domain.AttemptStarted) Details {
		return Details{Attempt: e.Attempt, Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer}
	}),
	row(Kind{
		Stored: domain.TypeAttemptFailed, Webhook: "payment_intent.payment_failed",
		Leaves:  domain.StatusRequiresPaymentMethod,
		Name:    text("لم تنجح المحاولة", "Attempt failed"),
		Meaning: text("فشلت المحاولة، وللزبون أن يعيد", "the attempt failed; the customer may try again"),
		Words:   Words{text("لم تنجح المحاولة", "Attempt failed"), "off"},
	}, func(e domain.AttemptFailed) Details {
		// An acquirer that gave no reason has declined.
		return Details{Attempt: e.Attempt, Reason: cmp.Or(e.Reason, "declined")}
	}),
	row(Kind{
		Stored: domain.TypeSucceeded, Webhook: "payment_intent.succeeded", Leaves: domain.StatusSucceeded,
		Money: Received,
		Name:  text("دُفع المبلغ", "Paid"),
		Meaning: text(
			"تم الدفع، ومعه `\"late\": true` في `data` إن كانت العملية قد أُلغيت قبل ذلك",
			"paid; with `\"late\": true` in `data` where the intent was `canceled` before",
		),
		Words: Words{text("دُفع المبلغ", "Paid"), "ok"},
	}, func(e domain.Succeeded) Details {
		return Details{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeExpired, Webhook: "payment_intent.canceled", Leaves: domain.StatusCanceled,
		Name: text("أُلغيت الدفعة", "Payment canceled"),
		Meaning: text(
			"انتهت المهلة دون دفع، أو أُوقفت صفحة الدفع، أو أنهيتها أنت",
			"expired unpaid, or its checkout was stopped, or you ended it",
		),
		Words: Words{text("انتهت المهلة فأُلغيت", "Time ran out, canceled"), "off"},
	}, func(e domain.Expired) Details {
		if e.Stopped {
			return Details{Reason: reasonStopped, Words: stopped}
		}
		return Details{Reason: reasonExpired}
	}),
	row(Kind{
		Stored: domain.TypeLateSucceeded, Webhook: "payment_intent.succeeded", Leaves: domain.StatusSucceeded,
		Money: Received, Late: true,
		Words: Words{text("وصل المبلغ بعد المهلة", "Money received after the time ran out"), "late"},
	}, func(e domain.LateSucceeded) Details {
		return Details{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeDuplicatePayment, Webhook: "payment_intent.duplicate_payment", Money: ReceivedAgain,
		Name: text("دُفعت مرتين", "Paid twice"),
		Meaning: text(
			"وصل المبلغ مرة ثانية لعملية مدفوعة، وعليك أن تردّه",
			"money came in a second time for an intent that is paid: give it back",
		),
		Words: Words{text("سُحب المبلغ مرة أخرى", "Money was taken again"), "late"},
	}, func(e domain.DuplicatePayment) Details {
		return Details{Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference}
	}),
	row(Kind{
		Stored: domain.TypeRefundRecorded, Webhook: "payment_intent.refunded", Money: Returned, Refund: true,
		Name: text("رُدّ المبلغ", "Refunded"),
		Meaning: text(
			"رُدّ مبلغ إلى الزبون، وفي `data.refund` معرّفه `uuid` ومقداره `amount` وعملته `currency`. تبقى "+
				"العملية `succeeded`",
			"money went back to the customer: `data.refund` has its `uuid`, `amount` and `currency`. The "+
				"intent stays `succeeded`",
		),
		Words: Words{text("رُدّ مبلغ إلى الزبون", "Money was given back"), "off"},
	}, func(e domain.RefundRecorded) Details {
		return Details{
			Attempt: e.Attempt, Amount: e.Amount, ProviderReference: e.ProviderReference,
			Refund: e.Refund, Evidence: e.Evidence,
		}
	}),
	row(Kind{
		Stored: domain.TypeRefundFailed, Webhook: "payment_intent.refund_failed", Refund: true,
		Name: text("تعذّر ردّ المبلغ", "Refund failed"),
		Meaning: text(
			"طُلب ردّ مبلغ ولم يُردّ منه شيء، وفي `data.refund` مع ما في السابق سببه `failure_reason`",
			"a refund was requested and nothing went back: `data.refund` has also why, as `failure_reason`",
		),
		Words: Words{text("لم يُردّ المبلغ المطلوب", "Refund failed, nothing was given back"), "late"},
	}, func(e domain.RefundFailed) Details {
		return Details{Attempt: e.Attempt, Amount: e.Amount, Reason: e.Reason, Refund: e.Refund}
	}),
}
