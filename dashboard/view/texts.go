package view

import (
	"daftar/internal/locale"
)

// Texts are all words of the dashboard in one language, a struct for each part.
// A test fails when a field is empty in a language, so a page can never miss a text.
type Texts struct {
	Sections     sectionTexts
	Shell        shellTexts
	Status       statusTexts
	Roles        roleTexts
	SignIn       signInTexts
	Reset        resetTexts
	Account      accountTexts
	Passkeys     passkeyTexts
	People       peopleTexts
	Audit        auditTexts
	Applications ApplicationTexts
	Tokens       tokenTexts
	Developers   developerTexts
	Payments     paymentTexts
	Views        viewTexts
	Payment      paymentPageTexts
	Money        moneyTexts
	Decisions    decisionTexts
	Notes        noteTexts
	Refunds      refundTexts
	Methods      methodTexts
	Reconcile    reconcileTexts
	Webhooks     WebhookTexts
	Acquirers    acquirerTexts
	Requests     requestTexts
	Brand        brandTexts
	Links        linkTexts
	// Notices say what was just done, by the name that request.done gives.
	Notices map[string]string
}

var (
	arabicTexts = Texts{
		Sections: arabicSections, Shell: arabicShell, Status: arabicStatus, Roles: arabicRoles,
		SignIn: arabicSignIn, Reset: arabicReset, Account: arabicAccount, Passkeys: arabicPasskeys, People: arabicPeople, Audit: arabicAudit,
		Applications: arabicApplications, Tokens: arabicTokens, Developers: arabicDevelopers,
		Payments: arabicPayments, Views: arabicViews, Payment: paymentPageTextsIn(locale.Arabic.Say), Money: arabicMoney, Decisions: arabicDecisions, Reconcile: arabicReconcile, Refunds: arabicRefunds, Methods: arabicMethods, Webhooks: arabicWebhooks,
		Notices: notices(locale.Arabic), Acquirers: acquirerTextsIn(locale.Arabic.Say), Requests: arabicRequests,
		Brand: arabicBrand, Notes: arabicNotes, Links: arabicLinks,
	}
	englishTexts = Texts{
		Sections: englishSections, Shell: englishShell, Status: englishStatus, Roles: englishRoles,
		SignIn: englishSignIn, Reset: englishReset, Account: englishAccount, Passkeys: englishPasskeys, People: englishPeople, Audit: englishAudit,
		Applications: englishApplications, Tokens: englishTokens, Developers: englishDevelopers,
		Payments: englishPayments, Views: englishViews, Payment: paymentPageTextsIn(locale.English.Say), Money: englishMoney, Decisions: englishDecisions, Reconcile: englishReconcile, Refunds: englishRefunds, Methods: englishMethods, Webhooks: englishWebhooks,
		Notices: notices(locale.English), Acquirers: acquirerTextsIn(locale.English.Say), Requests: englishRequests,
		Brand: englishBrand, Notes: englishNotes, Links: englishLinks,
	}
)

func textsIn(l locale.Lang) *Texts {
	switch l {
	case locale.Arabic:
		return &arabicTexts
	case locale.English:
		return &englishTexts
	}
	panic("view: unknown language")
}

// notice is one of them in both languages.
type notice struct{ arabic, english string }

// notices gathers what the parts of the dashboard have to say.
func notices(l locale.Lang) map[string]string {
	all := make(map[string]string)
	for _, part := range []map[string]notice{
		accountNotices, passkeyNotices, peopleNotices, applicationNotices, tokenNotices, decisionNotices, refundNotices, webhookNotices, acquirerNotices, viewNotices, brandNotices, noteNotices, linkNotices, resetNotices,
	} {
		for name, n := range part {
			if _, twice := all[name]; twice {
				panic("view: two notices are called " + name)
			}
			all[name] = n.arabic
			if l == locale.English {
				all[name] = n.english
			}
		}
	}
	return all
}
