package torture

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
)

// Faults of calls to Plutu, in addition to those of the links: the request is lost, the
// answer is lost, or the answer does not tell the outcome.
var (
	adfaliCalls = []string{"edfali/verify", "edfali/confirm", "edfali/confirm", "edfali/confirm"}
	adfaliLost  = []string{"drop_before", "drop_after", "error", "error_after", "html_after", "empty_after"}
)

// payByAdfali types a code at an acquirer without inquiry. An operator settles attempts
// whose answer was lost.
func (c *crowd) payByAdfali(ctx context.Context, d dice, client int, t ticket) {
	if d.in(30) {
		fault := fmt.Sprintf(`{"call":%q,"faults":[%q]}`, pick(d, adfaliCalls), pick(d, adfaliLost))
		err := c.plutu.control(ctx, http.MethodPost, "/control/faults", fault, nil)
		if err != nil && ctx.Err() == nil {
			c.complainf("Plutu cannot be set up: %v", err)
		}
	}
	// The fake treats numbers whose last seven digits begin with a zero specially.
	phone := fmt.Sprintf("091%07d", 1_000_000+d.IntN(9_000_000))
	q := c.submit(ctx, d, client, t, "/attempts", url.Values{"method": {"adfali"}, "phone": {phone}})
	if q.Status != http.StatusSeeOther {
		return
	}
	if d.in(15) {
		c.enter(ctx, d, client, t, "2222")
	}
	if d.in(95) { // the others close the window
		c.enter(ctx, d, client, t, "1111")
	}
	c.retrieve(ctx, d, client, t)
}

var payloadForm = regexp.MustCompile(`data-payload="([^"]+)"`)

// payByQR approves a code in the app of the payer's bank. The service finds a second credit
// under one reference only when the bank's statement is reconciled, so each intent is paid
// in this way by one payer only.
func (c *crowd) payByQR(ctx context.Context, d dice, client int, t ticket) {
	c.mu.Lock()
	taken := c.scanned[t.uuid]
	c.scanned[t.uuid] = true
	c.mu.Unlock()
	if taken {
		return
	}
	q := c.submit(ctx, d, client, t, "/attempts", url.Values{"method": {"lypay"}})
	if q.Status != http.StatusSeeOther {
		return
	}
	switch n := d.IntN(100); {
	case n < 10:
		c.submit(ctx, d, client, t, "/give-up", url.Values{})
		return
	case n < 15:
		return // closes the window
	}
	c.scan(ctx, d, client, t)
	if d.in(50) {
		c.form(ctx, client, t, c.frontDoor(), t.path, nil)
	}
	c.retrieve(ctx, d, client, t)
}

// scan pays the code of a page, if the page shows one. Some notices are lost, and some come
// together with false ones.
func (c *crowd) scan(ctx context.Context, d dice, client int, t ticket) {
	page := c.form(ctx, client, t, c.frontDoor(), t.path, nil)
	shown := payloadForm.FindSubmatch(page.Answer)
	if shown == nil {
		return
	}
	scan := map[string]any{"payload": html.UnescapeString(string(shown[1]))}
	switch n := d.IntN(100); {
	case n < 20:
		scan["notices"] = []string{}
	case n < 30:
		scan["notices"] = []string{"forged", "other_amount", "right", "right", "unsigned"}
	}
	text, err := json.Marshal(scan)
	if err != nil {
		panic("torture: a scan is not JSON: " + err.Error())
	}
	var made struct {
		Transfers []struct {
			Reference string `json:"payment_reference"`
		}
	}
	if err := c.lypay.control(ctx, http.MethodPost, "/control/scan", string(text), &made); err != nil {
		if ctx.Err() == nil {
			c.complainf("a QR code cannot be paid: %v", err)
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range made.Transfers {
		c.transfers = append(c.transfers, one.Reference)
	}
}

// sendFalseNotices makes LYPay repeat the notices of a transfer among false ones (F11).
func (c *crowd) sendFalseNotices(ctx context.Context, d dice) error {
	c.mu.Lock()
	transfers := c.transfers
	c.mu.Unlock()
	if len(transfers) == 0 {
		return nil
	}
	const notices = `{"notices":["right","right","other_amount","other_payee","unknown",` +
		`"forged","reserialised","unsigned","doubled","status"]}`
	return c.lypay.control(ctx, http.MethodPost, "/control/transfers/"+pick(d, transfers), notices, nil)
}
