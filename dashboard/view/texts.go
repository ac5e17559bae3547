package view

import (
	"daftar/accounts"
	"daftar/internal/locale"
)

// Texts are all texts of the dashboard in one language, a struct for each part. A function next to
// each part's page makes its struct in either language: a text is a field and one entry there. A
// test fails if a field is empty, so that no page can miss a text.
type Texts struct {
	Sections     map[Section]string
	Groups       map[group]string
	Shell        shellTexts
	Status       statusTexts
	Roles        map[accounts.Role]string
	SignIn       signInTexts
	Reset        resetTexts
	SignUp       signUpTexts
	Account      accountTexts
	Passkeys     passkeyTexts
	People       peopleTexts
	Audit        auditTexts
	Applications applicationTexts
	Tokens       tokenTexts
	Developers   developerTexts
	Overview     overviewTexts
	Payments     paymentTexts
	Payment      paymentPageTexts
	Money        moneyTexts
	Decisions    decisionTexts
	Outcomes     outcomeTexts
	Mails        mailTexts
	Notes        noteTexts
	Refunds      refundTexts
	Methods      methodTexts
	Books        bookTexts
	Day          dayTexts
	Reconcile    reconcileTexts
	Settlements  settlementTexts
	Webhooks     webhookTexts
	Acquirers    acquirerTexts
	Views        viewTexts
	Brand        brandTexts
	ShopPage     shopPageTexts
	Check        checkTexts
	Links        linkTexts
	Requests     requestTexts
	// Notices are the texts after a form, by the name in request.done.
	Notices map[string]string
}

// textsIn are the texts of a language.
var textsIn = locale.Catalogue(allTextsIn)

func allTextsIn(say locale.Say) Texts {
	return Texts{
		Sections:     sectionsIn(say),
		Groups:       groupsIn(say),
		Shell:        shellTextsIn(say),
		Status:       statusTextsIn(say),
		Roles:        roleNamesIn(say),
		SignIn:       signInTextsIn(say),
		Reset:        resetTextsIn(say),
		SignUp:       signUpTextsIn(say),
		Account:      accountTextsIn(say),
		Passkeys:     passkeyTextsIn(say),
		People:       peopleTextsIn(say),
		Audit:        auditTextsIn(say),
		Applications: applicationTextsIn(say),
		Tokens:       tokenTextsIn(say),
		Developers:   developerTextsIn(say),
		Overview:     overviewTextsIn(say),
		Payments:     paymentTextsIn(say),
		Payment:      paymentPageTextsIn(say),
		Money:        moneyTextsIn(say),
		Decisions:    decisionTextsIn(say),
		Outcomes:     outcomeTextsIn(say),
		Mails:        mailTextsIn(say),
		Notes:        noteTextsIn(say),
		Refunds:      refundTextsIn(say),
		Methods:      methodTextsIn(say),
		Books:        bookTextsIn(say),
		Day:          dayTextsIn(say),
		Reconcile:    reconcileTextsIn(say),
		Settlements:  settlementTextsIn(say),
		Webhooks:     webhookTextsIn(say),
		Acquirers:    acquirerTextsIn(say),
		Views:        viewTextsIn(say),
		Brand:        brandTextsIn(say),
		ShopPage:     shopPageTextsIn(say),
		Check:        checkTextsIn(say),
		Links:        linkTextsIn(say),
		Requests:     requestTextsIn(say),
		Notices:      noticesIn(say),
	}
}

// noticesIn gathers the notices of the parts of the dashboard.
func noticesIn(say locale.Say) map[string]string {
	all := make(map[string]string)
	for _, partIn := range []func(locale.Say) map[string]string{
		accountNoticesIn, passkeyNoticesIn, peopleNoticesIn, applicationNoticesIn, tokenNoticesIn,
		decisionNoticesIn, refundNoticesIn, outcomeNoticesIn, webhookNoticesIn, acquirerNoticesIn, viewNoticesIn,
		brandNoticesIn, noteNoticesIn, linkNoticesIn, resetNoticesIn, signUpNoticesIn, mailNoticesIn,
		shopNoticesIn, settlementNoticesIn,
	} {
		for name, text := range partIn(say) {
			if _, twice := all[name]; twice {
				panic("view: two notices are called " + name)
			}
			all[name] = text
		}
	}
	return all
}
