package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/payments/decisions"
)

// discussedPayment is a late payment with a decision and notes.
func discussedPayment(applications []accounts.Application, r view.PaymentRow) view.PaymentPage {
	p := latePayment(applications, r)
	p.Exceptions[0].Decision = &decisions.Decision{
		At: now.Add(-2 * time.Hour), By: financeIdentity.Email, Kind: decisions.Delivered,
		Reference: "شحنة 20931",
		Note:      "الطلبية كانت جاهزة فسلّمناها.", Informed: "الزبون بالهاتف",
	}
	note := func(n byte, ago time.Duration, by, text string) decisions.Note {
		return decisions.Note{ID: fixedUUID(n), At: now.Add(-ago), By: by, Text: text}
	}
	p.Notes = view.NotesPart{Number: "STORY", Notes: []decisions.Note{
		note(70, 5*time.Hour, supportIdentity.Email,
			"اتصل الزبون: دُفع المبلغ ولم تصله الطلبية. وعدته باتصال قبل المساء."),
		note(71, 3*time.Hour, financeIdentity.Email,
			"Found it in the acquirer's portal: the money came nine minutes late.\nThe order can go out."),
	}}
	p.Receipt = "https://pay.example/receipt/" + r.ID.String() + "/Zm9yLXRoZS1zdG9yeWJvb2s"
	return p
}

// wrongNote is the page with a note that was sent empty.
func wrongNote(p view.PaymentPage) view.PaymentPage {
	p.FormErrors = p.Notes.Corrections(decisions.ErrNote)
	return p
}
