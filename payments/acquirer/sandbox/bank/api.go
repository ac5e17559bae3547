package bank

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"regexp"
	"time"

	"github.com/gorilla/mux"

	"daftar/domain"
	"daftar/internal/locale"
)

// open answers POST /v1/payments.
func (b *Bank) open(r *http.Request) (answer, error) {
	var req openRequest
	if err := read(r, &req); err != nil {
		return answer{}, err
	}
	wanted, declined, err := checkOpening(req)
	if err != nil {
		return answer{}, err
	}
	if declined != "" {
		return answer{http.StatusUnprocessableEntity, paymentAnswer{
			ID: req.ID, Intent: wanted.Intent, Amount: req.Amount, Currency: req.Currency,
			State: stateDeclined, Reason: declined,
		}}, nil
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.config.Clock()
	status := http.StatusOK
	p, known := b.books.payments[req.ID]
	if !known {
		wanted.Reference = "SB" + rand.Text()[:14]
		if err := b.change(record{At: now, Op: opOpened, ID: req.ID, Opening: &wanted}); err != nil {
			return answer{}, err
		}
		status, p = http.StatusCreated, b.books.payments[req.ID]
	}
	if p.Intent != wanted.Intent || p.Method != wanted.Method || p.Amount != wanted.Amount ||
		p.Currency != wanted.Currency {
		return answer{}, refuse(http.StatusConflict, "another payment has this id")
	}
	described := p.describe(now)
	if described.State != stateDeclined {
		described.Next = b.nextStep(p, now)
	}
	return answer{status, described}, nil
}

// checkOpening returns the requested payment, or why the bank declines it without opening
// it. The error is a refusal.
func checkOpening(req openRequest) (o opening, declined string, err error) {
	intent, err := domain.ParseIntentID(req.Intent)
	switch {
	case !paymentID.MatchString(req.ID):
		return o, "", refuse(http.StatusBadRequest, "the field id needs 10 to 36 ASCII letters and digits")
	case err != nil:
		return o, "", refuse(http.StatusBadRequest, "the field intent is no uuid")
	case req.Currency != string(domain.LYD):
		return o, "", refuse(http.StatusBadRequest, "the field currency is not LYD")
	case req.Method != methodWallet && req.Method != methodCard:
		return o, "", refuse(http.StatusBadRequest, "the field method is neither wallet nor card")
	case req.Language != "" && req.Language != "ar" && req.Language != "en":
		return o, "", refuse(http.StatusBadRequest, "the field language is neither ar nor en")
	case (req.ReturnURL != "" || req.Method == methodCard) && !isWebURL(req.ReturnURL):
		return o, "", refuse(http.StatusBadRequest, "the field return_url is no absolute http or https URL")
	case req.NotifyURL != "" && !isWebURL(req.NotifyURL):
		return o, "", refuse(http.StatusBadRequest, "the field notify_url is no absolute http or https URL")
	}
	o = opening{openRequest: req, Behaviour: ordinary}
	o.Intent, o.Language, o.Phone = intent.String(), cmp.Or(req.Language, "ar"), ""
	if req.Amount < 1 || req.Amount > domain.MaxAmount {
		return o, reasonAmount, nil
	}
	if req.Method == methodWallet {
		phone, ok := locale.LibyanMobile(req.Phone)
		if !ok {
			return o, reasonPhoneRefused, nil
		}
		o.Phone, o.Behaviour = locale.MaskPhone(phone), behaviourOf(phone)
	}
	return o, "", nil
}

// paymentID is the form of the ids that merchants may choose; they are part of paths.
var paymentID = regexp.MustCompile(`^[0-9A-Za-z]{10,36}$`)

func (b *Bank) nextStep(p *payment, now time.Time) *nextStep {
	if p.Method == methodCard {
		return &nextStep{Kind: "page", URL: b.config.PublicURL + pagePath(p.ID, p.Language)}
	}
	left := p.codeAt.Add(codeLife).Sub(now)
	validFor := int64(max(left, 0) / time.Second)
	return &nextStep{Kind: "code", SentTo: p.Phone, Digits: codeDigits, ValidFor: validFor}
}

// inquire answers GET /v1/payments/{id}.
func (b *Bank) inquire(p *payment, now time.Time) (answer, error) {
	return answer{http.StatusOK, p.describe(now)}, nil
}

// confirm answers POST /v1/payments/{id}/confirm.
func (b *Bank) confirm(r *http.Request) (answer, error) {
	var req confirmRequest
	if err := read(r, &req); err != nil {
		return answer{}, err
	}
	if req.Code == nil {
		return answer{}, refuse(http.StatusBadRequest, "the field code is missing")
	}
	silent := false
	result, err := b.onPayment(r, func(p *payment, now time.Time) (answer, error) {
		described, noAnswer, err := b.enterCode(p, *req.Code, now)
		silent = noAnswer
		if described.State == statePending {
			return answer{http.StatusAccepted, described}, err
		}
		return answer{http.StatusOK, described}, err
	})
	if silent {
		return answer{}, b.holdRequest(r)
	}
	return result, err
}

// enterCode changes the payment by the code. silent says that the client gets no answer,
// although the books may have changed. b.mu is held.
func (b *Bank) enterCode(
	p *payment, code string, now time.Time,
) (described paymentAnswer, silent bool, err error) {
	if p.Method != methodWallet {
		return paymentAnswer{}, false, refuse(http.StatusConflict, "this payment is decided on the bank page")
	}
	if !p.wantsCode(now) {
		return p.describe(now), false, nil
	}
	rec, silent := afterCode(p, code, now)
	if err := b.change(rec); err != nil {
		return paymentAnswer{}, false, err
	}
	if silent {
		return paymentAnswer{}, true, nil
	}
	described = p.describe(now)
	if rec.Op == opWrongCode && described.State == statePending {
		described.State, described.TriesLeft = stateWrongCode, wrongCodesMax-p.wrongCodes
		return described, false, nil
	}
	b.notifyDecided(p, described.State)
	if p.willBePaid() {
		b.payLater(p)
	}
	return described, false, nil
}

// willBePaid reports whether a payment that was declined is one that is paid after all.
func (p *payment) willBePaid() bool {
	return p.Behaviour == paysLate && p.declined == reasonFunds && p.takenAt.IsZero()
}

// payLater takes the money of a declined payment after a while, unless control did before.
func (b *Bank) payLater(p *payment) {
	b.late.Go(func() {
		wait := time.NewTimer(b.config.LateAfter)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-b.closed.Done():
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if !p.takenAt.IsZero() {
			return
		}
		now := b.config.Clock()
		if err := b.change(record{At: now, Op: opPaid, ID: p.ID, ShownAt: now}); err != nil {
			b.config.Logger.Error().Err(err).Str("payment", p.ID).Msg("declined payment not paid after all")
			return
		}
		b.notifyOnce(p, statePaid)
	})
}

// afterCode returns the change that a code causes to an open wallet payment, and whether the
// bank does not answer after it.
func afterCode(p *payment, code string, now time.Time) (rec record, silent bool) {
	rec = record{At: now, ID: p.ID}
	if code == declinedCode {
		rec.Op, rec.Reason = opDeclined, reasonDeclined
		return rec, false
	}
	if code != rightCode {
		rec.Op = opWrongCode
		return rec, false
	}
	switch p.Behaviour {
	case takesAndHangs:
		rec.Op, rec.ShownAt = opPaid, now.Add(hiddenFor)
		return rec, true
	case hangs:
		rec.Op, rec.Reason = opDeclined, reasonTimedOut
		return rec, true
	case staysPending:
		rec.Op = opHeld
	case isDeclined, paysLate:
		rec.Op, rec.Reason = opDeclined, reasonFunds
	case ordinary, notifiesThrice, refusesRefunds, refundsSlowly, refundsAndHangs:
		rec.Op, rec.ShownAt = opPaid, now
	}
	return rec, false
}

// holdRequest holds the request until the client goes away, the bank closes, or HoldLimit has
// passed.
func (b *Bank) holdRequest(r *http.Request) error {
	b.pause(r, b.config.HoldLimit)
	return refuse(http.StatusGatewayTimeout, "the wallet did not answer in time")
}

// pause waits, or until the client goes away or the bank closes. It reports whether all of the
// time has passed.
func (b *Bank) pause(r *http.Request, d time.Duration) bool {
	end := time.NewTimer(d)
	defer end.Stop()
	select {
	case <-r.Context().Done():
	case <-b.closed.Done():
	case <-end.C:
		return true
	}
	return false
}

// ofPayment serves the payment in the path.
func (b *Bank) ofPayment(do func(*payment, time.Time) (answer, error)) func(*http.Request) (answer, error) {
	return func(r *http.Request) (answer, error) { return b.onPayment(r, do) }
}

// onPayment calls do with the payment in the path, with b.mu held. Its 404 has an error code
// that no other 404 has: the client concludes from it that no money was taken.
func (b *Bank) onPayment(r *http.Request, do func(*payment, time.Time) (answer, error)) (answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := mux.Vars(r)["id"]
	p, known := b.books.payments[id]
	if !known {
		return answer{}, refusal{http.StatusNotFound, problemAnswer{
			Message: "the bank knows no payment of this id", Error: errorPaymentNotFound, ID: id,
		}}
	}
	return do(p, b.config.Clock())
}

// describe returns the payment as an inquiry reports it.
func (p *payment) describe(now time.Time) paymentAnswer {
	state, reason := p.status(now)
	return paymentAnswer{
		ID: p.ID, Intent: p.Intent, Amount: p.Amount, Currency: p.Currency,
		State: state, Reason: reason, Reference: p.Reference,
	}
}
