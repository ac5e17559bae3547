package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/internal/locale"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
	"daftar/webhooks"
)

// What the audit trail calls what the dashboard does itself.
const (
	ActionDecide         accounts.Action = "payment.decide"
	ActionExportPayments accounts.Action = "payments.export"
	ActionExportTurnover accounts.Action = "turnover.export"
	ActionExportDecided  accounts.Action = "decisions.export"
	ActionReconcile      accounts.Action = "statement.reconcile"
	ActionNote           accounts.Action = "payment.note"
)

// auditTexts are the words of the audit trail.
type auditTexts struct {
	Intro                                             string
	When, Who, What, How, Where                       string
	Request                                           string
	Actor, Action, Outcome, Since, Until, Any, Filter string
	Reset, Older, Newest, None, NoneFiltered, BadDay  string
	Operator, Unknown, Authenticator, RecoveryCode    string
	DoneWord, DeniedWord, FailedWord, Table           string
	Actions                                           map[accounts.Action]string
	Names                                             map[string]string // of details
	Permissions                                       map[accounts.Permission]string
}

var arabicAudit = auditTexts{
	Intro: "كل ما جرى في هذه المؤسسة: من، ومتى، ومن أين. لا يُحذف منه شيء ولا يُعدَّل.",
	When:  "الوقت", Who: "من", What: "ماذا", How: "النتيجة", Where: "العنوان", Request: "رقم الطلب",
	Actor: "من (البريد كاملًا)", Action: "الفعل", Outcome: "النتيجة", Since: "من يوم", Until: "إلى يوم", Any: "الكل", Filter: "طبّق",
	Reset: "مسح التصفية", Older: "الأقدم", Newest: "الأحدث", None: "لم يحدث شيء بعد.", NoneFiltered: "لا شيء يطابق هذه التصفية.",
	Operator: "مشغّل الخدمة", Unknown: "غير معروف", Authenticator: "تطبيق المصادقة", RecoveryCode: "رمز استرداد",
	BadDay: "هذا ليس يومًا. مثال: 2026-11-20", DoneWord: "تم", DeniedWord: "مُنع", FailedWord: "لم ينجح", Table: "سجل التدقيق، الأحدث أولًا",
	Actions: actionsIn(locale.Arabic), Names: namesIn(locale.Arabic), Permissions: permissionsIn(locale.Arabic),
}

var englishAudit = auditTexts{
	Intro: "Everything that was done in this organisation: by whom, when and from where. Nothing of it is ever removed or changed.",
	When:  "Time", Who: "Who", What: "What", How: "Outcome", Where: "Address", Request: "Request",
	Actor: "Who (the whole address)", Action: "Action", Outcome: "Outcome", Since: "From day", Until: "To day", Any: "All", Filter: "Show",
	Reset: "Clear filters", Older: "Older", Newest: "Newest", None: "Nothing has happened yet.", NoneFiltered: "Nothing fits this filter.",
	Operator: "The service’s operator", Unknown: "Unknown", Authenticator: "Authenticator app", RecoveryCode: "Recovery code",
	BadDay: "This is not a day. Example: 2026-11-20", DoneWord: "Done", DeniedWord: "Refused", FailedWord: "Failed", Table: "Audit trail, newest first",
	Actions: actionsIn(locale.English), Names: namesIn(locale.English), Permissions: permissionsIn(locale.English),
}

// ActionWords say what was done. Every action of every package is here; a test
// looks for them in the source.
var ActionWords = map[accounts.Action]notice{
	accounts.ActionCreateOrganization: {"أُنشئت المؤسسة", "Organisation created"},
	accounts.ActionCreateApplication:  {"أُنشئ تطبيق", "Application created"},
	accounts.ActionRenameApplication:  {"غُيّر اسم تطبيق", "Application renamed"},
	settings.ActionSetBrand:           {"غُيّر مظهر صفحة الدفع لتطبيق", "Look of the payment page changed"},
	accounts.ActionActivate:           {"فُعّل تطبيق", "Application activated"},
	accounts.ActionDeactivate:         {"أُوقف تطبيق", "Application deactivated"},
	accounts.ActionStopCheckouts:      {"أُوقف تطبيق وصفحات دفعه المفتوحة", "Application deactivated, open checkouts stopped"},
	settings.ActionSetAcquirer:        {"حُفظت إعدادات جهة دفع لتطبيق", "Acquirer's settings of an application saved"},
	settings.ActionEnableAcquirer:     {"فُعّلت جهة دفع لتطبيق", "Acquirer of an application enabled"},
	settings.ActionDisableAcquirer:    {"أُوقفت جهة دفع لتطبيق", "Acquirer of an application disabled"},
	settings.ActionRemoveAcquirer:     {"حُذف حساب تطبيق لدى جهة دفع", "Acquirer's account of an application removed"},
	settings.ActionOfferMethods:       {"غُيّرت الوسائل المعروضة لدى جهة دفع", "Methods of an acquirer chosen"},
	settings.ActionLimitMethod:        {"غُيّرت حدود المبلغ لوسيلة دفع", "Limits of a method set"},
	settings.ActionCheckAcquirer:      {"فُحصت بيانات حساب لدى جهة دفع", "Credentials of an account with an acquirer checked"},
	settings.ActionOrderAcquirers:     {"غُيّر ترتيب جهات الدفع لتطبيق", "Order of an application’s acquirers set"},
	accounts.ActionSetWebhookURL:      {"غُيّر عنوان الإشعارات", "Webhook URL changed"},
	accounts.ActionRollAPIKey:         {"استُبدل مفتاح تطبيق", "API key replaced"},
	accounts.ActionRollWebhookSecret:  {"استُبدل سر الإشعارات", "Webhook secret replaced"},
	accounts.ActionCreateToken:        {"أُنشئ رمز وصول", "Access token created"},
	accounts.ActionRevokeToken:        {"أُلغي رمز وصول", "Access token revoked"},
	people.ActionCreateUser:           {"أُنشئ حساب", "Account created"},
	people.ActionAddMember:            {"أُضيف عضو", "Member added"},
	people.ActionChangeRole:           {"غُيّر دور عضو", "Member’s role changed"},
	people.ActionRemoveMember:         {"أُخرج عضو", "Member removed"},
	people.ActionInvite:               {"أُنشئت دعوة", "Invitation made"},
	people.ActionRevokeInvitation:     {"سُحبت دعوة", "Invitation withdrawn"},
	people.ActionAcceptInvitation:     {"قُبلت دعوة", "Invitation accepted"},
	people.ActionChoosePassword:       {"اختيرت كلمة مرور لقبول دعوة", "Password chosen for an invitation"},
	people.ActionSignIn:               {"تسجيل دخول", "Sign-in"},
	people.ActionSignInPassword:       {"كلمة المرور عند الدخول", "Password at sign-in"},
	people.ActionSignInCode:           {"رمز التحقق عند الدخول", "Code at sign-in"},
	people.ActionEndSession:           {"أُغلقت جلسة من جهاز آخر", "Session ended from another device"},
	people.ActionSignOut:              {"تسجيل خروج", "Sign-out"},
	people.ActionChangePassword:       {"تغيير كلمة مرور", "Password changed"},
	people.ActionSetPassword:          {"عيّن المشغّل كلمة مرور", "Password set by the operator"},
	people.ActionRequestReset:         {"طُلب رابط لكلمة مرور جديدة", "Link for a new password requested"},
	people.ActionResetPassword:        {"كلمة مرور جديدة برابط من البريد", "Password reset by a mailed link"},
	people.ActionEnableSecondFactor:   {"فُعّلت الخطوة الثانية", "Second step turned on"},
	people.ActionDisableSecondFactor:  {"أُوقفت الخطوة الثانية", "Second step turned off"},
	people.ActionResetSecondFactor:    {"أزال المشغّل الخطوة الثانية", "Second step reset by the operator"},
	people.ActionNewRecoveryCodes:     {"أُنشئت رموز استرداد", "Recovery codes made"},
	people.ActionAddPasskey:           {"أُضيف مفتاح مرور", "Passkey added"},
	people.ActionRemovePasskey:        {"حُذف مفتاح مرور", "Passkey removed"},
	people.ActionRequirePasskey:       {"صار مفتاح المرور مطلوبًا بعد كلمة المرور", "Passkey required after the password"},
	people.ActionUnrequirePasskey:     {"لم يعد مفتاح المرور مطلوبًا بعد كلمة المرور", "Passkey no longer required after the password"},
	people.ActionResetPasskeys:        {"حُذفت مفاتيح المرور لحساب", "All passkeys of an account removed"},
	people.ActionSignInPasskey:        {"مفتاح مرور عند الدخول", "Passkey at sign-in"},
	accounts.ActionAccess:             {"محاولة ما لا يسمح به الدور", "Attempt at what the role does not allow"},
	accounts.ActionCreatePayment:      {"أُنشئ رابط دفع", "Payment link created"},
	ActionExportPayments:              {"نُزّلت قائمة مدفوعات", "Payments exported"},
	ActionExportTurnover:              {"نُزّلت الإيرادات", "Turnover exported"},
	ActionExportDecided:               {"نُزّلت القرارات", "Decisions exported"},
	ActionNote:                        {"كُتبت ملاحظة في دفعة", "Note on a payment written"},
	refunds.ActionRefund:              {"طُلب رد مبلغ أو سُجّل", "Refund asked for, or recorded"},
	refunds.ActionSettle:              {"حُدّد ما جرى في رد مبلغ", "Outcome of a refund settled"},
	ActionReconcile:                   {"قورن كشف جهة دفع بالسجل", "Acquirer’s statement compared with the ledger"},
	ActionDecide:                      {"سُجّل قرار في دفعة", "Decision about a payment"},
	webhooks.ActionTest:               {"أُرسل إشعار تجريبي", "Test webhook sent"},
	webhooks.ActionResend:             {"أُعيد إرسال إشعار", "Webhook resent"},
	webhooks.ActionReplay:             {"أُعيد إرسال إشعارات منذ وقت", "Webhooks replayed"},
	webhooks.ActionPrune:              {"حُذفت إشعارات قديمة من السجل", "Old webhooks deleted"},
	accounts.ActionRekey:              {"استُبدل مفتاح الخدمة السري", "Service's secret key replaced"},
	webhooks.ActionEnable:             {"أُعيد تفعيل عنوان الإشعارات", "Webhook endpoint enabled again"},
}

// detailWords name the particulars.
var detailWords = map[string]notice{
	"email": {"البريد", "Email"}, "role": {"الدور", "Role"}, "from": {"من", "From"}, "to": {"إلى", "To"}, "name": {"الاسم", "Name"},
	"invitations": {"دعوات انتهت", "Invitations ended"},
	"ending":      {"آخره", "Ending"}, "api_key_ending": {"آخر المفتاح", "Key’s ending"}, "expires_at": {"ينتهي", "Expires"},
	"passkey":    {"مفتاح المرور", "Passkey"},
	"permission": {"الصلاحية", "Permission"}, "second_factor": {"الخطوة الثانية", "Second step"}, "webhook_url": {"عنوان الإشعارات", "Webhook URL"},
	"delivery": {"الإشعار", "Delivery"}, "event": {"الحدث", "Event"}, "since": {"منذ", "Since"}, "organization": {"المؤسسة", "Organisation"},
	"count": {"العدد", "Count"}, "refund": {"الرد", "Refund"}, "attempt": {"المحاولة", "Attempt"}, "amount": {"المبلغ", "Amount"},
	"by_acquirer": {"بطلب من جهة الدفع", "By the acquirer"}, "outcome": {"النتيجة", "Outcome"}, "note": {"ملاحظة", "Note"},
	"kind": {"القرار", "Decision"}, "reference": {"رقم العملية", "Reference"}, "informed": {"من أُبلغ", "Told"}, "payment": {"الدفعة", "Payment"},
	"version": {"الحدث", "Event number"}, "from_day": {"من يوم", "From day"}, "to_day": {"إلى يوم", "To day"},
	"acquirer": {"جهة الدفع", "Acquirer"}, "acquirers": {"جهات الدفع", "Acquirers"},
	"methods": {"الوسائل", "Methods"}, "method": {"الوسيلة", "Method"}, "min": {"أقل مبلغ", "Least amount"}, "max": {"أكبر مبلغ", "Greatest amount"},
	"searched": {"مع نص بحث", "Narrowed by a search"},
}

// brandWords name the particulars of a brand.
var brandWords = map[string]notice{
	"name_ar": {"الاسم بالعربية", "Arabic name"}, "name_en": {"الاسم بالإنجليزية", "English name"}, "accent": {"اللون", "Colour"},
	"phone": {"الهاتف", "Phone"}, "whatsapp": {"واتساب", "WhatsApp"}, "website": {"الموقع", "Website"}, "address": {"العنوان", "Address"},
	"logo": {"الشعار", "Logo"},
}

var permissionWords = map[accounts.Permission]notice{
	accounts.SeePayments:       {"رؤية المدفوعات", "see payments"},
	accounts.CreatePayments:    {"إنشاء روابط الدفع", "create payment links"},
	accounts.SeeMoney:          {"رؤية الإيرادات", "see revenue"},
	accounts.ExportPayments:    {"تنزيل الملفات ومقارنة الكشوف", "download files and compare statements"},
	accounts.WriteNotes:        {"كتابة الملاحظات", "write notes"},
	accounts.ShareReceipts:     {"مشاركة الإيصالات", "share receipts"},
	accounts.ResendWebhooks:    {"إعادة إرسال إشعار", "send a webhook again"},
	accounts.DecidePayments:    {"القرار في المدفوعات", "decide about payments"},
	accounts.RefundPayments:    {"رد المبالغ", "give money back"},
	accounts.SeeWebhooks:       {"رؤية الإشعارات", "see webhooks"},
	accounts.SendWebhooks:      {"إرسال الإشعارات", "send webhooks"},
	accounts.SeeDevelopers:     {"ركن المطوّرين", "see the developers’ corner"},
	accounts.SeeCredentials:    {"رؤية بيانات المفاتيح", "see credentials"},
	accounts.ChangeCredentials: {"تغيير المفاتيح", "change credentials"},
	accounts.SeePeople:         {"رؤية الأعضاء", "see people"},
	accounts.ManagePeople:      {"إدارة الأعضاء", "manage people"},
	accounts.SeeAudit:          {"رؤية سجل التدقيق", "see the audit trail"},
}

func actionsIn(l locale.Lang) map[accounts.Action]string { return wordsIn(l, ActionWords) }

func namesIn(l locale.Lang) map[string]string {
	all := wordsIn(l, detailWords)
	maps.Copy(all, wordsIn(l, brandWords))
	return all
}

func permissionsIn(l locale.Lang) map[accounts.Permission]string { return wordsIn(l, permissionWords) }

func wordsIn[K comparable](l locale.Lang, words map[K]notice) map[K]string {
	all := make(map[K]string, len(words))
	for key, n := range words {
		all[key] = n.arabic
		if l == locale.English {
			all[key] = n.english
		}
	}
	return all
}

// Pill is how something ended, in a word.
func (t auditTexts) Pill(o accounts.Outcome) pill {
	switch o {
	case accounts.Done:
		return pill{t.DoneWord, "ok"}
	case accounts.Denied:
		return pill{t.DeniedWord, "late"}
	case accounts.Failed:
		return pill{t.FailedWord, "wait"}
	}
	panic("view: unknown outcome " + string(o))
}

// name is that of a particular; one without words is shown as it is stored.
func (t auditTexts) name(stored string) string {
	if words, known := t.Names[stored]; known {
		return words
	}
	return stored
}

// detail is the value of a particular; empty where there is nothing to show.
func (t *Texts) detail(name string, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if words, known := t.Audit.Permissions[accounts.Permission(v)]; known && name == "permission" {
			return words
		}
		switch {
		case name == "second_factor" && v == "authenticator":
			return t.Audit.Authenticator
		case name == "second_factor" && v == "passkey":
			return t.Audit.name(v)
		case name == "second_factor":
			return t.Audit.RecoveryCode
		}
		if name == "role" || name == "from" || name == "to" { // of a member; anything else may be called like a role
			return t.Role(accounts.Role(v))
		}
		if kind := decisions.Kind(v); name == "kind" && kind.Valid() {
			return t.Decisions.Kinds[kind].Name
		}
		return v
	case float64, bool:
		return fmt.Sprint(v)
	case []any: // names, such as those of methods
		names := make([]string, len(v))
		for n, name := range v {
			names[n] = fmt.Sprint(name)
		}
		return strings.Join(names, ", ")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
