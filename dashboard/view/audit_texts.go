package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/notices"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/payments/settlements"
	"daftar/webhooks"
)

// The actions of the dashboard itself in the audit trail.
const (
	ActionDecide         accounts.Action = "payment.decide"
	ActionExportPayments accounts.Action = "payments.export"
	ActionExportTurnover accounts.Action = "turnover.export"
	ActionExportDecided  accounts.Action = "decisions.export"
	ActionReconcile      accounts.Action = "statement.reconcile"
	ActionNote           accounts.Action = "payment.note"
)

// auditTexts are the texts of the audit trail.
type auditTexts struct {
	Intro                                             string
	When, Who, What, How, Where                       string
	Request                                           string
	Actor, Action, Outcome, Since, Until, Any, Filter string
	Reset, Older, Newest, None, NoneFiltered, BadDay  string
	Operator, Unknown, Authenticator, RecoveryCode    string
	Yes, No                                           string
	DoneWord, DeniedWord, FailedWord, Table           string
	Actions                                           map[accounts.Action]string
	Names                                             map[string]string // of details
	Permissions                                       map[accounts.Permission]string
}

func auditTextsIn(say locale.Say) auditTexts {
	return auditTexts{
		Intro: say("كل ما جرى في هذه المؤسسة: من، ومتى، ومن أين. لا يُحذف منه شيء ولا يُعدَّل.",
			"Everything that was done in this organisation: by whom, when and from where. Nothing of it is ever "+
				"removed or changed."),
		When: say("الوقت", "Time"), Who: say("من", "Who"), What: say("ماذا", "What"),
		How: say("النتيجة", "Outcome"), Where: say("العنوان", "Address"), Request: say("رقم الطلب", "Request"),
		Actor:  say("البريد الإلكتروني (كاملًا)", "Email address (in full)"),
		Action: say("الفعل", "Action"), Outcome: say("النتيجة", "Outcome"), Since: say("من يوم", "From day"),
		Until: say("إلى يوم", "To day"), Any: say("الكل", "All"), Filter: say("طبّق", "Show"),
		Reset: say("مسح التصفية", "Clear filters"), Older: say("الأقدم", "Older"), Newest: say("الأحدث", "Newest"),
		None:          say("لم يحدث شيء بعد.", "Nothing has happened yet."),
		NoneFiltered:  say("لا شيء يطابق هذه التصفية.", "Nothing fits this filter."),
		Operator:      say("مشغّل الخدمة", "The service’s operator"),
		Unknown:       say("غير معروف", "Unknown"),
		Authenticator: say("تطبيق المصادقة", "Authenticator app"), Yes: say("نعم", "Yes"), No: say("لا", "No"),
		RecoveryCode: say("رمز استرداد", "Recovery code"),
		BadDay:       say("ليس يومًا. مثال: 2026-11-20", "is not a day. Example: 2026-11-20"),
		DoneWord:     say("تم", "Done"), DeniedWord: say("مُنع", "Refused"), FailedWord: say("لم ينجح", "Failed"),
		Table:       say("سجل التدقيق، الأحدث أولًا", "Audit trail, newest first"),
		Actions:     actionsIn(say),
		Names:       namesIn(say),
		Permissions: permissionsIn(say),
	}
}

// KnownAction reports whether an action has a text, as all recorded actions have.
func KnownAction(a accounts.Action) bool { return textsIn(locale.Arabic).Audit.Actions[a] != "" }

// actionsIn are the texts of actions. Every action of every package is here; a test finds the
// actions in the source.
func actionsIn(say locale.Say) map[accounts.Action]string {
	return map[accounts.Action]string{
		accounts.ActionCreateOrganization: say("أُنشئت المؤسسة", "Organisation created"),
		accounts.ActionMakeLive: say("فُتحت المؤسسة للتطبيقات الحقيقية",
			"Organisation opened for live applications"),
		accounts.ActionCreateApplication: say("أُنشئ تطبيق", "Application created"),
		accounts.ActionRenameApplication: say("غُيّر اسم تطبيق", "Application renamed"),
		settings.ActionSetShopPage:       say("غُيّرت صفحة المتجر لتطبيق", "Shop page changed"),
		settings.ActionSetBrand:          say("غُيّر مظهر صفحة الدفع لتطبيق", "Branding changed"),
		accounts.ActionActivate:          say("فُعّل تطبيق", "Application activated"),
		accounts.ActionDeactivate:        say("أُوقف تطبيق", "Application deactivated"),
		accounts.ActionStopCheckouts: say("أُوقف تطبيق وصفحات دفعه المفتوحة",
			"Application deactivated, open checkouts stopped"),
		settings.ActionSetAcquirer: say("حُفظت إعدادات جهة دفع لتطبيق",
			"Acquirer's settings of an application saved"),
		settings.ActionEnableAcquirer:  say("فُعّلت جهة دفع لتطبيق", "Acquirer of an application enabled"),
		settings.ActionDisableAcquirer: say("أُوقفت جهة دفع لتطبيق", "Acquirer of an application disabled"),
		settings.ActionRemoveAcquirer: say("حُذف حساب تطبيق لدى جهة دفع",
			"Acquirer's account of an application removed"),
		settings.ActionOfferMethods: say("غُيّرت الوسائل المعروضة لدى جهة دفع", "Methods of an acquirer chosen"),
		settings.ActionLimitMethod:  say("غُيّرت حدود المبلغ لوسيلة دفع", "Limits of a method set"),
		settings.ActionCheckAcquirer: say("فُحصت بيانات حساب لدى جهة دفع",
			"Credentials of an account with an acquirer checked"),
		settings.ActionOrderAcquirers: say("غُيّر ترتيب جهات الدفع لتطبيق",
			"Order of an application’s acquirers set"),
		accounts.ActionSetWebhookURL:     say("غُيّر عنوان الإشعارات", "Webhook URL changed"),
		accounts.ActionRollAPIKey:        say("استُبدل مفتاح تطبيق", "API key replaced"),
		accounts.ActionRollWebhookSecret: say("استُبدل سر الإشعارات", "Webhook secret replaced"),
		accounts.ActionCreateToken:       say("أُنشئ رمز وصول", "Access token created"),
		accounts.ActionRevokeToken:       say("أُلغي رمز وصول", "Access token revoked"),
		people.ActionCreateUser:          say("أُنشئ حساب", "Account created"),
		people.ActionAddMember:           say("أُضيف عضو", "Member added"),
		people.ActionChangeRole:          say("غُيّر دور عضو", "Member’s role changed"),
		people.ActionRemoveMember:        say("أُخرج عضو", "Member removed"),
		people.ActionInvite:              say("أُنشئت دعوة", "Invitation made"),
		people.ActionRevokeInvitation:    say("سُحبت دعوة", "Invitation withdrawn"),
		people.ActionAcceptInvitation:    say("قُبلت دعوة", "Invitation accepted"),
		people.ActionChoosePassword:      say("اختيرت كلمة مرور لقبول دعوة", "Password chosen for an invitation"),
		people.ActionSignIn:              say("تسجيل دخول", "Sign-in"),
		people.ActionSignInPassword:      say("كلمة المرور عند الدخول", "Password at sign-in"),
		people.ActionSignInCode:          say("رمز التحقق عند الدخول", "Code at sign-in"),
		people.ActionEndSession:          say("أُغلقت جلسة من جهاز آخر", "Session ended from another device"),
		people.ActionSignOut:             say("تسجيل خروج", "Sign-out"),
		people.ActionChangePassword:      say("تغيير كلمة مرور", "Password changed"),
		people.ActionSetPassword:         say("عيّن المشغّل كلمة مرور", "Password set by the operator"),
		people.ActionRequestReset:        say("طُلب رابط لكلمة مرور جديدة", "Link for a new password requested"),
		people.ActionRequestSignUp:       say("طُلب حساب تجريبي بهذا البريد", "Test account requested"),
		people.ActionResetPassword:       say("كلمة مرور جديدة برابط من البريد", "Password reset by a mailed link"),
		people.ActionEnableSecondFactor:  say("فُعّلت الخطوة الثانية", "Second step turned on"),
		people.ActionDisableSecondFactor: say("أُوقفت الخطوة الثانية", "Second step turned off"),
		people.ActionResetSecondFactor:   say("أزال المشغّل الخطوة الثانية", "Second step reset by the operator"),
		notices.ActionChoose:             say("اختار عضو رسائل بريده", "Member chose their mails"),
		notices.ActionEnd:                say("توقفت رسائل عضو", "Mails to a member ended"),
		people.ActionNewRecoveryCodes:    say("أُنشئت رموز استرداد", "Recovery codes made"),
		people.ActionAddPasskey:          say("أُضيف مفتاح مرور", "Passkey added"),
		people.ActionRemovePasskey:       say("حُذف مفتاح مرور", "Passkey removed"),
		people.ActionRequirePasskey: say("صار مفتاح المرور مطلوبًا بعد كلمة المرور",
			"Passkey required after the password"),
		people.ActionUnrequirePasskey: say("لم يعد مفتاح المرور مطلوبًا بعد كلمة المرور",
			"Passkey no longer required after the password"),
		people.ActionResetPasskeys:   say("حُذفت مفاتيح المرور لحساب", "All passkeys of an account removed"),
		people.ActionSignInPasskey:   say("مفتاح مرور عند الدخول", "Passkey at sign-in"),
		accounts.ActionAccess:        say("محاولة ما لا يسمح به الدور", "Attempt at what the role does not allow"),
		accounts.ActionCreatePayment: say("أُنشئ رابط دفع", "Payment link created"),
		ActionExportPayments:         say("نُزّلت قائمة مدفوعات", "Payments exported"),
		ActionExportTurnover:         say("نُزّلت الإيرادات", "Turnover exported"),
		ActionExportDecided:          say("نُزّلت القرارات", "Decisions exported"),
		ActionNote:                   say("كُتبت ملاحظة في دفعة", "Note on a payment written"),
		refunds.ActionRefund:         say("طُلب رد مبلغ أو سُجّل", "Refund asked for, or recorded"),
		outcomes.ActionPropose:       say("عُرضت نتيجة للتأكيد", "Outcome proposed"),
		outcomes.ActionSettle:        say("حُسمت نتيجة لم تُعرف", "Outcome settled"),
		outcomes.ActionConfirm:       say("أُكدت نتيجة عرضها غيره", "Outcome confirmed"),
		outcomes.ActionReject:        say("رُفضت نتيجة معروضة", "Proposed outcome rejected"),
		outcomes.ActionCompare:       say("أثبت كشف نتائج لم تُعرف", "Statement showed unknown outcomes"),
		outcomes.ActionRule:          say("غُيّرت قاعدة الشخصين", "Rule about two people changed"),
		settlements.ActionPropose:    say("عُرض قيد في الدفاتر للتأكيد", "Change of the books proposed"),
		settlements.ActionAccept:     say("قُبل كشف جهة دفع وقُيّد", "Acquirer’s statement accepted"),
		settlements.ActionCorrect:    say("صُحّحت تسوية", "Settlement corrected"),
		settlements.ActionFee:        say("سُجّلت عمولة العقد", "Contract’s fee recorded"),
		settlements.ActionConfirm:    say("أُكّد قيد عرضه غيره", "Proposed change of the books confirmed"),
		settlements.ActionDay:        say("أُقفل يوم", "Day closed"),
		settlements.ActionReject:     say("رُفض قيد معروض", "Proposed change of the books rejected"),
		refunds.ActionSettle:         say("حُدّد ما جرى في رد مبلغ", "Outcome of a refund settled"),
		ActionReconcile: say("قورن كشف جهة دفع بالسجل",
			"Acquirer’s statement compared with the ledger"),
		ActionDecide:          say("سُجّل قرار في دفعة", "Decision about a payment"),
		webhooks.ActionTest:   say("أُرسل إشعار تجريبي", "Test webhook sent"),
		webhooks.ActionResend: say("أُعيد إرسال إشعار", "Webhook resent"),
		webhooks.ActionReplay: say("أُعيد إرسال إشعارات منذ وقت", "Webhooks replayed"),
		webhooks.ActionPrune:  say("حُذفت إشعارات قديمة من السجل", "Old webhooks deleted"),
		accounts.ActionRekey:  say("استُبدل مفتاح الخدمة السري", "Service's secret key replaced"),
		webhooks.ActionEnable: say("أُعيد تفعيل عنوان الإشعارات", "Webhook endpoint enabled again"),
	}
}

// namesIn are the names of details.
func namesIn(say locale.Say) map[string]string {
	return map[string]string{
		"email": say("البريد", "Email"), "role": say("الدور", "Role"), "from": say("من", "From"),
		"to": say("إلى", "To"), "name": say("الاسم", "Name"),
		"mail_payments":  say("كل دفعة", "Each payment"),
		"mail_decisions": say("ما يحتاج قرارًا", "What needs a decision"),
		"mail_daily":     say("ملخص كل يوم", "Summary of each day"),
		"scopes":         say("ما يُسمح به", "What it may do"), "networks": say("من أين", "From where"),
		"invitations":    say("دعوات انتهت", "Invitations ended"),
		"ending":         say("آخره", "Ending"),
		"api_key_ending": say("آخر المفتاح", "Key’s ending"),
		"expires_at":     say("ينتهي", "Expires"), "passkey": say("مفتاح المرور", "Passkey"),
		"permission":    say("الصلاحية", "Permission"),
		"second_factor": say("الخطوة الثانية", "Second step"),
		"webhook_url":   say("عنوان الإشعارات", "Webhook URL"),
		"delivery":      say("الإشعار", "Delivery"), "event": say("الحدث", "Event"), "since": say("منذ", "Since"),
		"organization": say("المؤسسة", "Organisation"), "count": say("العدد", "Count"),
		"refund": say("الرد", "Refund"), "attempt": say("المحاولة", "Attempt"), "amount": say("المبلغ", "Amount"),
		"by_acquirer": say("بطلب من جهة الدفع", "By the acquirer"),
		"outcome":     say("النتيجة", "Outcome"), "note": say("ملاحظة", "Note"), "kind": say("القرار", "Decision"),
		"reference": say("رقم العملية", "Reference"), "informed": say("من أُبلغ", "Told"),
		"payment": say("الدفعة", "Payment"), "version": say("الحدث", "Event number"),
		"unit": say("المبالغ في الملف", "Amounts in the file"), "columns": say("أعمدة الملف", "The file’s columns"),
		"format":      say("الملف", "File"),
		"differences": say("الفروق", "Differences"), "difference": say("الفرق", "Difference"),
		"from_day": say("من يوم", "From day"), "to_day": say("إلى يوم", "To day"),
		"acquirer": say("جهة الدفع", "Acquirer"), "acquirers": say("جهات الدفع", "Acquirers"),
		"methods": say("الوسائل", "Methods"), "method": say("الوسيلة", "Method"),
		"min": say("الحد الأدنى", "Least amount"), "max": say("الحد الأعلى", "Greatest amount"),
		"statement": say("سطر الكشف", "Line of the statement"), "proposed_by": say("وجده", "Found by"),
		"above_before": say("شخصان لما يزيد على، من قبل", "Two people above, before"),
		"above_now":    say("شخصان لما يزيد على", "Two people above"),
		"file":         say("الملف", "File"), "sha256": say("بصمة الملف SHA-256", "SHA-256 of the file"),
		"fees": say("العمولة", "Fees"), "net": say("الصافي", "Net"), "reason": say("السبب", "Reason"),
		"settlement": say("التسوية", "Settlement"), "day": say("اليوم", "Day"),
		"withdrawn": say("أُلغيت", "Withdrawn"),
		"searched":  say("مع نص بحث", "Narrowed by a search"),

		// of a brand
		"name_ar": say("الاسم بالعربية", "Arabic name"),
		"name_en": say("الاسم بالإنجليزية", "English name"),
		"accent":  say("اللون", "Colour"), "phone": say("الهاتف", "Phone"), "whatsapp": say("واتساب", "WhatsApp"),
		"website": say("الموقع", "Website"), "address": say("العنوان", "Address"), "logo": say("الشعار", "Logo"),

		// of a shop page
		"page":           say("الاسم في العنوان", "Name in the address"),
		"description_ar": say("الوصف بالعربية", "Description in Arabic"),
		"description_en": say("الوصف بالإنجليزية", "Description in English"),
		"enabled":        say("تستقبل المدفوعات", "Takes payments"),
	}
}

func permissionsIn(say locale.Say) map[accounts.Permission]string {
	return map[accounts.Permission]string{
		accounts.SeePayments:       say("رؤية المدفوعات", "see payments"),
		accounts.CreatePayments:    say("إنشاء روابط الدفع", "create payment links"),
		accounts.SeeMoney:          say("رؤية الإيرادات", "see revenue"),
		accounts.ExportPayments:    say("تنزيل الملفات ومقارنة الكشوف", "download files and compare statements"),
		accounts.WriteNotes:        say("كتابة الملاحظات", "write notes"),
		accounts.ShareReceipts:     say("مشاركة الإيصالات", "share receipts"),
		accounts.ResendWebhooks:    say("إعادة إرسال إشعار", "send a webhook again"),
		accounts.DecidePayments:    say("القرار في المدفوعات", "decide about payments"),
		accounts.RefundPayments:    say("رد المبالغ", "refund payments"),
		accounts.KeepBooks:         say("قبول الكشوف وإقفال اليوم", "accept statements, keep books, close days"),
		accounts.SettleOutcomes:    say("حسم النتائج التي لم تُعرف", "settle unknown outcomes"),
		accounts.SeeWebhooks:       say("رؤية الإشعارات البرمجية", "see webhooks"),
		accounts.SendWebhooks:      say("إرسال الإشعارات البرمجية", "send webhooks"),
		accounts.SeeDevelopers:     say("ركن المطوّرين", "see the developers’ corner"),
		accounts.SeeCredentials:    say("رؤية بيانات المفاتيح", "see credentials"),
		accounts.ChangeCredentials: say("تغيير المفاتيح", "change credentials"),
		accounts.GrantRefunds:      say("إنشاء رموز ترد المبالغ", "create tokens that refund"),
		accounts.SeePeople:         say("رؤية الأعضاء", "see people"),
		accounts.ManagePeople:      say("إدارة الأعضاء", "manage people"),
		accounts.SeeAudit:          say("رؤية سجل التدقيق", "see the audit trail"),
	}
}

// Pill is the outcome of an action, in a word.
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

// name is the name of a detail; without a text, the stored one.
func (t auditTexts) name(stored string) string {
	if words, known := t.Names[stored]; known {
		return words
	}
	return stored
}

// detail is the value of a detail; empty if there is nothing to show.
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
		// A member's role. The names of other subjects may equal that of a role.
		if name == "role" || name == "from" || name == "to" {
			return t.Role(accounts.Role(v))
		}
		if name == "acquirer" {
			return t.Acquirers.Name(v)
		}
		if kind := decisions.Kind(v); name == "kind" && kind.Valid() {
			return t.Decisions.Kinds[kind].Name
		}
		return v
	case bool:
		if v {
			return t.Audit.Yes
		}
		return t.Audit.No
	case float64:
		if name == "difference" {
			return domain.Money{Minor: int64(v), Currency: domain.LYD}.String()
		}
		return fmt.Sprint(v)
	case []any: // names
		names := make([]string, len(v))
		for n, one := range v {
			switch names[n] = fmt.Sprint(one); name {
			case "acquirers":
				names[n] = t.Acquirers.Name(names[n])
			case "methods":
				names[n] = t.Payment.MethodName(names[n])
			}
		}
		return strings.Join(names, ", ")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
