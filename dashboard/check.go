package dashboard

import (
	"crypto/rand"
	"net/http"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/web"
)

var _ = declare(
	get("/check", member(accounts.SeePayments), (*Dashboard).checkForm),
	post("/check", member(accounts.SeePayments), (*Dashboard).checkReceipt),
)

// checkForm asks for a receipt. It is the one page with a camera.
func (d *Dashboard) checkForm(req *request) error {
	req.w.Header().Set("Permissions-Policy", web.CameraPermissions)
	return req.show(view.SectionCheck, view.CheckPage{Number: rand.Text()})
}

// checkReceipt answers with the verdict, in the page of the form: the address of a page would be
// opened again, and the first check is kept.
func (d *Dashboard) checkReceipt(req *request) error {
	page := view.CheckPage{Number: req.formNumber(), Typed: req.field("reference")}
	if page.Typed == "" {
		req.w.Header().Set("Permissions-Policy", web.CameraPermissions)
		page.FormErrors = view.NoReference
		return req.show(view.SectionCheck, page)
	}
	answer, err := d.config.Till.Check(req.ctx, req.by, req.organization.ID, page.Typed, page.Number)
	if err != nil {
		return err
	}
	return req.answer(http.StatusOK, view.SectionCheck, view.ReceiptCheck{Answer: answer, Typed: page.Typed})
}
