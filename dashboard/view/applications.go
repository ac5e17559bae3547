package view

import (
	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/webhooks"
)

func applicationNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"application-renamed": say("تغيّر الاسم، ويراه الزبائن في صفحة الدفع من الآن.",
			"The name was changed. Customers see it on the payment page from now on."),
		"application-created-already": say("أُنشئ هذا التطبيق من قبل، ولم يُنشأ تطبيق آخر. إن لم تحفظ مفتاحه "+
			"وسر إشعاراته فاستبدلهما من صفحته.",
			"This application was created before, and no other was created. If you did not keep its key and its "+
				"webhook secret, replace them on its page."),
		"application-activated": say("التطبيق مفعّل، ومفتاحه يعمل الآن.",
			"The application is active and its key works now."),
		"application-deactivated": say("أُوقف التطبيق، ولا يُقبل مفتاحه بعد الآن.",
			"The application was deactivated. Its key is refused from now on."),
		"webhook-url-set": say("حُفظ عنوان الإشعارات. جرّبه بإرسال إشعار تجريبي.",
			"The webhook URL was saved. Try it with a test delivery."),
		"webhook-url-cleared": say("لم يعد للتطبيق عنوان إشعارات، ولا يُرسل شيء.",
			"The application has no webhook URL any more, and nothing is sent."),
		"webhook-tested": say("أُرسل إشعار تجريبي. نتيجته أدناه.",
			"A test webhook was sent. What came of it is below."),
		"checkouts-stopped": say("أُوقف التطبيق وصفحات الدفع المفتوحة. تُلغى مدفوعاتها خلال لحظات، وما "+
			"بدأ دفعه يُحسم بجواب جهة الدفع.",
			"The application was deactivated and its open checkouts were stopped. Their payments are canceled "+
				"within moments; those that are being paid end as the payment provider says."),
		"webhook-disabled": say("الإرسال إلى هذا العنوان متوقف. فعّله من صفحة الإشعارات البرمجية ثم أعد التجربة.",
			"Sending to this URL has stopped. Enable it on the webhooks page, then try again."),
		"webhook-no-url": say("اضبط عنوان الإشعارات أولًا.", "Set a webhook URL first."),
		"key-rolled-already": say("استُبدل المفتاح من قبل، ولم يُستبدل مرة أخرى. إن لم تحفظ المفتاح الجديد "+
			"فاستبدله من جديد.",
			"The key was replaced before, and was not replaced again. If you did not keep the new one, replace "+
				"it again."),
		"secret-rolled-already": say("استُبدل السر من قبل، ولم يُستبدل مرة أخرى. إن لم تحفظ السر الجديد "+
			"فاستبدله من جديد.",
			"The secret was replaced before, and was not replaced again. If you did not keep the new one, "+
				"replace it again."),
	}
}

// formError is an error of a field of a form.
type formError struct {
	field string // id of the field
	text  func(*Texts) string
}

// FormErrors are the errors of a form. The zero value is none.
type FormErrors []formError //nolint:recvcheck // Add changes the list; pages embed it as a value

// Add adds the error of a field.
func (f *FormErrors) Add(field string, text func(*Texts) string) {
	*f = append(*f, formError{field, text})
}

// days reads the first and the last day of a form; one that was not typed is zero.
func (f *FormErrors) days(typedFrom, typedTo string) (from, to domain.Day) {
	var known bool
	if from, known = readDay(typedFrom); !known {
		f.Add("from", func(t *Texts) string { return t.Payments.BadDay })
	}
	if to, known = readDay(typedTo); !known {
		f.Add("to", func(t *Texts) string { return t.Payments.BadDay })
	}
	return from, to
}

// FormError is one error: the id of the field, and its text on the page.
func FormError(field string, text func(*Texts) string) FormErrors { return FormErrors{{field, text}} }

// Refused is the refusal of a form with the errors.
func (f FormErrors) Refused() Refusal { return Refusal{FormErrors: f} }

// problems are the errors in a language.
func (f FormErrors) problems(t *Texts) []problem {
	all := make([]problem, len(f))
	for n, one := range f {
		all[n] = problem{one.field, one.text(t)}
	}
	return all
}

// ApplicationList is the page of all applications.
type ApplicationList struct {
	Applications []accounts.Credentials
	Endpoints    map[domain.ApplicationID]webhooks.Endpoint
}

func (ApplicationList) head(t *Texts) (template, title string) {
	return "applications", t.Sections[SectionApplications]
}

// ApplicationForm creates an application.
type ApplicationForm struct {
	FormErrors
	Number    string // a form creates one application, however often it is sent
	Name, URL string
	Mode      domain.Mode
}

func (ApplicationForm) head(t *Texts) (template, title string) {
	return "application-new", t.Applications.New
}
