package main

import (
	"context"
	"errors"
	"log"
	"time"

	daftar "daftar/sdk/go"
)

// follow is what the shop does in the background: it deals with the webhooks that were written down, and
// asks about orders of which it heard nothing.
func (s *shop) follow(ctx context.Context) {
	for {
		pause := 200 * time.Millisecond
		err := s.readInbox(ctx)
		if err == nil {
			err = s.reconcile(ctx)
		}
		if err != nil {
			// The service is away or busy, or a credential is being changed. What is not dealt with
			// stays where it is.
			log.Printf("Not now: %v", err)
			pause = time.Second
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// readInbox deals with webhooks. A webhook says that something happened; whether the order is paid only
// the API says.
func (s *shop) readInbox(ctx context.Context) error {
	for _, w := range s.orders.waiting() {
		if _, ours := s.orders.find(w.Reference); ours && w.UUID != "" {
			intent, err := s.daftar.RetrievePaymentIntent(ctx, w.UUID)
			switch {
			case err == nil:
				s.orders.settle(*intent)
			case errors.Is(err, daftar.ErrNotFound) || errors.Is(err, daftar.ErrPermission):
				// Of another application: asking again would not help.
				log.Printf("Webhook %s: %v", w.ID, err)
			default:
				return err
			}
			if w.Type == daftar.EventTypePaymentIntentDuplicatePayment {
				s.orders.paidTwice(w.Reference)
			}
		}
		// Last: after a crash it is dealt with again, which changes nothing.
		s.orders.dealt(w.ID)
	}
	return nil
}

// reconcile finds what no webhook told: they can be lost, because the shop was away for days or its
// address was wrong.
func (s *shop) reconcile(ctx context.Context) error {
	for _, of := range s.orders.due(s.every) {
		if of.UUID == "" { // the shop was killed before it knew
			intent, err := s.ask(ctx, of, "")
			if err != nil {
				return err
			}
			of.UUID = intent.UUID
		}
		intent, err := s.daftar.RetrievePaymentIntent(ctx, of.UUID)
		if err != nil {
			return err
		}
		s.orders.settle(*intent)
		s.orders.checked(of.Reference)
	}
	return nil
}
