package checkout_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/books"
	"daftar/checkout"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/transparency"
)

// sign builds and signs the log's tree as it is now; once in a test.
func (w *world) sign() {
	w.t.Helper()
	reader := eventstore.NewReader(w.pool)
	head, err := reader.Head(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	events, err := reader.ReadRange(w.t.Context(), 0, head, int(head))
	if err != nil {
		w.t.Fatal(err)
	}
	err = pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return transparency.Group().Handle(w.t.Context(), tx, events)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := transparency.LoadKey(w.t.Context(), w.pool, secretKey(w.t), "pay.example.ly", time.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	notary, err := transparency.New(w.t.Context(), transparency.Config{
		Pool: w.pool, Key: key, Now: time.Now, Log: zerolog.Nop(), Registerer: prometheus.NewRegistry(),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	running.Go(func() { notary.Run(ctx) })
	w.eventually("the log is signed", func() bool {
		c, err := transparency.Latest(ctx, w.pool)
		return err == nil && c.Size == head
	})
	stop()
	running.Wait()
}

// receiptOf is the address at which the receipt of a paid intent is checked, from the link on its
// page.
func (w *world) receiptOf(i domain.Intent) string {
	w.t.Helper()
	for _, a := range w.want(w.visit(path(i)), 200, "receipt").document.all("a") {
		address, ours := strings.CutPrefix(a.attr("href"), w.url)
		if ours && strings.HasPrefix(address, checkout.ReceiptPrefix) {
			return address
		}
	}
	w.t.Fatal("the receipt leads to no proof")
	return ""
}

func (w *world) pay(i domain.Intent) domain.Intent {
	w.t.Helper()
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
	return w.load(i.ID)
}

// The proof has the contents of the receipt without data of the payer; before a checkpoint
// covers the payment it does not confirm the receipt.
func TestReceiptIsProved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.pay(w.create())
	address := w.receiptOf(i)
	contains(t, w.want(w.visit(address), 200, "proof"), "ولم تُوقَّع بعد")
	w.want(w.visit(address+"/proof.json"), 404, "not-found")

	w.sign()
	for _, lang := range []string{"", "?lang=en"} {
		page := w.want(w.visit(address+lang), 200, "proof")
		contains(t, page, "45.750", i.Reference.Capitals(), merchant)
		secrets := []string{"5678", "كتابان", "shop.example", string(i.CheckoutToken), string(i.PaidBy)}
		for _, hidden := range secrets {
			if strings.Contains(page.body, hidden) {
				t.Errorf("the proof has %q", hidden)
			}
		}
	}
	contains(t, w.visit(address), "هذا الإيصال صحيح")

	file := w.visit(address + "/proof.json")
	var in transparency.Inclusion
	err := json.Unmarshal([]byte(file.body), &in)
	if err != nil || len(in.Leaves) != 2 || in.Format != transparency.InclusionFormat {
		t.Errorf("the file has %q, %v", file.body, err)
	}
	for _, hidden := range []string{i.ID.String(), string(i.CheckoutToken), "5678"} {
		if strings.Contains(file.body, hidden) {
			t.Errorf("the file has %q", hidden)
		}
	}
}

// A receipt's address does not lead to another receipt or to the payer's page, and an unpaid intent
// has no receipt.
func TestReceiptsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, other, open := w.pay(w.create()), w.pay(w.create()), w.create()
	address := w.receiptOf(paid)
	token := address[strings.LastIndex(address, "/")+1:]
	if len(token) < 22 || strings.Contains(w.receiptOf(other), token) {
		t.Errorf("token %q", token)
	}
	account := books.Key{Mode: domain.ModeLive, Acquirer: "sandbox"}
	fee := books.ScheduleFee{Method: "card", From: domain.DayOf(time.Now())}
	if _, err := w.ledger.Book(t.Context(), account, fee, ledger.Origin{Actor: "user:7"}); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{
		checkout.ReceiptPrefix + account.StreamID().String() + "/" + token,
		checkout.ReceiptPrefix + other.ID.String() + "/" + token,
		checkout.ReceiptPrefix + open.ID.String() + "/" + token,
		checkout.ReceiptPrefix + paid.ID.String() + "/" + string(paid.CheckoutToken),
		checkout.ReceiptPrefix + paid.ID.String() + "/" + token[:21] + "!",
		checkout.ReceiptPrefix + "x/" + token,
		checkout.ReceiptPrefix,
	} {
		contains(t, w.want(w.visit(wrong), 404, "not-found"), "لا يوجد إيصال بهذا الرابط")
	}
	w.want(w.visit("/pay/"+paid.ID.String()+"/"+token), 404, "not-found")
	w.want(w.visit("/pay/"+account.StreamID().String()+"/"+token), 404, "not-found")
}

func TestProofsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.pay(w.create())
	address := w.receiptOf(i)
	w.stopLinkClock()
	for range checkout.ProofBurst {
		if s := w.from("203.0.113.7", address); s.status != 200 {
			t.Fatalf("a proof: %d", s.status)
		}
	}
	refused := w.want(w.from("203.0.113.7", address), 429, "unavailable")
	if got := refused.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After %q", got)
	}
	w.want(w.from("203.0.113.7", path(i)+"/receipt.png"), 429, "unavailable")
	w.want(w.from("203.0.113.8", address), 200, "proof")
	w.want(w.from("203.0.113.7", path(i)), 200, "receipt")
}
