package view

import (
	"daftar/accounts"
	"daftar/internal/locale"
)

// Texts are all texts of the dashboard in one language, a struct for each part. A function next to
// each part's page makes its struct in either language: a text is a field and one entry there. A
// test fails if a field is empty, so that no page can miss a text.
type Texts struct {
	Sections     sectionTexts
	Shell        shellTexts
	Status       statusTexts
	Roles        map[accounts.Role]string
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
	Payment      paymentPageTexts
	Money        moneyTexts
	Decisions    decisionTexts
	Notes        noteTexts
	Refunds      refundTexts
	Methods      methodTexts
	Reconcile    reconcileTexts
	Webhooks     WebhookTexts
	Acquirers    acquirerTexts
	Views        viewTexts
	Brand        brandTexts
	Links        linkTexts
	// Notices are the texts after a form, by the name in request.done.
	Notices map[string]string
}

// textsIn are the texts of a language.
var textsIn = locale.Catalogue(allTextsIn)

func allTextsIn(say locale.Say) Texts {
	return Texts{
		Sections:     sectionTextsIn(say),
		Shell:        shellTextsIn(say),
		Status:       statusTextsIn(say),
		Roles:        roleNamesIn(say),
		SignIn:       signInTextsIn(say),
		Reset:        resetTextsIn(say),
		Account:      accountTextsIn(say),
		Passkeys:     passkeyTextsIn(say),
		People:       peopleTextsIn(say),
		Audit:        auditTextsIn(say),
		Applications: applicationTextsIn(say),
		Tokens:       tokenTextsIn(say),
		Developers:   developerTextsIn(say),
		Payments:     paymentTextsIn(say),
		Payment:      paymentPageTextsIn(say),
		Money:        moneyTextsIn(say),
		Decisions:    decisionTextsIn(say),
		Notes:        noteTextsIn(say),
		Refunds:      refundTextsIn(say),
		Methods:      methodTextsIn(say),
		Reconcile:    reconcileTextsIn(say),
		Webhooks:     webhookTextsIn(say),
		Acquirers:    acquirerTextsIn(say),
		Views:        viewTextsIn(say),
		Brand:        brandTextsIn(say),
		Links:        linkTextsIn(say),
		Notices:      noticesIn(say),
	}
}

// own are the catalogues of single pages, for the test that no text is empty.
var own []func(locale.Lang) any

// words makes the catalogue of a page whose texts no other page shows; the shared texts are in
// Texts. The page has a method Words that returns it.
func words[T any](textsIn func(locale.Say) T) func(locale.Lang) *T {
	in := locale.Catalogue(textsIn)
	own = append(own, func(l locale.Lang) any { return *in(l) })
	return in
}

// noticesIn gathers the notices of the parts of the dashboard.
func noticesIn(say locale.Say) map[string]string {
	all := make(map[string]string)
	for _, partIn := range []func(locale.Say) map[string]string{
		accountNoticesIn, passkeyNoticesIn, peopleNoticesIn, applicationNoticesIn, tokenNoticesIn,
		decisionNoticesIn, refundNoticesIn, webhookNoticesIn, acquirerNoticesIn, viewNoticesIn, brandNoticesIn,
		noteNoticesIn, linkNoticesIn, resetNoticesIn,
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
