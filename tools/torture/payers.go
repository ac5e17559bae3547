package torture

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"daftar/tools/torture/history"
)

// The last digits of phone numbers, by which the sandbox acquirer decides how to behave, and
// the codes that payers type.
const (
	phoneOrdinary = '0'
	phoneHangPaid = '1'
	phoneHang     = '2'
	phonePending  = '3'
	phoneDeclined = '4'
	phoneThrice   = '5'

	codeRight    = "111111"
	codeDeclined = "000000"
	codeWrong    = "222222"
)

// runPayer is one payer: it makes one checkout after the other.
func (c *crowd) runPayer(ctx context.Context, d dice) {
	client := c.number()
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-c.payable:
			c.pay(ctx, d, client, t)
		}
	}
}

// pay goes through the checkout in one of the ways that payers go.
func (c *crowd) pay(ctx context.Context, d dice, client int, t ticket) {
	if d.in(40) {
		c.form(ctx, client, t, c.frontDoor(), t.path, nil)
	}
	switch n := d.IntN(100); {
	case n < 8:
		c.payByCard(ctx, d, client, t)
		return
	case n < 16:
		c.payTwice(ctx, d, client, t)
		return
	case n < 28 && t.amount%10 == 0: // Plutu takes two decimals
		c.payByAdfali(ctx, d, client, t)
		return
	case n < 40:
		c.payByQR(ctx, d, client, t)
		return
	}
	phone := pick(d, []rune{
		phoneOrdinary, phoneOrdinary, phoneOrdinary, phoneOrdinary, phoneOrdinary, phoneOrdinary,
		phoneHangPaid, phoneHang, phonePending, phoneDeclined, phoneThrice,
	})
	if !c.begin(ctx, d, client, t, phone) {
		return
	}
	code := codeRight
	switch n := d.IntN(100); {
	case n < 10:
		code = codeDeclined
	case n < 20:
		c.enter(ctx, d, client, t, codeWrong)
	case n < 24:
		return // closes the window
	}
	c.enter(ctx, d, client, t, code)
	switch {
	case phone == phonePending && code == codeRight:
		c.decideLater(ctx, d, t, "paid")
	case phone == phoneDeclined && d.in(30):
		c.decideLater(ctx, d, t, "paid")
	case phone == phoneHangPaid || phone == phoneHang:
		c.leftWithoutAnswer(t.uuid)
	}
	if d.in(50) {
		c.form(ctx, client, t, c.frontDoor(), t.path, nil)
	}
	c.retrieve(ctx, d, client, t)
}

// begin chooses the wallet and reports whether an attempt may have begun.
func (c *crowd) begin(ctx context.Context, d dice, client int, t ticket, phone rune) bool {
	q := c.submit(ctx, d, client, t, "/attempts", wallet(d, phone))
	return q.Status == http.StatusSeeOther
}

// wallet is the form with a phone number that ends with the given digit. There are a
// thousand of each, because the service limits the codes per number and hour.
func wallet(d dice, phone rune) url.Values {
	return url.Values{"method": {"wallet"}, "phone": {fmt.Sprintf("096000%03d%c", d.IntN(1000), phone)}}
}

// enter types a code.
func (c *crowd) enter(ctx context.Context, d dice, client int, t ticket, code string) {
	c.submit(ctx, d, client, t, "/code", url.Values{"otp": {code}})
}

// submit sends a form, and repeats it a few times after errors, as a payer does.
func (c *crowd) submit(
	ctx context.Context, d dice, client int, t ticket, step string, fields url.Values,
) history.Request {
	for n := 0; ; n++ {
		q := c.form(ctx, client, t, c.frontDoor(), t.path+step, fields)
		if q.Status != 0 && q.Status < 500 {
			return q
		}
		c.leftWithoutAnswer(t.uuid)
		if n == 3 || !wait(ctx, d.between(200*time.Millisecond, time.Second)) {
			return q
		}
	}
}

// payTwice sends every form from two windows at once, to two servers.
func (c *crowd) payTwice(ctx context.Context, d dice, client int, t ticket) {
	both := func(step string, fields url.Values) {
		var windows sync.WaitGroup
		for _, to := range c.doors()[:2] {
			windows.Go(func() { c.form(ctx, client, t, to, t.path+step, fields) })
		}
		windows.Wait()
	}
	both("/attempts", wallet(d, phoneOrdinary))
	both("/code", url.Values{"otp": {codeRight}})
	c.recorder.Count(countTwice, 1)
}

// payByCard goes to the bank's page and presses one of its buttons.
func (c *crowd) payByCard(ctx context.Context, d dice, client int, t ticket) {
	q := c.submit(ctx, d, client, t, "/attempts", url.Values{"method": {"card"}})
	if q.Status != http.StatusSeeOther {
		return
	}
	for _, p := range c.paymentsOf(ctx, t.uuid) {
		if p.State == "pending" {
			button := pick(d, []string{"pay", "pay", "pay", "decline", "leave"})
			_ = c.bank.press(ctx, p.ID, button) // after an error the payer leaves
		}
	}
	c.form(ctx, client, t, c.frontDoor(), t.path, nil) // the way back
}

func (c *crowd) paymentsOf(ctx context.Context, intent string) []payment {
	all, err := c.bank.payments(ctx, intent)
	if err != nil && ctx.Err() == nil {
		c.complainf("the acquirer's control does not answer: %v", err)
	}
	return all
}

// decideLater makes the acquirer decide, or change its decision, after a moment.
func (c *crowd) decideLater(ctx context.Context, d dice, t ticket, outcome string) {
	wait(ctx, d.between(100*time.Millisecond, 2*time.Second))
	for _, p := range c.paymentsOf(ctx, t.uuid) {
		if p.State == "paid" {
			continue
		}
		err := c.bank.settle(ctx, p.ID, outcome)
		if err != nil && !strings.Contains(err.Error(), "409") && ctx.Err() == nil {
			c.complainf("the acquirer cannot be set up: %v", err)
		}
	}
}

// shortLife runs do in the background, which creates an intent that expires within seconds.
// The capacity of lives limits how many run at a time.
func (c *crowd) shortLife(ctx context.Context, seed uint64, do func(context.Context, *crowd, dice)) {
	select {
	case c.lives <- struct{}{}:
	default:
		return
	}
	c.background.Go(func() {
		defer func() { <-c.lives }()
		do(ctx, c, newDice(seed, 0))
	})
}

// createShort creates an intent at the server whose clock is behind, which is the only one
// to accept such an expires_at. It tries there a few times.
func (c *crowd) createShort(
	ctx context.Context, d dice, client int, life time.Duration,
) (ticket, time.Time, bool) {
	t := c.anyTenant(d)
	expires := time.Now().Add(life).Truncate(time.Microsecond)
	reference := "s-" + randomHex(6)
	q := history.Request{
		Client: client, Kind: history.Create, Reference: reference, Sent: bodyOf(d, reference, expires),
	}
	for range 4 {
		answer := c.api(ctx, q, doorOf(c.early), http.MethodPost, "/payment-intents", t)
		if c.definite(answer) {
			if answer.Status == http.StatusCreated || answer.Status == http.StatusOK {
				c.acknowledged.Add(1)
			}
			found, ok := ticketOf(t, answer.Answer)
			return found, expires, ok
		}
		if !wait(ctx, 100*time.Millisecond) {
			break
		}
	}
	return ticket{}, expires, false
}

// letExpire creates an intent that is not paid.
func letExpire(ctx context.Context, c *crowd, d dice) {
	client := c.number()
	t, expires, ok := c.createShort(ctx, d, client, d.between(2*time.Second, 6*time.Second))
	if !ok {
		return
	}
	wait(ctx, time.Until(expires)+d.between(-time.Second, 3*time.Second))
	got, ok := c.retrieve(ctx, d, client, t)
	if ok && time.Now().After(expires.Add(apiLimit)) && got.Status != "canceled" {
		c.complainf("%s expired at %v and is %s", t.uuid, expires, got.Status)
	}
}

// payLate makes a payment that is declined before the intent expires, and taken afterwards.
func payLate(ctx context.Context, c *crowd, d dice) {
	client := c.number()
	t, expires, ok := c.createShort(ctx, d, client, d.between(3*time.Second, 6*time.Second))
	if !ok || !c.begin(ctx, d, client, t, phoneDeclined) {
		return
	}
	c.enter(ctx, d, client, t, codeRight)
	if !wait(ctx, time.Until(expires)+500*time.Millisecond) {
		return
	}
	c.retrieve(ctx, d, client, t)
	c.decideLater(ctx, d, t, "paid")
	wait(ctx, 500*time.Millisecond)
	c.retrieve(ctx, d, client, t)
}

// payAtTheEnd sends the code just when the intent expires, while others read the intent at
// three servers (F12).
func payAtTheEnd(ctx context.Context, c *crowd, d dice) {
	client := c.number()
	t, expires, ok := c.createShort(ctx, d, client, 4*time.Second)
	if !ok || !c.begin(ctx, d, client, t, phoneOrdinary) {
		return
	}
	if !wait(ctx, time.Until(expires)) {
		return
	}
	var all sync.WaitGroup
	all.Go(func() {
		wait(ctx, d.between(0, 3*time.Millisecond))
		c.enter(ctx, newDice(d.Uint64(), 0), client, t, codeRight)
	})
	for n, to := range c.doors() {
		reader := c.number()
		all.Go(func() {
			wait(ctx, time.Duration(n)*time.Millisecond)
			q := history.Request{Client: reader, Kind: history.Read, Reference: t.reference, Intent: t.uuid}
			c.api(ctx, q, to, http.MethodGet, "/payment-intents/"+t.uuid, t.tenant)
		})
	}
	all.Wait()
	c.recorder.Count(countExpiryRaces, 1)
	c.retrieve(ctx, d, client, t)
}
