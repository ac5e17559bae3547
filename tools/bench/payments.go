package main

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
)

// paymentsModel is the read model that the dashboard searches.
var paymentsModel = func() projections.Model {
	all := projections.Models()
	return all[slices.IndexFunc(all, func(m projections.Model) bool { return m.Name == "payments" })]
}()

var paymentColumns = paymentsModel.Tables[0].Columns

// paymentRow is the row that the dashboard's group would derive from the events of an intent.
func paymentRow(id uuid.UUID, events ...domain.Event) ([]any, error) {
	stream := make([]eventstore.Recorded, len(events))
	for n, e := range events {
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			return nil, fmt.Errorf("encode event: %w", err)
		}
		stream[n] = eventstore.Recorded{
			Position: 1, Stream: id, Version: n + 1,
			Type: stored.Type, SchemaVersion: stored.SchemaVersion, Payload: stored.Payload,
		}
	}
	rows, err := paymentsModel.Rows(stream)
	if err != nil {
		return nil, fmt.Errorf("project intent: %w", err)
	}
	return rows[0][0], nil
}

// goods are the words of descriptions.
var goods = []string{
	"coffee", "cake", "قهوة", "كيك",
	"tea", "dates", "شاي", "تمور",
	"bread", "olives", "خبز", "زيتون",
	"honey", "almonds", "عسل", "لوز",
	"sofa", "carpet", "أريكة", "سجادة",
	"phone", "charger", "هاتف", "شاحن",
	"shirt", "shoes", "قميص", "حذاء",
	"lamp", "curtain", "مصباح", "ستارة",
}

// events are all events of the tenant's intent.
func (i tenantIntent) events(application domain.ApplicationID) []domain.Event {
	amount := domain.Money{Minor: i.amount, Currency: domain.LYD}
	all := []domain.Event{domain.Created{
		At:                i.created,
		Application:       application,
		MerchantReference: domain.MerchantReference(i.merchant),
		Reference:         domain.Reference(i.reference),
		CheckoutToken:     "t",
		Amount:            amount,
		Description:       i.description,
		CustomerID:        &i.customer,
		ExpiresAt:         *i.expires,
	}}
	const attempt = domain.AttemptID("AAAA3M9X2Q7T5W8Z1B4C6D0E2F")
	if i.attempting || i.succeeded != nil {
		all = append(all, domain.AttemptStarted{
			At: i.created, Attempt: attempt, Acquirer: "sandbox", Method: "wallet", Payer: "091•••" + i.phone,
		})
	}
	switch {
	case i.late:
		all = append(all,
			domain.AttemptFailed{At: i.created, Attempt: attempt, Reason: domain.ReasonExpired},
			domain.Expired{At: *i.canceled},
			domain.LateSucceeded{At: *i.succeeded, Attempt: attempt, Amount: amount, ProviderReference: i.provider})
	case i.succeeded != nil:
		all = append(all, domain.Succeeded{
			At: *i.succeeded, Attempt: attempt, Amount: amount, ProviderReference: i.provider,
		})
	case i.canceled != nil:
		all = append(all, domain.Expired{At: *i.canceled})
	}
	return all
}
