package view

import (
	"cmp"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
)

// sectionsIn are the names of the entries of the navigation.
func sectionsIn(say locale.Say) map[Section]string {
	return map[Section]string{
		SectionOverview:     say("الرئيسية", "Home"),
		SectionPayments:     say("المدفوعات", "Payments"),
		SectionCheck:        say("التحقق من إيصال", "Check a receipt"),
		SectionMoney:        say("الإيرادات", "Revenue"),
		SectionDecisions:    say("تحتاج قرارًا", "Needs a decision"),
		SectionApplications: say("التطبيقات", "Applications"),
		SectionTokens:       say("رموز الوصول", "Access tokens"),
		SectionWebhooks:     say("الإشعارات البرمجية", "Webhooks"),
		SectionDevelopers:   say("ركن المطوّرين", "Developers"),
		SectionPeople:       say("الأعضاء", "People"),
		SectionAudit:        say("سجل التدقيق", "Audit trail"),
		SectionAccount:      say("حسابي", "My account"),
	}
}

// groupsIn are the headings of the parts of the navigation.
func groupsIn(say locale.Say) map[group]string {
	return map[group]string{
		groupMoney:        say("العمل اليومي", "Daily work"),
		groupIntegration:  say("الربط البرمجي", "Integration"),
		groupOrganization: say("المؤسسة", "Organisation"),
	}
}

// shellTexts are the texts around every page, and of the pages of errors.
type shellTexts struct {
	Skip         string // to the content, for keyboards
	Menu         string // names the navigation
	Tabs         string // names the links at the bottom of a phone
	More         string // opens the rest of the navigation there
	NewLink      string // of a payment, in a word or two
	Decisions    string // what needs them, in a line of a tab
	CheckReceipt string // in a word
	SignOut      string
	Organization string // before the organisation's name
	Switch       string // to another organisation
	Mode         string // names the switch between the next two
	Live, Test   string
	ErrorPrefix  string // before the title of a page that has to be corrected
	ErrorTitle   string // above the list of what has to be corrected
	AsOf         string // before the time up to which a page shows everything
	Cancel       string

	NotFoundTitle, NotFound       string
	ForbiddenTitle, Forbidden     string
	UnavailableTitle, Unavailable string
	Retry, ToOverview             string
	Choose                        string // between organisations
	NoOrganization                string
	CrossSiteTitle, CrossSite     string
	ExportsTitle, Exports         string
	SlowUpload                    string
	BusyUploads, BusyServer       string
}

func shellTextsIn(say locale.Say) shellTexts {
	return shellTexts{
		Skip: say("إلى المحتوى", "To the content"),
		Menu: say("القائمة", "Menu"),
		Tabs: say("الأهم", "Most used"),
		More: say("المزيد", "More"), NewLink: say("رابط جديد", "New link"),
		Decisions:    say("تحتاج قرارًا", "Decisions"),
		CheckReceipt: say("تحقّق", "Check"),
		SignOut:      say("تسجيل الخروج", "Sign out"),
		Organization: say("المؤسسة", "Organisation"),
		Switch:       say("تبديل المؤسسة", "Other organisation"),
		Mode:         say("مدفوعات أي تطبيقات؟", "Payments of which applications"),
		Live:         say("حقيقي", "Live"), Test: say("تجريبي", "Test"),
		ErrorPrefix: say("خطأ: ", "Error: "),
		ErrorTitle:  say("يلزم تصحيح ما يلي", "There is a problem"),
		AsOf:        say("البيانات محدّثة حتى", "As of"), Cancel: say("إلغاء", "Cancel"),
		NotFoundTitle: say("لا توجد صفحة هنا", "There is no page here"),
		NotFound: say("ربما نُقلت الصفحة، أو أنها لا تخصّ مؤسستك.",
			"It may have moved, or it does not belong to your organisation."),
		ForbiddenTitle: say("هذا ليس من صلاحياتك", "Your role does not allow this"),
		Forbidden: say("لم يتغيّر شيء. اطلب من مالك المؤسسة أن يفعل ذلك أو أن يغيّر دورك.",
			"Nothing was changed. Ask an owner of the organisation to do it, or to change your role."),
		UnavailableTitle: say("تعذّر عرض الصفحة الآن", "This page cannot be shown right now"),
		Unavailable: say("لم يتغيّر شيء. انتظر قليلًا ثم أعد المحاولة.",
			"Nothing was changed. Wait a moment and try again."),
		Retry:          say("أعد المحاولة", "Try again"),
		ToOverview:     say("إلى الرئيسية", "To the overview"),
		CrossSiteTitle: say("لم نقبل هذا النموذج", "We did not accept this form"),
		CrossSite: say("أُرسل النموذج من موقع آخر، فلم نفعل شيئًا. افتح الصفحة من هنا وأعد المحاولة.",
			"It was sent from another site, so nothing was done. Open the page here and try again."),
		ExportsTitle: say("نزّلت ملفات كثيرة", "You have exported many files"),
		Exports: say("لكل تنزيل قيد في سجل النشاط، ولك 60 تنزيلًا في الساعة. أعد المحاولة بعد ساعة.",
			"Every export has an entry in the audit trail, and you may take 60 in an hour. Try again in an hour."),
		SlowUpload: say("وصل الملف ببطء شديد فلم ننتظر بقيّته. أرسله مرة أخرى عبر اتصال أسرع.",
			"The file came so slowly that we did not wait for the rest. Send it again over a faster connection."),
		BusyUploads: say("ملفات أخرى لمؤسستك أو لغيرها في طريقها إلينا. أعد المحاولة بعد دقيقة.",
			"Other files, of your organisation or of others, are being received. Try again in a minute."),
		BusyServer: say("ملفات أخرى لمؤسستك أو لغيرها قيد المعالجة منذ مدة. أعد المحاولة بعد دقيقة.",
			"Other files, of your organisation or of others, have been worked on for a while. Try again in a "+
				"minute."),
		Choose: say("اختر المؤسسة", "Choose an organisation"),
		NoOrganization: say("لا تنتمي إلى أي مؤسسة بعد. اطلب دعوة من مالك مؤسستك.",
			"You do not belong to an organisation yet. Ask its owner for an invitation."),
	}
}

// statusTexts are the names of a payment's statuses in pills and filters.
type statusTexts struct {
	Waiting, Processing, Succeeded, Late, Canceled string
}

func statusTextsIn(say locale.Say) statusTexts {
	return statusTexts{
		Waiting:    say("بانتظار الدفع", "Awaiting payment"),
		Processing: say("قيد المعالجة", "Processing"), Succeeded: say("مدفوعة", "Paid"),
		Late: say("دُفعت بعد المهلة", "Paid late"), Canceled: say("ملغاة", "Canceled"),
	}
}

// pill is a status on a page: a word, and a class for its colour.
type pill struct{ Text, Class string }

func (t statusTexts) Pill(s domain.Status, late bool) pill {
	switch s {
	case domain.StatusRequiresPaymentMethod:
		return pill{t.Waiting, "wait"}
	case domain.StatusProcessing:
		return pill{t.Processing, "wait"}
	case domain.StatusSucceeded:
		if late {
			return pill{t.Late, "late"}
		}
		return pill{t.Succeeded, "ok"}
	case domain.StatusCanceled:
		return pill{t.Canceled, "off"}
	}
	panic("view: unknown status " + string(s))
}

func roleNamesIn(say locale.Say) map[accounts.Role]string {
	return map[accounts.Role]string{
		accounts.RoleOwner:     say("مالك", "Owner"),
		accounts.RoleDeveloper: say("مطوّر", "Developer"),
		accounts.RoleFinance:   say("محاسب", "Finance"),
		accounts.RoleSupport:   say("خدمة الزبائن", "Support"),
		accounts.RoleViewer:    say("اطّلاع فقط", "Viewer"),
	}
}

// Section is the name of a section, by its path.
func (t *Texts) Section(path string) string { return t.Sections[Section(path)] }

// Role is the name of a role; the stored name for a role of a later release.
func (t *Texts) Role(r accounts.Role) string { return cmp.Or(t.Roles[r], string(r)) }
