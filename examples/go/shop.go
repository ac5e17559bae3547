// Shop is paid through Daftar. README.md says how to start it and what it shows.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	daftar "daftar/sdk/go"
)

// maxBody is the largest request that the shop reads.
const maxBody = 1 << 20

type shop struct {
	daftar  *daftar.Client
	orders  *orders
	secrets []string
	url     string        // what customers see
	every   time.Duration // how often an order is asked about at most
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	env := func(name, otherwise string) string { return cmp.Or(os.Getenv(name), otherwise) }
	port := env("PORT", "3000")
	s := &shop{
		url: env("SHOP_URL", "http://127.0.0.1:"+port),
		// Two, with a space between them, while a new one is being introduced.
		secrets: strings.Fields(os.Getenv("DAFTAR_WEBHOOK_SECRET")),
	}
	seconds, err := strconv.Atoi(env("RECONCILE_SECONDS", "60"))
	if err != nil {
		return fmt.Errorf("RECONCILE_SECONDS: %w", err)
	}
	s.every = time.Duration(seconds) * time.Second
	// A customer waits for the page: better "try again" after ten seconds than a blank one.
	s.daftar, err = daftar.FromEnvironment(daftar.Config{Timeout: 5 * time.Second, RetryFor: 5 * time.Second})
	if err != nil {
		return err
	}
	// Only the process that has the port opens the journal, so there are never two.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return err
	}
	s.orders, err = openOrders(env("SHOP_JOURNAL", "shop.journal"))
	if err != nil {
		return err
	}
	go s.follow(ctx)
	log.Printf("The shop is open at %s", s.url)
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

func (s *shop) handler() http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		write(w, http.StatusOK, shopPage(language(r)))
	})
	pages.HandleFunc("POST /orders", s.buy)
	pages.HandleFunc("GET /orders/{reference}", s.show)
	pages.HandleFunc("POST /webhooks", s.receive)
	pages.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		write(w, http.StatusNotFound, missingPage(language(r)))
	})
	return http.MaxBytesHandler(pages, maxBody)
}

var references = regexp.MustCompile(`^order-[0-9a-f-]{36}$`)

func newReference() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err) // without randomness two customers would have one order
	}
	return fmt.Sprintf("order-%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// buy is a customer who buys: the order is on disk before Daftar is asked, so a crash in between loses
// nothing.
func (s *shop) buy(w http.ResponseWriter, r *http.Request) {
	lang := language(r)
	reference := r.FormValue("reference")
	p, sold := productOf(r.FormValue("product"))
	if !sold || !references.MatchString(reference) {
		write(w, http.StatusBadRequest, missingPage(lang))
		return
	}
	placed := s.orders.place(reference, p)
	if placed.CheckoutURL == "" {
		intent, err := s.ask(r.Context(), placed, query(lang))
		if err != nil {
			log.Printf("Order %s: %v", placed.Reference, err)
			write(w, http.StatusServiceUnavailable, awayPage(lang, placed))
			return
		}
		placed.CheckoutURL = intent.CheckoutURL
	}
	http.Redirect(w, r, placed.CheckoutURL+query(lang), http.StatusSeeOther)
}

// ask asks for an order's intent. It may be repeated with the same reference: there is only ever one.
func (s *shop) ask(ctx context.Context, of order, query string) (*daftar.PaymentIntent, error) {
	p, _ := productOf(of.Product)
	created, err := s.daftar.CreatePaymentIntent(ctx, daftar.CreatePaymentIntent{
		MerchantReference: of.Reference,
		Amount:            of.Amount,
		Currency:          of.Currency,
		Description:       cmp.Or(p.AR, of.Product),
		ReturnURL:         s.url + "/orders/" + of.Reference + query,
	})
	if err != nil {
		return nil, err
	}
	// The page to come back to may be in the other language.
	if slices.ContainsFunc(created.Differs, func(field string) bool { return field != "return_url" }) {
		return nil, fmt.Errorf("two orders have the reference %s: %v", of.Reference, created.Differs)
	}
	s.orders.asked(of.Reference, created.Intent)
	return &created.Intent, nil
}

// show is a customer who has come back. That proves nothing: anybody can open this page.
func (s *shop) show(w http.ResponseWriter, r *http.Request) {
	lang := language(r)
	of, known := s.orders.find(r.PathValue("reference"))
	if !known {
		write(w, http.StatusNotFound, missingPage(lang))
		return
	}
	if of.State != fulfilled && of.UUID != "" {
		intent, err := s.daftar.RetrievePaymentIntent(r.Context(), of.UUID)
		if err != nil {
			log.Printf("Order %s: %v", of.Reference, err) // the page says what the shop knows
		} else {
			s.orders.settle(*intent)
			of, _ = s.orders.find(of.Reference)
		}
	}
	write(w, http.StatusOK, orderPage(lang, of))
}

// receive is a webhook: it is verified, written down and answered. What it means is found out afterwards.
func (s *shop) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "The body cannot be read.", http.StatusBadRequest)
		return
	}
	event, err := daftar.VerifyWebhook(body, r.Header, s.secrets...)
	switch {
	case errors.Is(err, daftar.ErrSignature):
		w.WriteHeader(http.StatusUnauthorized)
	case err != nil:
		log.Printf("A webhook cannot be verified: %v", err)
		w.WriteHeader(http.StatusInternalServerError)
	default:
		s.orders.received(webhook{
			ID: event.ID, Type: event.Type, UUID: event.Data.UUID, Reference: event.Data.MerchantReference,
		})
		w.WriteHeader(http.StatusNoContent)
	}
}
