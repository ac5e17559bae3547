package dashboard

import "daftar/internal/web"

// texts are all words of the dashboard in one language, a struct for each part.
// A test fails when a field is empty in a language, so a page can never miss a text.
type texts struct {
	Sections     sectionTexts
	Shell        shellTexts
	Status       statusTexts
	Roles        roleTexts
	SignIn       signInTexts
	Account      accountTexts
	People       peopleTexts
	Audit        auditTexts
	Applications applicationTexts
	Tokens       tokenTexts
	Developers   developerTexts
	Payments     paymentTexts
	Payment      paymentPageTexts
	Money        moneyTexts
	Decisions    decisionTexts
	Webhooks     webhookTexts
	// Notices say what was just done, by the name that visit.done gives.
	Notices map[string]string
}

var (
	arabicTexts = texts{
		Sections: arabicSections, Shell: arabicShell, Status: arabicStatus, Roles: arabicRoles,
		SignIn: arabicSignIn, Account: arabicAccount, People: arabicPeople, Audit: arabicAudit,
		Applications: arabicApplications, Tokens: arabicTokens, Developers: arabicDevelopers,
		Payments: arabicPayments, Payment: arabicPayment, Money: arabicMoney, Decisions: arabicDecisions, Webhooks: arabicWebhooks,
		Notices: notices(web.Arabic),
	}
	englishTexts = texts{
		Sections: englishSections, Shell: englishShell, Status: englishStatus, Roles: englishRoles,
		SignIn: englishSignIn, Account: englishAccount, People: englishPeople, Audit: englishAudit,
		Applications: englishApplications, Tokens: englishTokens, Developers: englishDevelopers,
		Payments: englishPayments, Payment: englishPayment, Money: englishMoney, Decisions: englishDecisions, Webhooks: englishWebhooks,
		Notices: notices(web.English),
	}
)

func textsIn(l web.Lang) *texts {
	switch l {
	case web.Arabic:
		return &arabicTexts
	case web.English:
		return &englishTexts
	}
	panic("dashboard: unknown language")
}

// notice is one of them in both languages.
type notice struct{ arabic, english string }

// notices gathers what the parts of the dashboard have to say.
func notices(l web.Lang) map[string]string {
	all := make(map[string]string)
	for _, part := range []map[string]notice{
		accountNotices, peopleNotices, applicationNotices, tokenNotices, paymentNotices, moneyNotices, webhookNotices,
	} {
		for name, n := range part {
			if _, twice := all[name]; twice {
				panic("dashboard: two notices are called " + name)
			}
			all[name] = n.arabic
			if l == web.English {
				all[name] = n.english
			}
		}
	}
	return all
}
