package checkout

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"daftar/checkout/receiptpicture"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/ledger"
)

// receiptPicture is the path of a receipt's picture below that of its page. It has what the page
// says of the order, and nothing of the payer, so that it can be given to anyone.
const receiptPicture = "/receipt.png"

// drawingMax is how many pictures are drawn at once, each in some 4 MB. The others wait.
const drawingMax = 2

// pictureAge is how long a browser keeps a picture without asking: a second payment, which changes
// it, is rare.
const pictureAge = "private, max-age=600"

// appBrowsers are what the browsers inside Facebook, Messenger and Instagram, and any on Android,
// have in the name that they send.
var appBrowsers = []string{"FBAN/", "FBAV/", "Instagram ", "; wv)"}

// isInApp reports whether a browser is a part of an app.
func isInApp(userAgent string) bool {
	for _, name := range appBrowsers {
		if strings.Contains(userAgent, name) {
			return true
		}
	}
	return false
}

// serveReceiptPicture answers GET of the picture. An intent that is not paid has none.
func (c *Checkout) serveReceiptPicture(w http.ResponseWriter, r *http.Request) error {
	_, s, err := c.state(r)
	if err != nil {
		return err
	}
	paid, is := s.(Receipt)
	if !is {
		return ledger.ErrNotFound
	}
	picture, err := c.drawReceipt(r.Context(), Page{Lang: locale.LangFrom(r), Sandbox: c.sandbox(), State: paid})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(picture)
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", pictureAge)
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture))
	return nil
}

// drawReceipt waits for its turn and draws. It gives up when the answer would come too late.
func (c *Checkout) drawReceipt(ctx context.Context, p Page) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	select {
	case c.drawing <- struct{}{}:
		defer func() { <-c.drawing }()
		return p.Picture()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Picture draws the receipt that a page shows, as a PNG. It panics for a page of another state.
func (p Page) Picture() ([]byte, error) {
	s, is := p.State.(Receipt)
	if !is {
		panic("checkout: picture of a page without a receipt")
	}
	s.Reopened = false // a picture does not tell when it was made
	p.State = s
	r := p.rendering()
	words := r.T.Receipt
	picture := receiptpicture.Receipt{
		RTL:     p.Lang == locale.Arabic,
		Shop:    r.Order.Merchant,
		Title:   s.frame(r.T).title,
		Warning: s.NeedsAttention(),
		Amount:  locale.AmountText(p.Lang, r.Order.Amount),
		Words:   locale.AmountInWords(p.Lang, r.Order.Amount),
		Rows: []receiptpicture.Row{
			{Label: r.T.Reference, Value: r.Order.Reference.Capitals()},
			{Label: r.T.For, Value: r.Order.Description},
			{Label: words.PaidAt, Value: locale.MomentText(p.Lang, s.PaidAt)},
			{Label: words.PaidWith, Value: r.MethodName(s.Method)},
		},
		CheckURL: r.CheckURL(),
		Check:    words.Scan,
	}
	if r.Sandbox {
		picture.Test = r.TestMode()
	}
	if u, err := url.Parse(picture.CheckURL); err == nil {
		picture.Host = u.Host
	}
	return receiptpicture.Draw(picture)
}

// ReceiptText is the receipt as a message, without data of the payer.
func (r rendering) ReceiptText() string {
	s, paid := r.State.(Receipt)
	if !paid {
		return ""
	}
	lines := []string{
		r.T.Receipt.Title + ": " + locale.AmountText(r.Lang, r.Order.Amount),
		r.T.Receipt.PaidTo + ": " + locale.Isolate(r.Order.Merchant),
		r.T.Receipt.PaidAt + ": " + locale.MomentText(r.Lang, s.PaidAt),
		r.T.Reference + ": " + r.Order.Reference.Capitals(),
	}
	if check := r.CheckURL(); check != "" {
		lines = append(lines, r.T.Receipt.Check+":", check)
	}
	return strings.Join(lines, "\n")
}

// SendURL opens WhatsApp with that message; the customer chooses to whom.
func (r rendering) SendURL() template.URL { return layout.WhatsAppURL("", r.ReceiptText()) }
