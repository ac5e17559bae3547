package dashboard

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/projections"
)

// decidedInList is the number of decisions on a page.
const decidedInList = 50

func readDecidedForm(q url.Values) view.DecidedForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return view.DecidedForm{Kind: decisions.Kind(get("kind")), From: get("from"), To: get("to"), At: get("at")}
}

func decidedRows(all []decisions.Exception, applications []accounts.Application) (rows []view.ExceptionRow) {
	for _, x := range all {
		rows = append(rows, view.ExceptionRow{Exception: x, Application: nameOf(applications, x.Application)})
	}
	return rows
}

func (d *Dashboard) decided(req *request) (p view.DecidedPage, err error) {
	p.Form = readDecidedForm(req.r.URL.Query())
	f, wrong := p.Form.Read()
	if p.FormErrors = wrong; len(wrong) > 0 {
		return p, nil
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	tenant := req.tenant()
	all, older, err := d.config.Decisions.Decided(req.ctx, tenant, f, p.Form.At, decidedInList)
	if errors.Is(err, projections.ErrCursor) {
		return p, errNoPage
	}
	if err != nil {
		return p, err
	}
	p.Rows = decidedRows(all, applications)
	if older != "" {
		p.Older = "decisions/decided?" + p.Form.Query(older)
	}
	return p, nil
}

// exportDecided sends the decisions that the filter of the list selects.
func exportDecided(as format) handler {
	return func(d *Dashboard, req *request) error {
		form := readDecidedForm(req.r.URL.Query())
		f, wrong := form.Read()
		if len(wrong) > 0 {
			return req.redirect(req.in("decisions/decided") + "?" + form.Query("")) // the page says what is wrong
		}
		applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
		if err != nil {
			return err
		}
		detail := view.Details(map[string]string{
			"kind": string(form.Kind), "from_day": form.From, "to_day": form.To,
		})
		if err := d.recordExport(req, view.ActionExportDecided, detail); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(req.r.Context(), exportLimit)
		defer cancel()
		words := view.ExportWords(req.lang)
		return req.export(as, table{
			name:    "decisions-" + domain.DayOf(d.config.Now()).String(),
			title:   words.Decisions,
			columns: view.DecisionColumns,
			rows: func(yield func([]cell, error) bool) {
				all := d.config.Late.Decisions.ExportDecided(ctx, req.tenant(), f)
				for x, err := range all {
					var cells []cell
					if err == nil {
						cells = decisionCells(x, nameOf(applications, x.Application), words)
					}
					if !yield(cells, err) {
						return
					}
				}
			},
		})
	}
}

// decisionCells are the cells of a decision in the order of view.DecisionColumns.
func decisionCells(x decisions.Exception, application string, words view.Words) []cell {
	by := x.Decision
	return []cell{
		code(x.Intent.String()), code(x.Reference.Capitals()), foreign(x.MerchantReference), foreign(application),
		word{string(x.Kind), words.Money(x.Kind)}, money(x.Amount), code(x.Amount.Currency), moment{&x.Since},
		word{string(by.Kind), words.Decision(by.Kind)}, foreign(by.Reference), foreign(by.Note), foreign(by.By),
		moment{&by.At}, foreign(by.Informed),
	}
}
