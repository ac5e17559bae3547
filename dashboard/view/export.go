package view

import (
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/decisions"
	"daftar/projections"
)

// Column is a column of an exported table.
type Column struct {
	Name string      // for scripts, in snake case: it never changes, and new columns come last
	Head locale.Text // for people
}

func column(name, arabic, english string) Column {
	return Column{name, locale.Text{Arabic: arabic, English: english}}
}

// PaymentColumns are the columns of a table of payments.
var PaymentColumns = []Column{
	column("uuid", "المعرّف", "uuid"),
	column("reference", "المرجع", "Reference"),
	column("merchant_reference", "مرجع التاجر", "Merchant reference"),
	column("application", "التطبيق", "Application"),
	column("status", "الحالة", "Status"),
	column("paid_late", "دُفعت بعد المهلة", "Paid late"),
	column("amount", "المبلغ", "Amount"),
	column("currency", "العملة", "Currency"),
	column("description", "الوصف", "Description"),
	column("customer", "معرّف الزبون", "Customer’s id"),
	column("created_at", "أُنشئت (بتوقيت ليبيا)", "Created (Libya’s time)"),
	column("expires_at", "تنتهي (بتوقيت ليبيا)", "Expires (Libya’s time)"),
	column("paid_at", "دُفعت (بتوقيت ليبيا)", "Paid (Libya’s time)"),
	column("canceled_at", "أُلغيت (بتوقيت ليبيا)", "Canceled (Libya’s time)"),
	column("extra_payments", "مرات دفع زائدة", "Duplicate payments"),
	column("refunded", "رُدّ إلى الزبون", "Given back"),
	column("method", "الوسيلة", "Method"),
	column("acquirer", "جهة الدفع", "Acquirer"),
	column("acquirer_reference", "المرجع لدى جهة الدفع", "Acquirer’s reference"),
	column("payer", "الدافع", "Payer"),
}

// TurnoverColumns are the columns of a table of the turnover by day and application.
var TurnoverColumns = []Column{
	column("day", "اليوم", "Day"),
	column("application_uuid", "معرّف التطبيق", "Application’s uuid"),
	column("application", "التطبيق", "Application"),
	column("currency", "العملة", "Currency"),
	column("paid_count", "مدفوعة", "Paid"),
	column("paid_sum", "مبلغ المدفوعة", "Paid, amount"),
	column("late_count", "منها بعد المهلة", "Paid late (included)"),
	column("late_sum", "مبلغ ما دُفع بعد المهلة", "Paid late, amount"),
	column("canceled_count", "ملغاة دون دفع", "Canceled unpaid"),
	column("canceled_sum", "مبلغ الملغاة", "Canceled, amount"),
	column("duplicate_count", "مدفوعة مرتين", "Duplicate payments"),
	column("duplicate_sum", "مبلغ المدفوعة مرتين", "Duplicate payments, amount"),
	column("refund_count", "مرات ردّ المبلغ", "Refunds"),
	column("refund_sum", "رُدّ إلى الزبائن", "Refunds, amount"),
}

// DecisionColumns are the columns of a table of decisions about late and duplicate money.
var DecisionColumns = []Column{
	column("uuid", "معرّف الدفعة", "Payment’s uuid"),
	column("reference", "مرجع الدفعة", "Payment"),
	column("merchant_reference", "مرجع التاجر", "Merchant reference"),
	column("application", "التطبيق", "Application"),
	column("kind", "النوع", "Kind"),
	column("amount", "المبلغ", "Amount"),
	column("currency", "العملة", "Currency"),
	column("came_at", "وصل المبلغ (بتوقيت ليبيا)", "Received (Libya’s time)"),
	column("decision", "القرار", "Decision"),
	column("decision_reference", "رقم العملية", "Reference"),
	column("note", "ملاحظة", "Note"),
	column("decided_by", "قرّره", "Decided by"),
	column("decided_at", "وقت القرار (بتوقيت ليبيا)", "Decided (Libya’s time)"),
	column("told", "من أُبلغ", "Who was told"),
}

// DifferenceColumns are the columns of a table of what a comparison with a statement found.
var DifferenceColumns = []Column{
	column("kind", "النوع", "Kind"),
	column("reference", "المرجع", "Reference"),
	column("provider_reference", "رقم العملية", "Transaction number"),
	column("line", "سطر الكشف", "Line of the statement"),
	column("statement_amount", "المبلغ في الكشف", "Amount in the statement"),
	column("statement_currency", "عملة الكشف", "Currency in the statement"),
	column("ledger_amount", "المبلغ في السجل", "Amount in the ledger"),
	column("statement_at", "الوقت في الكشف (بتوقيت ليبيا)", "Time in the statement (Libya’s time)"),
	column("ledger_at", "الوقت في السجل (بتوقيت ليبيا)", "Time in the ledger (Libya’s time)"),
	column("first_line", "ورد أولًا في السطر", "First in line"),
	column("payment_uuid", "معرّف الدفعة", "Payment’s uuid"),
}

// Words are the texts of a sheet in a language.
type Words struct {
	t *Texts

	Payments, Turnover, Decisions, Differences, Yes, No string
}

// ExportWords are the texts of exports in a language.
func ExportWords(l locale.Lang) Words {
	t := textsIn(l)
	return Words{
		t:           t,
		Payments:    t.Sections[SectionPayments],
		Turnover:    t.Sections[SectionMoney],
		Decisions:   t.Decisions.AllTitle,
		Differences: t.Reconcile.Differences,
		Yes:         l.Say("نعم", "yes"),
		No:          l.Say("لا", "no"),
	}
}

// Status is a status as pages call it.
func (w Words) Status(s domain.Status) string { return w.t.Status.Pill(s, false).Text }

// Method is a method as pages call it; empty if there is none.
func (w Words) Method(method string) string { return w.t.Payment.MethodName(method) }

// Money is the reason why money needed a decision.
func (w Words) Money(k projections.Kind) string { return w.t.Decisions.KindTexts(k).Name }

// Decision is what was decided.
func (w Words) Decision(k decisions.Kind) string { return w.t.Decisions.DecisionPill(k).Text }
