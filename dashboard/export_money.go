package dashboard

import (
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

// exportMoney sends the turnover of each day that the form of the page selects.
func exportMoney(as format) handler {
	return func(d *Dashboard, req *request) error {
		form := readMoneyForm(req.r.URL.Query())
		applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
		if err != nil {
			return err
		}
		from, to, of, wrong := form.Read(applications, domain.DayOf(d.config.Now()))
		if len(wrong) > 0 {
			return req.redirect(req.in("money") + "?" + form.Query())
		}
		if len(of) == 0 {
			for _, a := range applications {
				of = append(of, a.ID)
			}
		}
		detail := view.Details(map[string]string{
			"from_day": from.String(), "to_day": to.String(), "application": form.Application,
		})
		if err := d.recordExport(req, view.ActionExportTurnover, detail); err != nil {
			return err
		}
		return req.export(as, table{
			name:    "turnover-" + from.String() + "-" + to.String(),
			title:   view.ExportWords(req.lang).Turnover,
			columns: view.TurnoverColumns,
			rows: func(yield func([]cell, error) bool) {
				for _, id := range of {
					turnover, err := d.config.Late.Payments.Turnover(req.ctx, req.tenant(),
						[]domain.ApplicationID{id}, from, to)
					if err != nil {
						yield(nil, err)
						return
					}
					for _, day := range turnover.Days {
						if !yield(turnoverCells(id, nameOf(applications, id), day), nil) {
							return
						}
					}
				}
			},
		})
	}
}

// turnoverCells are the cells of a day in the order of view.TurnoverColumns.
func turnoverCells(id domain.ApplicationID, name string, d projections.DayFigures) []cell {
	cells := []cell{date(d.Day), code(id.String()), foreign(name), code(d.Currency)}
	for _, t := range []projections.Total{d.Succeeded, d.Late, d.Canceled, d.Duplicates, d.Refunds} {
		cells = append(cells, count(t.Count), money{Minor: t.Sum, Currency: d.Currency})
	}
	return cells
}
