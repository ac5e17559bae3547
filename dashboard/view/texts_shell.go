package view

import (
	"daftar/accounts"
	"daftar/domain"
)

// sectionTexts name the entries of the navigation.
type sectionTexts struct {
	Payments, Money, Decisions, Applications, Tokens, Webhooks, Developers, People, Audit, Account string

	MoneyGroup, IntegrationGroup, OrganizationGroup string
}

var arabicSections = sectionTexts{
	Payments: "المدفوعات", Money: "الإيرادات", Decisions: "تحتاج قرارًا", Applications: "التطبيقات",
	Tokens: "رموز الوصول", Webhooks: "إشعارات الويب", Developers: "ركن المطوّرين", People: "الأعضاء",
	Audit: "سجل التدقيق", Account: "حسابي",
	MoneyGroup: "العمل اليومي", IntegrationGroup: "الربط البرمجي", OrganizationGroup: "المؤسسة",
}

var englishSections = sectionTexts{
	Payments: "Payments", Money: "Revenue", Decisions: "To decide", Applications: "Applications",
	Tokens: "Access tokens", Webhooks: "Webhooks", Developers: "Developers", People: "People",
	Audit: "Audit trail", Account: "My account",
	MoneyGroup: "Daily work", IntegrationGroup: "Integration", OrganizationGroup: "Organisation",
}

// GroupName is the heading of a part of the navigation.
func (t sectionTexts) GroupName(g group) string {
	switch g {
	case groupMoney:
		return t.MoneyGroup
	case groupIntegration:
		return t.IntegrationGroup
	case groupOrganization:
		return t.OrganizationGroup
	}
	panic("view: unknown group")
}

func (t sectionTexts) Name(s Section) string {
	switch s {
	case SectionNone:
		return ""
	case SectionPayments:
		return t.Payments
	case SectionMoney:
		return t.Money
	case SectionDecisions:
		return t.Decisions
	case SectionApplications:
		return t.Applications
	case SectionTokens:
		return t.Tokens
	case SectionWebhooks:
		return t.Webhooks
	case SectionDevelopers:
		return t.Developers
	case SectionPeople:
		return t.People
	case SectionAudit:
		return t.Audit
	case SectionAccount:
		return t.Account
	}
	panic("view: unknown section")
}

// shellTexts are the words around every page, and of the pages that say no.
type shellTexts struct {
	Skip         string // to the content, for keyboards
	Menu         string // names the navigation
	Sections     string // opens the navigation on a narrow screen
	SignOut      string
	Organization string // before the organisation's name
	Switch       string // to another organisation
	ErrorPrefix  string // before the title of a page that has to be corrected
	ErrorTitle   string // above the list of what has to be corrected
	AsOf         string // before the time up to which a page shows everything
	Cancel       string

	NotFoundTitle, NotFound       string
	ForbiddenTitle, Forbidden     string
	UnavailableTitle, Unavailable string
	Retry                         string
	Choose                        string // between organisations
	NoOrganization                string
	CrossSiteTitle, CrossSite     string
	ExportsTitle, Exports         string
	SlowUpload                    string
	BusyUploads, BusyServer       string
}

var arabicShell = shellTexts{
	Skip: "إلى المحتوى", Menu: "أقسام اللوحة", Sections: "الأقسام", SignOut: "تسجيل الخروج", Organization: "المؤسسة", Switch: "تبديل المؤسسة",
	ErrorPrefix: "خطأ: ", ErrorTitle: "يلزم تصحيح ما يلي", AsOf: "البيانات محدّثة حتى", Cancel: "إلغاء",
	NotFoundTitle: "لا توجد صفحة هنا", NotFound: "ربما نُقلت الصفحة، أو أنها لا تخصّ مؤسستك.",
	ForbiddenTitle: "هذا ليس من صلاحياتك", Forbidden: "لم يتغيّر شيء. اطلب من مالك المؤسسة أن يفعل ذلك أو أن يغيّر دورك.",
	UnavailableTitle: "تعذّر عرض الصفحة الآن", Unavailable: "لم يتغيّر شيء. انتظر قليلًا ثم أعد المحاولة.", Retry: "أعد المحاولة",
	CrossSiteTitle: "لم نقبل هذا النموذج", CrossSite: "أُرسل النموذج من موقع آخر، فلم نفعل شيئًا. افتح الصفحة من هنا وأعد المحاولة.",
	ExportsTitle: "نزّلت ملفات كثيرة", Exports: "لكل تنزيل قيد في سجل النشاط، ولك 60 تنزيلًا في الساعة. أعد المحاولة بعد ساعة.",
	SlowUpload:  "وصل الملف ببطء شديد فلم ننتظر بقيّته. أرسله مرة أخرى عبر اتصال أسرع.",
	BusyUploads: "ملفات أخرى لمؤسستك أو لغيرها في طريقها إلينا. أعد المحاولة بعد دقيقة.",
	BusyServer:  "ملفات أخرى لمؤسستك أو لغيرها قيد المعالجة منذ مدة. أعد المحاولة بعد دقيقة.",
	Choose:      "اختر المؤسسة", NoOrganization: "لا تنتمي إلى أي مؤسسة بعد. اطلب دعوة من مالك مؤسستك.",
}

var englishShell = shellTexts{
	Skip: "To the content", Menu: "Parts of the dashboard", Sections: "Menu", SignOut: "Sign out", Organization: "Organisation", Switch: "Other organisation",
	ErrorPrefix: "Error: ", ErrorTitle: "Please correct this", AsOf: "As of", Cancel: "Cancel",
	NotFoundTitle: "There is no page here", NotFound: "It may have moved, or it does not belong to your organisation.",
	ForbiddenTitle: "Your role does not allow this", Forbidden: "Nothing was changed. Ask an owner of the organisation to do it, or to change your role.",
	UnavailableTitle: "This page cannot be shown right now", Unavailable: "Nothing was changed. Wait a moment and try again.", Retry: "Try again",
	CrossSiteTitle: "This form was not taken", CrossSite: "It was sent from another site, so nothing was done. Open the page here and try again.",
	ExportsTitle: "You have exported many files", Exports: "Every export has an entry in the audit trail, and you may take 60 in an hour. Try again in an hour.",
	SlowUpload:  "The file came so slowly that we did not wait for the rest. Send it again over a faster connection.",
	BusyUploads: "Other files, of your organisation or of others, are being received. Try again in a minute.",
	BusyServer:  "Other files, of your organisation or of others, have been worked on for a while. Try again in a minute.",
	Choose:      "Choose an organisation", NoOrganization: "You do not belong to an organisation yet. Ask its owner for an invitation.",
}

// statusTexts are the words for how a payment stands, as they appear in pills and
// filters.
type statusTexts struct {
	Waiting, Processing, Succeeded, Late, Canceled string
}

var arabicStatus = statusTexts{
	Waiting: "بانتظار الدفع", Processing: "قيد المعالجة", Succeeded: "مدفوعة", Late: "دُفعت بعد المهلة", Canceled: "ملغاة",
}

var englishStatus = statusTexts{
	Waiting: "Awaiting payment", Processing: "Processing", Succeeded: "Paid", Late: "Paid late", Canceled: "Canceled",
}

// pill is a status as the pages show it: a word, and a class for its colour.
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

// roleTexts name the roles.
type roleTexts struct{ Owner, Developer, Finance, Support, Viewer string }

var arabicRoles = roleTexts{Owner: "مالك", Developer: "مطوّر", Finance: "محاسب", Support: "خدمة الزبائن", Viewer: "مطّلع"}

var englishRoles = roleTexts{Owner: "Owner", Developer: "Developer", Finance: "Finance", Support: "Support", Viewer: "Viewer"}

// Role is a role as people call it. One of a later release has the name that is stored.
func (t *Texts) Role(r accounts.Role) string {
	switch r {
	case accounts.RoleOwner:
		return t.Roles.Owner
	case accounts.RoleDeveloper:
		return t.Roles.Developer
	case accounts.RoleFinance:
		return t.Roles.Finance
	case accounts.RoleSupport:
		return t.Roles.Support
	case accounts.RoleViewer:
		return t.Roles.Viewer
	}
	return string(r)
}
