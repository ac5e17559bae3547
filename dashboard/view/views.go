package view

import (
	"net/url"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/settings"
)

// SavedViews is the page of a person's views of the list of payments.
type SavedViews struct {
	FormErrors
	Views        []settings.SavedView
	Applications []accounts.Application
	New          PaymentsForm // to be saved; narrowed, or there is none
	Name         string       // as typed
}

func (SavedViews) head(t *Texts) (template, title string) { return "views", t.Views.Title }

// NameField is the id of the field with a view's name.
func NameField(id uuid.UUID) string { return "name-" + id.String() }

// savedView is a saved view on the page.
type savedView struct {
	settings.SavedView
	Field   string
	Address string
	Asks    []asked
}

// asked is a criterion of a form.
type asked struct{ Name, Value string }

// All are the views with what the page shows of each.
func (p SavedViews) All(r rendering) []savedView {
	all := make([]savedView, len(p.Views))
	for n, v := range p.Views {
		fields, _ := url.ParseQuery(v.Query) // Query wrote it
		all[n] = savedView{v, NameField(v.ID), r.In(linkTo(v.Query)), p.Asks(r, FormOf(fields))}
	}
	return all
}

// Asks are the criteria of a form, in words.
func (p SavedViews) Asks(r rendering, f PaymentsForm) []asked {
	t := r.T.Payments
	status := f.Status
	for _, s := range r.statuses() {
		if s.Value == f.Status {
			status = s.Text
		}
	}
	application := f.Application
	for _, a := range p.Applications {
		if a.ID.String() == f.Application {
			application = a.Name
		}
	}
	order := map[string]string{SortOldest: t.Oldest, sortLargest: t.Largest, sortSmallest: t.Smallest}[f.Sort]
	var all []asked
	for _, one := range []asked{
		{t.Search, f.Search},
		{t.Status, status},
		{t.Application, application},
		{t.From, f.From},
		{t.To, f.To},
		{t.Min, f.Min},
		{t.Max, f.Max},
		{t.Sort, order},
	} {
		if one.Value != "" {
			all = append(all, one)
		}
	}
	return all
}
