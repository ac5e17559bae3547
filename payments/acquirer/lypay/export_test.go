package lypay

import (
	"daftar/domain"
	"daftar/payments/acquirer/exchange"
)

// CreditsOf returns the amounts of the credits that an answer's body calls paid.
func CreditsOf(body []byte) (credits []domain.Money) {
	found, _, err := rows(exchange.Answer{Status: 200, Body: body})
	if err != nil {
		return nil
	}
	for _, r := range found {
		if t, err := r.transfer(); err == nil && t.isPaid() && t.amount().Minor != 0 {
			credits = append(credits, t.amount())
		}
	}
	return credits
}
