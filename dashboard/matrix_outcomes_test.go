package dashboard_test

import (
	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments/outcomes"
)

// unknown is a new payment of the organisation whose outcome is unknown, and its key.
func (r *asking) unknown() outcomes.Key {
	r.t.Helper()
	i := r.intent()
	id := domain.AttemptID(i.Reference + "0000000000000000")
	_, err := r.w.ledger.Execute(r.t.Context(), i.ID,
		domain.StartAttempt{Attempt: id, Acquirer: "plutu", Method: "adfali"}, ledger.Origin{Actor: "payer"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer, created_at,
		    stage, stage_since, updated_at)
		VALUES ($1, $2, 'plutu', 'adfali', 'ar', '', now(), 'quarantined', now(), now())`, string(id), i.ID)
	r.mark(r.of, string(id))
	return outcomes.KeyOfPayment(id)
}

// settling is a request about a payment whose outcome is unknown.
func settling(fields ...string) func(*asking) request {
	return func(r *asking) request { return r.below("/outcomes/payment/"+r.unknown().Subject, fields...) }
}

// settlingProven is a request about a payment that everybody's statement shows.
func settlingProven(r *asking) request {
	k := r.unknown()
	r.exec(`
		INSERT INTO statement_proofs (kind, subject, found_by, finder, found_at, verdict, line,
		    provider_reference, amount)
		SELECT $1, $2, m.user_uuid, 'a member', now(), 'paid', 1, '', 7000
		FROM memberships m
		WHERE m.organization_uuid = $3`, k.Kind, k.Subject, r.of.org.ID)
	return r.below("/outcomes/settle", "proven", k.String(), "note", "seen")
}

// ofProposal is a request about what another member has proposed.
func ofProposal(path string) func(*asking) request {
	return func(r *asking) request {
		k, of := r.unknown(), r.of.org.ID.In(domain.ModeLive)
		by := r.another(accounts.RoleFinance)
		r.exec(`UPDATE organizations SET four_eyes_above = 0 WHERE uuid = $1`, r.of.org.ID)
		_, err := r.w.outcomes.Settle(r.t.Context(), by, of, k,
			outcomes.Claim{Verdict: outcomes.Paid, Note: "seen"})
		if err != nil {
			r.t.Fatal(err)
		}
		r.exec(`UPDATE organizations SET four_eyes_above = NULL WHERE uuid = $1`, r.of.org.ID)
		o, err := r.w.outcomes.Find(r.t.Context(), of, k)
		if err != nil {
			r.t.Fatal(err)
		}
		return r.below("/outcomes"+path, "proposal", o.Proposal.ID.String())
	}
}

// another is a new member of the organisation.
func (r *asking) another(role accounts.Role) accounts.Actor {
	r.t.Helper()
	u, err := r.w.people.CreateUser(r.t.Context(), operator, r.of.org.ID, uuid.NewString()+"@new.example", role,
		password)
	if err != nil {
		r.t.Fatal(err)
	}
	return u.Actor("", "")
}
