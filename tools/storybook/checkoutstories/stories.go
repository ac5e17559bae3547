package checkoutstories

import (
	"time"

	"daftar/checkout"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
)

// Story is a page that a customer may see.
type Story struct {
	Name   string      // of a file: lower case and hyphens
	When   locale.Text // when a customer meets it, in a sentence
	State  string      // data-state of the page
	Detail string      // data-detail; empty for none
	Title  locale.Text // the page's title; the merchant's name may follow
	Shown  checkout.State

	now       time.Time
	testMode  bool
	unwatched bool // the page does not change by itself
	still     bool // a preview, on which nothing can be paid
}

// Address is the address of every story's checkout page.
const Address = "/pay/0b7e6c1e-9a52-5d0f-8a3e-1f2e3d4c5b6a/t0k3n"

// The actions of the forms.
const (
	PayAction    = Address + "/attempts"
	CodeAction   = Address + "/code"
	ResendAction = Address + "/resend"
	GiveUpAction = Address + "/give-up"
)

// Version is the version of every story's page, and WatchAddress the address from which its
// script gets it.
const (
	Version      = "story"
	WatchAddress = Address + "/state"
)

// The times of the stories: Now is when the pages are opened.
var (
	PaidAt   = time.Date(2026, 11, 20, 20, 41, 0, 0, time.UTC)
	Now      = PaidAt.Add(5 * time.Second)
	Deadline = time.Date(2026, 11, 22, 12, 30, 0, 0, time.UTC)
)

// Page returns the story's page in a language.
func (s Story) Page(l locale.Lang) checkout.Page {
	p := checkout.Page{Lang: l, Address: Address, Sandbox: s.testMode, State: s.Shown, Now: Now, Still: s.still}
	if !s.now.IsZero() {
		p.Now = s.now
	}
	if !s.unwatched {
		p.Version, p.Watch = Version, WatchAddress
	}
	return p
}

// All returns the stories in the order of the steps of a payment.
func All() []Story {
	var all []Story
	for _, some := range [][]Story{
		choosing(), manyMethods(), correcting(), correctingDetails(), limited(), failing(), code(), elsewhere(),
		waiting(), paid(), proofs(), over(), nowhere(), withBrand(), withBrandAfterwards(), shopPages(),
	} {
		all = append(all, some...)
	}
	return all
}

// Named returns the story with a name, false if there is none.
func Named(name string) (Story, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Story{}, false
}

// Order is the order that is paid in the stories.
func Order() checkout.Order {
	return checkout.Order{
		Merchant:    "مقهى الميدان",
		Description: "طلب رقم 1042: آلة قهوة",
		Amount:      domain.Money{Minor: 1_234_500, Currency: domain.LYD},
		Reference:   "7k3qx0m2td",
		ReturnURL:   "https://maydan.example/orders/1042?from=pay",
	}
}

// The wallet, when it works and when it is out of order.
var (
	wallet     = checkout.Offer{Method: sandbox.Wallet, Needs: []acquirer.Field{acquirer.Phone}}
	walletDown = checkout.Offer{Method: sandbox.Wallet, Needs: wallet.Needs, OutOfOrder: true}
)

// Offers are the methods of most stories: the wallet and the card.
func Offers() []checkout.Offer {
	return []checkout.Offer{wallet, {Method: sandbox.Card}}
}

// englishOrder is one whose merchant writes English, on a page that may be Arabic.
func englishOrder() checkout.Order {
	o := Order()
	o.Merchant, o.Description = "Maydan Coffee", "Order 1042: coffee machine"
	return o
}

// withoutReturn is an order without a return URL.
func withoutReturn() checkout.Order {
	o := Order()
	o.ReturnURL = ""
	return o
}

// appOrder returns to an app.
func appOrder() checkout.Order {
	o := Order()
	o.ReturnURL = "lyshop://orders/1"
	return o
}

// longOrder has the longest words and amount.
func longOrder() checkout.Order {
	o := Order()
	o.Merchant = "شركة الميدان الكبرى لاستيراد وتوزيع آلات القهوة ولوازم المقاهي والفنادق" +
		" Maydan Trading & Hospitality"
	o.Description = "Order-1042/" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
		" آلة قهوة مع مطحنة وملحقات كاملة وضمان سنتين"
	o.Amount.Minor = 888_888_888
	return o
}

func text(arabic, english string) locale.Text { return locale.Text{Arabic: arabic, English: english} }
