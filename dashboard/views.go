package dashboard

import (
	"errors"
	"net/url"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
)

var _ = declare(
	get("/payments/views", member(accounts.SeePayments), loaded(view.SectionPayments, (*Dashboard).savedViews)),
	post("/payments/views", member(accounts.SeePayments), (*Dashboard).saveView),
	post("/payments/views/{view}/rename", member(accounts.SeePayments), (*Dashboard).renameView),
	post("/payments/views/{view}/delete", member(accounts.SeePayments), (*Dashboard).deleteView),
)

// savedViews are the user's views of the list, and a form for the one in the page's address.
func (d *Dashboard) savedViews(req *request) (p view.SavedViews, err error) {
	p.New = view.FormOf(req.r.URL.Query())
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant()); err != nil {
		return p, err
	}
	p.Views, err = d.config.Settings.SavedViews(req.ctx, req.by, req.organization.ID)
	return p, err
}

func (d *Dashboard) saveView(req *request) error {
	name := req.field("name")
	fields, err := url.ParseQuery(req.field("query"))
	form := view.FormOf(fields)
	if err != nil || !form.Narrowed() {
		return errNoPage
	}
	wrong := nameErrors(name)
	if len(wrong) == 0 {
		err := d.config.Settings.SaveView(req.ctx, req.by, req.organization.ID, name, form.Query(""))
		if err == nil {
			return req.done(req.in(form.Link("")), "view-saved")
		}
		if wrong = viewErrors("name", err); wrong == nil {
			return err
		}
	}
	return d.correctView(req, func(p *view.SavedViews) { p.New, p.Name, p.FormErrors = form, name, wrong })
}

// viewErrors are the form's errors for the name in a field; nil for other errors.
func viewErrors(field string, err error) view.FormErrors {
	switch {
	case errors.Is(err, settings.ErrViewName):
		return view.FormError(field, func(t *view.Texts) string { return t.Views.NameTaken })
	case errors.Is(err, settings.ErrTooManyViews):
		return view.FormError(field, func(t *view.Texts) string { return t.Views.TooMany })
	}
	return nil
}

// correctView shows the page again with the errors of a form.
func (d *Dashboard) correctView(req *request, change func(*view.SavedViews)) error {
	p, err := d.savedViews(req)
	if err != nil {
		return err
	}
	change(&p)
	return req.show(view.SectionPayments, p)
}

func (d *Dashboard) renameView(req *request) error {
	id, err := uuid.Parse(req.variable("view"))
	if err != nil {
		return errNoPage
	}
	name := req.field("name")
	wrong := nameErrors(name)
	if len(wrong) > 0 {
		wrong = view.FormError(view.NameField(id), func(t *view.Texts) string { return t.Views.NameWrong })
	} else if err = d.config.Settings.RenameView(req.ctx, req.by, req.organization.ID, id, name); err == nil {
		return req.done(req.in("payments/views"), "view-renamed")
	} else if wrong = viewErrors(view.NameField(id), err); wrong == nil {
		return err
	}
	return d.correctView(req, func(p *view.SavedViews) { p.FormErrors = wrong })
}

func (d *Dashboard) deleteView(req *request) error {
	id, err := uuid.Parse(req.variable("view"))
	if err != nil {
		return errNoPage
	}
	err = d.config.Settings.DeleteView(req.ctx, req.by, req.organization.ID, id)
	return req.doneUnless(err, req.in("payments/views"), "view-deleted")
}
