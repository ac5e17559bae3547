package view

import (
	"fmt"
	"time"

	"daftar/payments"
)

// MethodsPage is how the payment methods have fared in the last day.
type MethodsPage struct{ Methods []payments.Health }

func (MethodsPage) head(t *Texts) (template, title string) { return "methods", t.Methods.Title }

// poorRate is the success rate, in percent, below which a method may be out of order.
const poorRate = 50

// RatePill is the success rate of a method, in the colour of what it says.
func (t methodTexts) RatePill(h payments.Health) pill {
	return t.rate(h.Paid, h.Failed)
}

// Took is how long payers took, in minutes and seconds; empty where none has paid.
func (t methodTexts) Took(d time.Duration) string {
	if d == 0 {
		return ""
	}
	seconds := int(d.Round(time.Second) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// methodTexts are the words about how methods fare.
type methodTexts struct {
	Title, Intro, Link, Table, Method, Rate, NoRate   string
	Paid, Failed, Unsettled, Aside, ToPay, LastAnswer string
	Never, None, NoneHint, Hint                       string
}

var arabicMethods = methodTexts{
	Title: "حال وسائل الدفع", Link: "حال وسائل الدفع اليوم", Table: "وسائل الدفع في آخر 24 ساعة",
	Intro:  "محاولات الدفع لما أُنشئ في آخر 24 ساعة، من كل تطبيقات المؤسسة.",
	Method: "الوسيلة", Rate: "نسبة النجاح", NoRate: "لا نتائج", Paid: "نجحت", Failed: "لم تنجح", Unsettled: "لم تُعرف نتيجتها",
	Aside: "تنتظر المشغّل", ToPay: "مدة الدفع عادة", LastAnswer: "آخر جواب", Never: "لم تجب",
	None: "لم يحاول أحد الدفع في آخر 24 ساعة.", NoneHint: "تظهر هنا كل وسيلة بعد أول محاولة.",
	Hint: "المحاولة التي يتركها الزبون أو يخطئ في رمزها تُحسب مع ما لم ينجح. إذا هبطت النسبة فجأة، أو تأخر آخر جواب، فالأرجح أن جهة الدفع متعطلة.",
}

var englishMethods = methodTexts{
	Title: "How payment methods fare", Link: "How payment methods fare today", Table: "Payment methods in the last 24 hours",
	Intro:  "Attempts to pay what was created in the last 24 hours, of all applications of the organisation.",
	Method: "Method", Rate: "Success rate", NoRate: "No outcomes", Paid: "Paid", Failed: "Failed", Unsettled: "Outcome unknown",
	Aside: "Waiting for the operator", ToPay: "Usual time to pay", LastAnswer: "Last answer", Never: "No answer",
	None: "Nobody has tried to pay in the last 24 hours.", NoneHint: "Each method appears here after the first attempt.",
	Hint: "An attempt that the customer leaves, or whose code they mistype, counts as failed. Where the rate falls suddenly, or the last answer is long ago, the acquirer is probably out of order.",
}
