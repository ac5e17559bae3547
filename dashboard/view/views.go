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

// SavedViews are the views that the page lists.
func (r rendering) SavedViews() []savedView {
	p, is := r.V.(SavedViews)
	if !is {
		return nil
	}
	all := make([]savedView, len(p.Views))
	for n, v := range p.Views {
		fields, _ := url.ParseQuery(v.Query) // Query wrote it
		all[n] = savedView{v, NameField(v.ID), r.In(linkTo(v.Query)), r.asks(FormOf(fields))}
	}
	return all
}

// NewAsks are the criteria of the view that is to be saved.
func (r rendering) NewAsks() []asked {
	p, is := r.V.(SavedViews)
	if !is {
		return nil
	}
	return r.asks(p.New)
}

// asks are the criteria of a form, in words.
func (r rendering) asks(f PaymentsForm) []asked {
	t := r.T.Payments
	status := f.Status
	for _, s := range r.statuses() {
		if s.Value == f.Status {
			status = s.Text
		}
	}
	application := f.Application
	if p, is := r.V.(SavedViews); is {
		for _, a := range p.Applications {
			if a.ID.String() == f.Application {
				application = a.Name
			}
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
