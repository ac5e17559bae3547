package checkout

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/transparency"
)

// ReceiptPrefix begins the paths at which anyone who has a receipt can check it.
const ReceiptPrefix = "/receipt/"

// How many proofs and pictures of receipts a network may request: proofBurst at once, then one a
// second; a wider network web.Allowances times as many. A proof costs some ten statements and a
// picture some milliseconds, and links may be given to anyone.
const (
	proofBurst     = 60
	proofPerSecond = 1
)

// receiptToken is the secret part of the address of an intent's receipt. It is derived one-way
// from the checkout's token: anyone who gets the receipt cannot open the payer's page. It needs
// no key, so that receipts on paper stay valid when keys change.
func receiptToken(i domain.Intent) string {
	mac := hmac.New(sha256.New, []byte(i.CheckoutToken))
	mac.Write([]byte("receipt of " + i.ID.String()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// ReceiptPath is the path, below the public address, at which anyone can check the receipt of a
// paid intent. For an unpaid intent it is not found.
func ReceiptPath(i domain.Intent) string {
	return ReceiptPrefix + i.ID.String() + "/" + receiptToken(i)
}

// proven are the events that prove a receipt: the creation with the amount, and the payment.
type proven struct {
	created, paid eventstore.Recorded
}

// findReceipt finds the paid intent of a receipt's address. The error for an invalid link is
// ledger.ErrNotFound, whatever is wrong with it.
func (c *Checkout) findReceipt(ctx context.Context, r *http.Request) (domain.Intent, proven, error) {
	id, err := domain.ParseIntentID(mux.Vars(r)["uuid"])
	if err != nil {
		return domain.Intent{}, proven{}, ledger.ErrNotFound
	}
	events, err := eventstore.NewReader(c.reads).ReadStream(ctx, uuid.UUID(id))
	if err != nil {
		return domain.Intent{}, proven{}, err
	}
	if len(events) == 0 || !domain.OfIntent(events[0].Type) {
		return domain.Intent{}, proven{}, ledger.ErrNotFound
	}
	i, err := domain.Replay(id, events)
	if err != nil {
		return domain.Intent{}, proven{}, err
	}
	if subtle.ConstantTimeCompare([]byte(receiptToken(i)), []byte(mux.Vars(r)["token"])) != 1 {
		return domain.Intent{}, proven{}, ledger.ErrNotFound
	}
	for _, e := range events {
		if kind, known := facts.Named(e.Type); known && kind.Money == facts.Received {
			return i, proven{created: events[0], paid: e}, nil
		}
	}
	return domain.Intent{}, proven{}, ledger.ErrNotFound
}

// include proves the receipt of a request by the log. The inclusion is nil if no checkpoint
// covers the payment yet; one does within seconds.
func (c *Checkout) include(r *http.Request) (domain.Intent, *transparency.Inclusion, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	i, events, err := c.findReceipt(ctx, r)
	if err != nil {
		return i, nil, err
	}
	in, err := transparency.Include(ctx, c.reads, events.created, events.paid)
	if errors.Is(err, transparency.ErrUncovered) || errors.Is(err, transparency.ErrNoCheckpoint) {
		return i, nil, nil
	}
	if err != nil {
		return i, nil, fmt.Errorf("prove receipt of %s: %w", i.ID, err)
	}
	return i, &in, nil
}

// proveReceipt answers GET of a receipt's address. The page has the contents of the receipt
// without data of the payer.
func (c *Checkout) proveReceipt(w http.ResponseWriter, r *http.Request) error {
	i, in, err := c.include(r)
	if err != nil {
		return err
	}
	order, _, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	paid, _ := i.Attempt(i.PaidBy)
	s := Proof{
		Order: Order{
			Merchant: order.Merchant, Mode: order.Mode, Amount: i.Amount, Reference: i.Reference,
			Brand: order.Brand,
		},
		PaidAt:   paid.EndedAt,
		Refunded: refunded(i),
	}
	if in != nil {
		s.Evidence = &Evidence{
			Size: in.Size, SignedAt: in.SignedAt, Root: in.Root.String(),
			File: ReceiptPath(i) + "/proof.json",
		}
		for _, leaf := range in.Leaves {
			s.Evidence.Positions = append(s.Evidence.Positions, leaf.Position)
		}
	}
	c.renderPage(w, r, http.StatusOK, Page{State: s, Address: ReceiptPath(i)})
	return nil
}

// refunded is the refunded amount of the receipt's payment; refunds of a second payment do not
// count.
func refunded(i domain.Intent) domain.Money {
	return domain.Money{Minor: i.Amount.Minor - i.Refundable(i.PaidBy).Minor, Currency: i.Amount.Currency}
}

// serveProof answers GET of the proof as a file for programs: hashes and numbers.
func (c *Checkout) serveProof(w http.ResponseWriter, r *http.Request) error {
	_, in, err := c.include(r)
	if err != nil {
		return err
	}
	if in == nil {
		return ledger.ErrNotFound
	}
	return answerJSON(w, in)
}

// rateLimited limits the requests of a network for proofs and pictures.
func (c *Checkout) rateLimited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait := c.proofLimits.Take(web.ClientAddress(r)); wait > 0 {
			w.Header().Set("Retry-After", web.RetryAfter(wait))
			c.render(w, r, http.StatusTooManyRequests, Unavailable{})
			return
		}
		next.ServeHTTP(w, r)
	})
}
