package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/ledger"
	"daftar/webhooks"
)

// at is a request for a path below /dashboard.
func at(path string, fields ...string) func(*asking) request {
	return func(*asking) request { return request{path: "/dashboard" + path, fields: fields} }
}

// below is a request for a path below the organisation.
func below(path string, fields ...string) func(*asking) request {
	return func(r *asking) request {
		return request{path: "/dashboard/" + r.of.org.ID.String() + path, fields: fields}
	}
}

func (r *asking) below(path string, fields ...string) request { return below(path, fields...)(r) }

func signingIn(r *asking) request {
	email := r.email
	if email == "" {
		email = r.of.email(accounts.RoleViewer)
	}
	return at("/sign-in", "email", email, "password", password)(r)
}

// endingSession signs the person in somewhere else first.
func endingSession(r *asking) request {
	if r.role == "" {
		return at("/account/sessions/" + uuid.NewString() + "/end")(r)
	}
	r.w.as(r.t, r.home.email(r.role))
	found := sessionForm.FindStringSubmatch(r.client.get("/dashboard/account").body)
	if found == nil {
		r.t.Fatal("there is no other session")
	}
	return at("/account/sessions/" + found[1] + "/end")(r)
}

func changingPassword(r *asking) request {
	const next = "nine blue boats at dawn"
	r.secret(next)
	return at("/account/password", "present", password, "password", next, "again", next)(r)
}

func confirmingFactor(r *asking) request {
	const path = "/account/second-factor"
	if r.role == "" {
		return at(path+"/confirm", "code", "123456")(r)
	}
	page := r.client.post("/dashboard"+path).is(r.t, http.StatusOK)
	r.shown(page)
	uri, err := url.Parse(page.form(r.t, path+"/confirm").Get("uri"))
	if err != nil {
		r.t.Fatal(err)
	}
	return at(path+"/confirm", "code", r.w.totp(r.t, uri.Query().Get("secret")))(r)
}

// withFactor turns on the user's second factor first.
func withFactor(path string) func(*asking) request {
	return func(r *asking) request {
		if r.role != "" {
			secret, codes := r.client.enrol()
			r.secret(append(codes, secret)...)
		}
		return at(path)(r)
	}
}

func (m *matrixRun) invite(b business, email string) (people.Invitation, string) {
	m.t.Helper()
	i, token, err := m.w.people.Invite(m.t.Context(), operator, b.org.ID, email, accounts.RoleViewer)
	if err != nil {
		m.t.Fatal(err)
	}
	m.secret(token)
	m.mark(b, i.ID.String(), email)
	return i, token
}

func newEmail() string { return "new-" + uuid.NewString() + "@new.example" }

func inviting(r *asking) request {
	return r.below("/people/invite", "email", newEmail(), "role", "viewer")
}

func revokingInvitation(r *asking) request {
	i, _ := r.invite(r.of, newEmail())
	return r.below("/people/invitations/" + i.ID.String() + "/revoke")
}

// invited is the link of an invitation to a third organisation.
func invited(r *asking) request {
	email := r.email
	if email == "" {
		email = newEmail()
	}
	_, token := r.invite(r.w.ours, email)
	delete(r.marks, r.w.ours.org.ID) // the link reveals it
	return at("/invitations/"+token, "password", password, "again", password)(r)
}

// resetting is the link by which the user, or a new one, chooses another password.
func resetting(r *asking) request {
	r.t.Helper()
	const next = "nine blue boats at dawn"
	email := r.email
	if email == "" {
		email = newEmail()
		r.person(r.of, email, accounts.RoleViewer)
	}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		r.t.Fatal(err)
	}
	sent := make(chan string, 1)
	p := people.New(r.w.pool, r.w.accounts, people.Options{
		SecretKey: key, Now: r.w.now, CheapPasswords: true, Letters: letters{sent: sent},
	})
	err = p.RequestReset(r.t.Context(), accounts.Actor{Address: uuid.NewString()}, email, locale.English)
	if err != nil { // from another network each time
		r.t.Fatal(err)
	}
	token := <-sent
	r.secret(token, next)
	return at("/reset/"+token, "password", next, "again", next)(r)
}

// aMember is a request about a new member.
func aMember(path string, fields ...string) func(*asking) request {
	return func(r *asking) request {
		u := r.person(r.of, newEmail(), accounts.RoleViewer)
		r.mark(r.of, u.ID.String(), u.Email)
		return r.below("/people/"+u.ID.String()+path, fields...)
	}
}

func anApplication(path string, fields ...string) func(*asking) request {
	return func(r *asking) request {
		return r.below("/applications/"+r.of.apps[r.app].ID.String()+path, fields...)
	}
}

// sendingTest records a try of the test webhook as soon as it is stored, as the sender
// would.
func sendingTest(r *asking) request {
	if r.role.Allows(accounts.SendWebhooks) && r.of.org.ID == r.home.org.ID {
		go r.tryTests([16]byte(r.of.apps[r.app].ID))
	}
	return anApplication("/test-webhook")(r)
}

func (m *matrixRun) tryTests(app [16]byte) {
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if tag, err := m.w.pool.Exec(ctx, tryTestsSQL, app, webhooks.TypeTest); err != nil ||
				tag.RowsAffected() > 0 {
				return
			}
		}
	}
}

const tryTestsSQL = `
INSERT INTO webhook_tries (delivery_uuid, attempt, at, duration, status, error, answer)
SELECT uuid, 1, now(), interval '120 milliseconds', 204, '', ''
FROM webhook_deliveries d
WHERE application_uuid = $1
  AND event = $2
  AND NOT EXISTS (SELECT FROM webhook_tries t WHERE t.delivery_uuid = d.uuid)`

func rolling(path string) func(*asking) request {
	return func(r *asking) request {
		c, err := r.w.accounts.CredentialsOf(r.t.Context(), operator, r.of.org.ID, r.of.apps[r.app].ID)
		if err != nil {
			r.t.Fatal(err)
		}
		since := c.KeyRolledAt
		if strings.Contains(path, "secret") {
			since = c.SecretRolledAt
		}
		return anApplication(path, "since", since.Format(time.RFC3339Nano))(r)
	}
}

func revokingToken(r *asking) request {
	token, value, err := r.w.accounts.CreateToken(r.t.Context(), operator, r.of.org.ID,
		accounts.TokenDraft{Name: "to be revoked"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.secret(value)
	r.mark(r.of, token.ID.String())
	return r.below("/tokens/" + token.ID.String() + "/revoke")
}

// intent makes a new intent, independent of the application's key.
func (r *asking) intent() domain.Intent {
	r.t.Helper()
	app := r.of.apps[r.app].ID
	row, _, err := r.w.ledger.Create(r.t.Context(), domain.Create{Terms: domain.Terms{
		Application: app, MerchantReference: domain.MerchantReference("order-" + uuid.NewString()),
		Amount: domain.Money{Minor: 7000, Currency: domain.LYD}, Description: "شاي",
	}}, r.namespaces[uuid.UUID(app)], ledger.Origin{Actor: "application:" + app.String()})
	if err != nil {
		r.t.Fatal(err)
	}
	i, err := r.w.ledger.Load(r.t.Context(), row.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	r.mark(r.of, i.ID.String(), i.Reference.Capitals(), string(i.MerchantReference))
	return i
}

func aPayment(r *asking) request { return r.below("/payments/" + r.intent().ID.String()) }

func paymentLink(r *asking) request {
	return r.below("/payments/" + r.intent().ID.String() + "/link")
}

func creatingLink(r *asking) request {
	return r.below("/links", "form", "MATRIX"+string(r.role), "application", r.of.apps[1].ID.String(), "amount",
		"25.500", "description", "By telephone")
}

// deciding is a request about money that waits for a decision.
func deciding(r *asking) request {
	open := r.strings(`
		SELECT x.intent_uuid || '/' || x.version
		FROM payment_exceptions x
		WHERE x.application_uuid = $1
		  AND NOT EXISTS (SELECT FROM payment_decisions d
		                  WHERE d.intent_uuid = x.intent_uuid AND d.version = x.version)
		ORDER BY 1
		LIMIT 1`, [16]byte(r.of.apps[0].ID))
	if len(open) == 0 {
		r.t.Fatal("there is nothing to decide")
	}
	return r.below("/decisions/"+open[0], "kind", "refunded", "note", "given back")
}

func writingNote(r *asking) request {
	return r.below("/payments/"+r.intent().ID.String()+"/notes", "form", uuid.NewString(), "note",
		"the customer asked")
}

func reconciling(r *asking) request {
	q := r.below("/reconcile", "acquirer", "moamalat")
	q.file = "MerchantReference,AmountTrxn,TxnDate\nnobody-knows-it,5000,2026-11-20\n"
	return q
}

func aDelivery(path string) func(*asking) request {
	return func(r *asking) request {
		id := r.w.recordDelivery(r.t, r.of, r.app, r.intent(), webhooks.StateFailed)
		r.mark(r.of, id.String())
		return r.below("/webhooks/deliveries/" + id.String() + path)
	}
}

func (r *asking) webhooksOf(path string, fields ...string) request {
	return r.below("/webhooks/applications/"+r.of.apps[r.app].ID.String()+path, fields...)
}

func enabling(r *asking) request {
	r.exec(`
		UPDATE webhook_endpoints
		SET failures = 34, failing_since = now() - interval '6 days',
		    disabled_at = now(), disabled_for = 'failing'
		WHERE application_uuid = $1`, [16]byte(r.of.apps[r.app].ID))
	return r.webhooksOf("/enable")
}

func replaying(r *asking) request {
	since := r.w.now().Add(-time.Hour).In(time.FixedZone("", 2*60*60)).Format("2006-01-02T15:04")
	return r.webhooksOf("/replay", "since", since)
}

// savingView saves a view of the list of payments under a new name.
func savingView(r *asking) request {
	return r.below("/payments/views", "name", uuid.NewString(), "query", "q=coffee")
}

// aView is a request about a view that the caller has just saved; of another user, if the caller
// has none.
func aView(path string) func(*asking) request {
	return func(r *asking) request {
		id, email := uuid.NewString(), r.email
		switch {
		case r.guest:
			email = "guest-" + r.of.org.ID.String()[:8] + "@both.example"
		case r.role == "":
			email = r.of.email(accounts.RoleOwner)
		}
		r.exec(`
			INSERT INTO saved_views (uuid, user_uuid, organization_uuid, name, query, created_at)
			SELECT $1, u.uuid, $2, $4, 'q=coffee', now()
			FROM users u
			WHERE u.email = $3`, id, r.of.org.ID, email, uuid.NewString())
		return r.below("/payments/views/"+id+path, "name", uuid.NewString())
	}
}
