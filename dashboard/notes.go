package dashboard

import (
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/checkout"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/decisions"
)

var _ = declare(
	post("/payments/{payment}/notes", member(accounts.WriteNotes), (*Dashboard).writeNote),
)

// noteNamespace is the namespace of note ids made from the number of a form.
var noteNamespace = domain.NameBased(uuid.NameSpaceURL, "daftar note form")

// notesPart has the notes of members about a payment, with the form as it was sent, or a new one.
func (d *Dashboard) notesPart(req *request, id domain.IntentID) (p view.NotesPart, err error) {
	p = view.NotesPart{Number: req.formNumber(), Text: req.text("note")}
	p.Notes, err = d.config.Decisions.Notes(req.ctx, uuid.UUID(req.organization.ID), id)
	return p, err
}

// receiptAddress is the public address for checking the receipt of a payment; empty if there is
// no receipt, or the user's role may not share it.
func (d *Dashboard) receiptAddress(req *request, i domain.Intent) string {
	if i.Status != domain.StatusSucceeded || !req.role.Allows(accounts.ShareReceipts) {
		return ""
	}
	return d.publicURL + checkout.ReceiptPath(i)
}

func (d *Dashboard) writeNote(req *request) error {
	p, err := d.paymentPage(req)
	if err != nil {
		return err
	}
	note := decisions.Note{
		// The id depends on the user, so that two users' forms never collide.
		ID: domain.NameBased(noteNamespace, fmt.Sprint(req.by.User, p.ID, p.Notes.Number)),
		At: d.config.Now(), By: req.by.Name, Text: p.Notes.Text,
	}
	err = d.config.Accounts.Do(req.ctx, req.by, req.organization.ID, accounts.WriteNotes,
		func(tx pgx.Tx) (accounts.Entry, error) {
			return accounts.Entry{
				Action:    view.ActionNote,
				Subject:   "payment",
				SubjectID: uuid.UUID(p.ID),
				// The note itself is stored with the payment.
				Detail: map[string]any{"payment": p.Reference.Capitals()},
			}, decisions.AddNote(req.ctx, tx, uuid.UUID(req.organization.ID), p.ID, note)
		})
	switch p.FormErrors = p.Notes.Corrections(err); {
	case errors.Is(err, decisions.ErrNoPayment):
		return errNoPage
	case err != nil && !errors.Is(err, decisions.ErrNoted):
		return req.correct(view.SectionPayments, p, err)
	}
	return req.done(req.in("payments/"+p.ID.String()), "noted")
}
