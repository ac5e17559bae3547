package view

import (
	"fmt"
	"time"

	"daftar/internal/locale"
	"daftar/payments"
)

// MethodsPage is the health of the payment methods in the last day.
type MethodsPage struct{ Methods []payments.Health }

func (MethodsPage) head(t *Texts) (template, title string) { return "methods", t.Methods.Title }

// poorRate is the success rate, in percent, below which a method may be out of order.
const poorRate = 50

// RatePill is the success rate of a method, in its colour.
func (t methodTexts) RatePill(h payments.Health) pill {
	return t.rate(h.Paid, h.Failed)
}

// Took is a duration in minutes and seconds; empty if nobody has paid.
func (t methodTexts) Took(d time.Duration) string {
	if d == 0 {
		return ""
	}
	seconds := int(d.Round(time.Second) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// methodTexts are the texts about the health of methods.
type methodTexts struct {
	Title, Intro, Link, Table, Method, Rate, NoRate   string
	Paid, Failed, Unsettled, Aside, ToPay, LastAnswer string
	Never, None, NoneHint, Hint                       string
}

func methodTextsIn(say locale.Say) methodTexts {
	return methodTexts{
		Title: say("أداء وسائل الدفع", "Method performance"),
		Link:  say("أداء وسائل الدفع اليوم", "Method performance today"),
		Table: say("وسائل الدفع في آخر 24 ساعة", "Payment methods in the last 24 hours"),
		Intro: say("محاولات الدفع لما أُنشئ في آخر 24 ساعة، من كل تطبيقات المؤسسة.",
			"Attempts to pay what was created in the last 24 hours, of all applications of the organisation."),
		Method: say("الوسيلة", "Method"), Rate: say("نسبة النجاح", "Success rate"),
		NoRate: say("لا نتائج", "No outcomes"), Paid: say("نجحت", "Paid"), Failed: say("لم تنجح", "Failed"),
		Unsettled:  say("لم تُعرف نتيجتها", "Outcome unknown"),
		Aside:      say("تنتظر المشغّل", "Waiting for the operator"),
		ToPay:      say("مدة الدفع عادة", "Usual time to pay"),
		LastAnswer: say("آخر جواب", "Last answer"), Never: say("لم تجب", "No answer"),
		None:     say("لم يحاول أحد الدفع في آخر 24 ساعة.", "No one has tried to pay in the last 24 hours."),
		NoneHint: say("تظهر هنا كل وسيلة بعد أول محاولة.", "Each method appears here after the first attempt."),
		Hint: say("المحاولة التي يتركها الزبون أو يخطئ في رمزها تُحسب مع ما لم ينجح. إذا هبطت النسبة فجأة، أو "+
			"تأخر آخر جواب، فالأرجح أن جهة الدفع متعطلة.",
			"An attempt that the customer leaves, or whose code they mistype, counts as failed. Where the rate "+
				"falls suddenly, or the last answer is long ago, the acquirer is probably out of order."),
	}
}
