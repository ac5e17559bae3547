package dashboard

import (
	"context"

	"daftar/dashboard/view"
	"daftar/domain"
)

// exportPayments sends the payments that the list finds, on all of its pages.
func exportPayments(as format) handler {
	return func(d *Dashboard, req *request) error {
		form := view.FormOf(req.r.URL.Query())
		applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
		if err != nil {
			return err
		}
		f, wrong := form.Filter(applications)
		if len(wrong) > 0 || len([]rune(form.Search)) > view.MaxSearch {
			return req.redirect(req.in("payments") + "?" + form.Query("")) // the page says what is wrong
		}
		detail := view.Details(map[string]string{
			"application": form.Application, "status": form.Status, "from_day": form.From, "to_day": form.To,
			"min": form.Min, "max": form.Max,
		})
		if form.Searched() {
			detail["searched"] = true // not the text: it may be a phone number
		}
		if err := d.recordExport(req, view.ActionExportPayments, detail); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(req.r.Context(), exportLimit)
		defer cancel()
		words := view.ExportWords(req.lang)
		return req.export(as, table{
			name:    "payments-" + domain.DayOf(d.config.Now()).String(),
			title:   words.Payments,
			columns: view.PaymentColumns,
			rows: func(yield func([]cell, error) bool) {
				all := d.config.Late.Payments.Export(ctx, req.tenant(), form.Asked(f))
				for p, err := range all {
					if !yield(paymentCells(d.paymentRow(p.Payment, applications), p.By, words), err) {
						return
					}
				}
			},
		})
	}
}

// paymentCells are the cells of a payment in the order of view.PaymentColumns.
func paymentCells(r view.PaymentRow, by domain.Attempt, words view.Words) []cell {
	status, customer := r.Status, ""
	if r.CustomerID != nil {
		customer = *r.CustomerID
	}
	if r.Overdue {
		status = domain.StatusCanceled
	}
	return []cell{
		code(r.ID.String()), code(r.Reference.Capitals()), foreign(r.MerchantReference), foreign(r.Application),
		word{string(status), words.Status(status)}, yesNo(r.Late, words), money(r.Amount), code(r.Amount.Currency),
		foreign(r.Description), foreign(customer),
		moment{&r.CreatedAt}, moment{&r.ExpiresAt}, moment{r.SucceededAt}, moment{r.CanceledAt},
		count(r.Duplicates), money{Minor: r.Refunded, Currency: r.Amount.Currency},
		word{by.Method, words.Method(by.Method)}, code(by.Acquirer),
		foreign(by.ProviderReference), foreign(by.Payer),
	}
}
